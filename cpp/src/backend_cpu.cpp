// SPDX-License-Identifier: MIT
#include "backends.hpp"
#include "exec/cpu_executor.hpp"
#include "multilevel/integrated.hpp"
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

}  // namespace

std::vector<Block> map_on_cpu(MapCall const& call, Run& run) {
  CpuExecutor ex(call.options.threads, run);
  run.stats().threads = ex.threads();
  MappingTask const task{call.topology, call.pe_capacity, call.graph.total_vertex_weight(), call.options.config,
                         hash(call.options.seed, 0)};
  auto const block = map_graph(ex, view_of(call.graph), task);
  return {block.data(), block.data() + block.size()};
}

Report evaluate_on_cpu(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int threads,
                       Run& run) {
  CpuExecutor ex(threads, run);
  return measure(ex, view_of(graph), topology, blocks.data());
}

}  // namespace procmap
