// SPDX-License-Identifier: MIT
#include <algorithm>

#include "backends.hpp"
#include "exec/cpu_executor.hpp"
#include "multilevel/one_per_pe.hpp"
#include "multilevel/report.hpp"

namespace procmap {
namespace {

CsrView view_of(Graph const& graph) {
  return {graph.num_vertices(),
          graph.num_arcs(),
          graph.offsets().data(),
          graph.heads().data(),
          graph.arc_weights().empty() ? nullptr : graph.arc_weights().data(),
          graph.vertex_weights().empty() ? nullptr : graph.vertex_weights().data()};
}

template <class T>
T const* data_or_null(std::vector<T> const& values) {
  return values.empty() ? nullptr : values.data();
}

// Threads of a small graph wait for each other longer than they work, above all where other programs use the same
// processors: 512 ranks took 0.16 s on one thread, and on two of a busy machine between 0.7 and 8 s (measured).
constexpr Edge work_per_thread = 1 << 13;  // vertices and arcs

int worthwhile_threads(Graph const& graph, int wanted) {
  if (wanted > 0) return wanted;
  auto const worth = (graph.num_vertices() + graph.num_arcs()) / work_per_thread;
  return static_cast<int>(std::clamp<Edge>(worth, 1, CpuExecutor::usable_threads(0)));
}

}  // namespace

std::vector<Block> map_on_cpu(MapCall const& call, Run& run) {
  CpuExecutor ex(worthwhile_threads(call.graph, call.options.threads), run);
  run.stats().threads = ex.threads();
  auto const& [graph, topology, options, constraints] = call;
  MappingTask const task{
      topology,
      constraints.pes,
      graph.total_vertex_weight(),
      options.config,
      hash(options.seed, 0),
      data_or_null(options.fixed),
      {data_or_null(options.initial), data_or_null(constraints.refuge), data_or_null(constraints.pull)}};
  auto const block = map_to_topology(ex, view_of(call.graph), task);
  return {block.data(), block.data() + block.size()};
}

Report evaluate_on_cpu(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int threads,
                       Run& run) {
  CpuExecutor ex(worthwhile_threads(graph, threads), run);
  return measure(ex, view_of(graph), topology, blocks.data());
}

}  // namespace procmap
