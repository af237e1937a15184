// SPDX-License-Identifier: MIT
#include <algorithm>

#include "backends/map_on.hpp"
#include "exec/cpu_executor.hpp"
#include "instances/instances.hpp"

namespace procmap {

PROCMAP_COARSENING_INSTANCE(, CpuExecutor)

// Refinement is compiled in sources of its own.
#define PROCMAP_OBJECTIVE(objective, header) PROCMAP_REFINEMENT_INSTANCE(extern, CpuExecutor, objective)
#include "instances/objectives.def"
#undef PROCMAP_OBJECTIVE

namespace {

CsrView view_of(Graph const& graph) {
  CsrView view{graph.num_vertices(),
               graph.num_arcs(),
               graph.offsets().data(),
               graph.heads().data(),
               graph.arc_weights().empty() ? nullptr : graph.arc_weights().data(),
               graph.vertex_weights().empty() ? nullptr : graph.vertex_weights().data()};
  view.max_degree = graph.max_degree();
  return view;
}

Edge work_of(Graph const& graph) { return graph.num_vertices() + graph.num_arcs(); }

int threads_for(Edge worth, int wanted) {
  return wanted > 0 ? wanted : static_cast<int>(std::clamp<Edge>(worth, 1, CpuExecutor::usable_threads(0)));
}

// Passes over fewer vertices and arcs end before another thread is there.
constexpr Edge work_per_thread = 1 << 13;

int threads_for_passes(Graph const& graph, int wanted) { return threads_for(work_of(graph) / work_per_thread, wanted); }

// Of a small graph most of the work is to split coarse graphs, many times over, each a job of its own: 500 vertices
// onto 192 PEs take 69 ms on one thread and 22 on four. Eight take 16, for a third more processor time (measured).
constexpr Edge few_threads = 4;
constexpr Edge work_for_few = 1 << 7;  // vertices and arcs per thread, up to few_threads of them

int threads_for_splits(Graph const& graph, int wanted) {
  Edge const work = work_of(graph);
  return threads_for(std::max(std::min(work / work_for_few, few_threads), work / work_per_thread), wanted);
}

Mapped map_on_cpu(MapCall const& call, int, Run& run) {
  CpuExecutor ex(threads_for_splits(call.graph, call.options.threads), run);
  return map_on(ex, view_of(call.graph), call);
}

std::vector<Block> split_on_cpu(MemberJob const& job, int, int threads, Run& run) {
  CpuExecutor ex(std::max(1, threads), run);
  return split_on(ex, job);
}

Report evaluate_on_cpu(EvaluateCall const& call, int, Run& run) {
  CpuExecutor ex(threads_for_passes(call.graph, call.threads), run);
  return measure(ex, view_of(call.graph), call.topology, call.blocks.data());
}

}  // namespace

Backend cpu_backend() {
  return {.name = "cpu", .require = [](int) {}, .map = map_on_cpu, .evaluate = evaluate_on_cpu, .split = split_on_cpu};
}

}  // namespace procmap
