// SPDX-License-Identifier: MIT
#include "api/report.hpp"

#include <algorithm>
#include <functional>
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

namespace {

/// What the blocks hold of a weight, and may hold of it.
WeightReport report_weight(std::vector<Weight> block_weights, std::vector<Weight> capacities, Weight total) {
  WeightReport report;
  report.block_weights = std::move(block_weights);
  report.capacities = std::move(capacities);
  report.capacity = *std::ranges::max_element(report.capacities);
  report.max_block_weight = *std::ranges::max_element(report.block_weights);
  auto const average = static_cast<double>(total) / static_cast<double>(report.block_weights.size());
  report.imbalance = average > 0 ? static_cast<double>(report.max_block_weight) / average - 1.0 : 0.0;
  return report;
}

bool keeps(WeightReport const& report) {
  return std::ranges::equal(report.block_weights, report.capacities, std::less_equal<>());
}

std::vector<Weight> loads_of_blocks(Graph const& graph, std::span<Block const> blocks, Block k, int i) {
  std::vector<Weight> loads(static_cast<std::size_t>(k), 0);
  for (Vertex v = 0; v < graph.num_vertices(); ++v)
    loads[static_cast<std::size_t>(blocks[static_cast<std::size_t>(v)])] += graph.weight_of(v, i);
  return loads;
}

}  // namespace

void complete_report(Report& report, Graph const& graph, std::span<Block const> blocks, Topology const& topology,
                     std::vector<Weight> capacities) {
  Block const k = topology.num_pes();
  int const count = graph.num_weights();
  auto const of_weight = [&](int i) {
    if (count == 1) return std::move(capacities);
    std::vector<Weight> own;
    for (auto at = static_cast<std::size_t>(i); at < capacities.size(); at += static_cast<std::size_t>(count))
      own.push_back(capacities[at]);
    return own;
  };
  report.further.clear();
  for (int i = 1; i < count; ++i)
    report.further.push_back(report_weight(loads_of_blocks(graph, blocks, k, i), of_weight(i), graph.total_weight(i)));
  auto first = report_weight(std::move(report.block_weights), of_weight(0), graph.total_vertex_weight());
  report.feasible = keeps(first) && std::ranges::all_of(report.further, keeps);
  report.block_weights = std::move(first.block_weights);
  report.max_block_weight = first.max_block_weight;
  report.capacities = std::move(first.capacities);
  report.capacity = first.capacity;
  report.imbalance = first.imbalance;
}

void count_migration(Report& report, std::span<Block const> blocks, Options const& options) {
  for (std::size_t v = 0; v < options.initial.size(); ++v) {
    if (blocks[v] == options.initial[v]) continue;
    ++report.migrated_vertices;
    report.migrated_weight += options.vertex_sizes.empty() ? 1 : options.vertex_sizes[v];
  }
}

}  // namespace procmap
