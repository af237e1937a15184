// SPDX-License-Identifier: MIT
#pragma once

#include "graph/scopes.hpp"
#include "objective/cost.hpp"
#include "objective/edge_cut.hpp"
#include "objective/with_distances.hpp"
#include "procmap/procmap.hpp"
#include "report/traffic.hpp"

namespace procmap {

/// Traffic of a hierarchy: by the level at which PEs meet. Every edge twice, as in all of these.
template <HostExecutor Exec>
void measure_traffic(Exec& ex, CsrView graph, HierarchyDistance objective, Topology const& topology, Block const* block,
                     Report& report) {
  report.level_distances = topology.distances();
  report.level_traffic = traffic_by_level(ex, graph, objective, block);
}

/// Traffic of other machines: by distance, if there are few different ones.
template <HostExecutor Exec, class Objective>
void measure_traffic(Exec& ex, CsrView graph, Objective objective, Topology const& topology, Block const* block,
                     Report& report) {
  report.level_distances = topology.distinct_distances(Report::max_distances);
  if (!report.level_distances.empty() || topology.num_pes() == 1) {
    report.level_traffic = traffic_by_distance(ex, graph, objective, block, report.level_distances);
    return;
  }
  report.cost = total_cost(ex, graph, objective, block);
  report.edge_cut = total_cost(ex, graph, EdgeCut{topology.num_pes()}, block) / 2;
  Weight const all = ex.sum(graph.num_arcs, [=] PROCMAP_LAMBDA(Edge e) { return graph.arc_weight(e); });
  report.level_traffic = {all - 2 * report.edge_cut};
}

/// The sums of a Report: cost, cut, traffic and loads of `block`.
template <HostExecutor Exec>
Report measure(Exec& ex, CsrView graph, Topology const& topology, Block const* block) {
  Phase phase(ex.run(), "evaluation");
  Report report;
  report.block_weights = scope_weights(ex, graph, block, topology.num_pes());
  with_distances(ex, topology, [&](auto objective) { measure_traffic(ex, graph, objective, topology, block, report); });
  for (std::size_t level = 1; level < report.level_traffic.size(); ++level) {
    report.cost += report.level_traffic[level] * report.level_distances[level - 1];
    report.edge_cut += report.level_traffic[level] / 2;
  }
  for (Weight& traffic : report.level_traffic) traffic /= 2;
  return report;
}

}  // namespace procmap
