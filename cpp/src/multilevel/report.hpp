// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/multisection.hpp"
#include "objective/traffic.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// The sums of a Report: cost, cut, traffic and loads of `block`.
template <Executor Exec>
Report measure(Exec& ex, CsrView graph, Topology const& topology, Block const* block) {
  Phase phase(ex.run(), "evaluation");
  auto const distances = make_hierarchy_distance(ex, topology);
  Report report;
  report.block_weights = scope_weights(ex, graph, block, topology.num_pes());
  report.level_traffic = traffic_by_level(ex, graph, distances.view, block);
  for (std::size_t level = 1; level < report.level_traffic.size(); ++level) {
    report.cost += report.level_traffic[level] * topology.distances()[level - 1];
    report.edge_cut += report.level_traffic[level] / 2;
  }
  for (Weight& traffic : report.level_traffic) traffic /= 2;
  return report;
}

}  // namespace procmap
