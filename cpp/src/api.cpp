// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "backends.hpp"

namespace procmap {
namespace {

void check_imbalance(double imbalance) {
  if (!std::isfinite(imbalance) || imbalance < 0)
    throw ConfigError("imbalance = " + std::to_string(imbalance) + " is not a finite number >= 0");
}

// J and everything the engine sums up stay below 2^62.
void check_cost_fits(Graph const& graph, Topology const& topology) {
  constexpr auto limit = static_cast<__int128>(1) << 62;
  auto const largest = static_cast<__int128>(graph.total_arc_weight()) * topology.max_distance();
  if (largest >= limit)
    throw std::overflow_error("the mapping cost could exceed 2^62: total traffic " +
                              std::to_string(graph.total_arc_weight()) + " (both directions) at distance " +
                              std::to_string(topology.max_distance()) + "; scale the weights down");
}

void check_blocks(Graph const& graph, Topology const& topology, std::span<Block const> blocks) {
  if (blocks.size() != static_cast<std::size_t>(graph.num_vertices()))
    throw std::invalid_argument("blocks has " + std::to_string(blocks.size()) + " entries, expected " +
                                std::to_string(graph.num_vertices()));
  auto const outside = std::find_if(blocks.begin(), blocks.end(),
                                    [&](Block b) { return b < 0 || b >= topology.num_pes(); });
  if (outside != blocks.end())
    throw std::invalid_argument("blocks[" + std::to_string(outside - blocks.begin()) +
                                "] = " + std::to_string(*outside) + " is outside [0, " +
                                std::to_string(topology.num_pes()) + ")");
}

void complete_report(Report& report, Graph const& graph, Topology const& topology, double imbalance) {
  report.capacity = block_capacity(graph.total_vertex_weight(), topology.num_pes(), imbalance);
  report.max_block_weight = *std::max_element(report.block_weights.begin(), report.block_weights.end());
  report.feasible = report.max_block_weight <= report.capacity;
  auto const average = static_cast<double>(graph.total_vertex_weight()) / topology.num_pes();
  report.imbalance = average > 0 ? static_cast<double>(report.max_block_weight) / average - 1.0 : 0.0;
}

Report evaluate_in(Run& run, Graph const& graph, Topology const& topology, std::span<Block const> blocks,
                   double imbalance, int threads) {
  auto report = evaluate_on_cpu(graph, topology, blocks, threads, run);
  complete_report(report, graph, topology, imbalance);
  return report;
}

}  // namespace

Weight block_capacity(Weight total_weight, Block num_blocks, double imbalance) {
  check_imbalance(imbalance);
  if (num_blocks < 1) throw ConfigError("the number of blocks must be at least 1, got " + std::to_string(num_blocks));
  // ceil(c / k) and the share of eps apart: the first is exact, and the second is rounded in a long double
  // after a nudge that keeps a product such as 0.03 * 100 from spilling over its integer.
  auto const exact = (static_cast<long double>(1) + static_cast<long double>(imbalance)) *
                     static_cast<long double>(total_weight) / static_cast<long double>(num_blocks);
  auto const average = total_weight / num_blocks + (total_weight % num_blocks != 0 ? 1 : 0);
  if (exact >= static_cast<long double>(Weight{1} << 62)) return Weight{1} << 62;
  auto const rounded = static_cast<Weight>(std::ceil(exact * (1 - 1e-15L) - 1e-9L));
  return std::max(average, rounded);
}

Mapping map(Graph const& graph, Topology const& topology, Options const& options) {
  check_imbalance(options.imbalance);
  options.config.validate();
  check_cost_fits(graph, topology);
  Stopwatch watch;
  Run run(options.monitor);
  Mapping mapping;
  MapCall const call{graph, topology, options,
                     block_capacity(graph.total_vertex_weight(), topology.num_pes(), options.imbalance)};
  mapping.blocks = map_on_cpu(call, run);
  mapping.report = evaluate_in(run, graph, topology, mapping.blocks, options.imbalance, options.threads);
  run.stats().seconds = watch.seconds();
  mapping.stats = std::move(run.stats());
  return mapping;
}

Mapping partition(Graph const& graph, Block k, Options const& options) {
  return map(graph, Topology::flat(k), options);
}

Report evaluate(Graph const& graph, Topology const& topology, std::span<Block const> blocks, double imbalance,
                int threads) {
  check_imbalance(imbalance);
  check_cost_fits(graph, topology);
  check_blocks(graph, topology, blocks);
  Monitor const silent;
  Run run(silent);
  return evaluate_in(run, graph, topology, blocks, imbalance, threads);
}

}  // namespace procmap
