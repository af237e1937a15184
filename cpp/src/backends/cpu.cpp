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
  return {graph.num_vertices(),
          graph.num_arcs(),
          graph.offsets().data(),
          graph.heads().data(),
          graph.arc_weights().empty() ? nullptr : graph.arc_weights().data(),
          graph.vertex_weights().empty() ? nullptr : graph.vertex_weights().data()};
}

// Of a small graph most of the work is to split coarse graphs, many times over, each a job of its own: 500 vertices
// onto 192 PEs take 75 ms on one thread and 39 on four; more bring nothing (measured). Of larger ones passes are long
// enough for more.
constexpr int few_threads = 4;
constexpr Edge work_for_few = 1 << 7;      // vertices and arcs per thread, up to few_threads of them
constexpr Edge work_per_thread = 1 << 13;  // ... and beyond

int worthwhile_threads(Graph const& graph, int wanted) {
  if (wanted > 0) return wanted;
  Edge const work = graph.num_vertices() + graph.num_arcs();
  Edge const worth = std::max(std::min<Edge>(work / work_for_few, few_threads), work / work_per_thread);
  return static_cast<int>(std::clamp<Edge>(worth, 1, CpuExecutor::usable_threads(0)));
}

Mapped map_on_cpu(MapCall const& call, int, Run& run) {
  CpuExecutor ex(worthwhile_threads(call.graph, call.options.threads), run);
  return map_on(ex, view_of(call.graph), call);
}

std::vector<Block> split_on_cpu(MemberJob const& job, int, int threads, Run& run) {
  CpuExecutor ex(std::max(1, threads), run);
  return split_on(ex, job);
}

Report evaluate_on_cpu(EvaluateCall const& call, int, Run& run) {
  CpuExecutor ex(worthwhile_threads(call.graph, call.threads), run);
  return measure(ex, view_of(call.graph), call.topology, call.blocks.data());
}

}  // namespace

Backend cpu_backend() {
  return {.name = "cpu", .require = [](int) {}, .map = map_on_cpu, .evaluate = evaluate_on_cpu, .split = split_on_cpu};
}

}  // namespace procmap
