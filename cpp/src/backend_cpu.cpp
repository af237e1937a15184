// SPDX-License-Identifier: MIT
#include "backends.hpp"
#include "exec/cpu_executor.hpp"
#include "multilevel/integrated.hpp"
#include "objective/traffic.hpp"

namespace procmap {
namespace {

CsrView view_of(Graph const& graph) {
  return {graph.num_vertices(),  graph.num_arcs(),
          graph.offsets().data(), graph.heads().data(),
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
  Phase phase(run, "evaluation");
  CpuExecutor ex(threads, run);
  auto const distances = make_hierarchy_distance(ex, topology);
  Report report;
  report.block_weights = scope_weights(ex, view_of(graph), blocks.data(), topology.num_pes());
  report.level_traffic = traffic_by_level(ex, view_of(graph), distances.view, blocks.data());
  for (std::size_t level = 1; level < report.level_traffic.size(); ++level) {
    report.cost += report.level_traffic[level] * topology.distances()[level - 1];
    report.edge_cut += report.level_traffic[level] / 2;
  }
  for (Weight& traffic : report.level_traffic) traffic /= 2;
  return report;
}

}  // namespace procmap
