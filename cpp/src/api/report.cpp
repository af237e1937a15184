// SPDX-License-Identifier: MIT
#include "api/report.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace procmap {

void check_cost_fits(Graph const& graph, Topology const& topology) {
  constexpr auto limit = static_cast<__int128>(1) << 62;
  auto const largest = static_cast<__int128>(graph.total_arc_weight()) * topology.max_distance();
  if (largest >= limit)
    throw std::overflow_error("the mapping cost could exceed 2^62: total traffic " +
                              std::to_string(graph.total_arc_weight()) + " (both directions) at distance " +
                              std::to_string(topology.max_distance()) + "; scale the weights down");
}

void complete_report(Report& report, Graph const& graph, Topology const& topology, std::vector<Weight> capacities) {
  report.capacities = std::move(capacities);
  report.capacity = *std::max_element(report.capacities.begin(), report.capacities.end());
  report.max_block_weight = *std::max_element(report.block_weights.begin(), report.block_weights.end());
  report.feasible = std::equal(report.block_weights.begin(), report.block_weights.end(), report.capacities.begin(),
                               [](Weight load, Weight capacity) { return load <= capacity; });
  auto const average = static_cast<double>(graph.total_vertex_weight()) / topology.num_pes();
  report.imbalance = average > 0 ? static_cast<double>(report.max_block_weight) / average - 1.0 : 0.0;
}

void count_migration(Report& report, std::span<Block const> blocks, Options const& options) {
  for (std::size_t v = 0; v < options.initial.size(); ++v) {
    if (blocks[v] == options.initial[v]) continue;
    ++report.migrated_vertices;
    report.migrated_weight += options.vertex_sizes.empty() ? 1 : options.vertex_sizes[v];
  }
}

}  // namespace procmap
