// SPDX-License-Identifier: MIT
#include "core/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace procmap {
namespace {

std::string entry(char const* name, std::size_t i, Weight value) {
  return std::string(name) + "[" + std::to_string(i) + "] = " + std::to_string(value);
}

void check_length(char const* name, std::size_t length, Weight expected, char const* unit) {
  if (length != static_cast<std::size_t>(expected))
    throw ConfigError(std::string(name) + " has " + std::to_string(length) + " entries, expected one per " + unit +
                      ", " + std::to_string(expected));
}

void check_capacities(std::span<Weight const> capacities, Weight total_weight, Block k) {
  check_length("capacities", capacities.size(), k, "PE");
  __int128 sum = 0;
  for (std::size_t pe = 0; pe < capacities.size(); ++pe) {
    if (capacities[pe] < 0) throw ConfigError(entry("capacities", pe, capacities[pe]) + " is negative");
    sum += capacities[pe];
  }
  if (sum < total_weight)
    throw ConfigError("capacities sum up to " + std::to_string(static_cast<Weight>(sum)) +
                      ", less than the total vertex weight " + std::to_string(total_weight));
  if (sum == 0) throw ConfigError("capacities forbid every PE: all are 0");
}

/// `lowest` is the least value allowed: -1 where a vertex may be free.
void check_pes(char const* name, std::span<Block const> pes, Graph const& graph, std::span<Weight const> capacities,
               Block k, Block lowest) {
  check_length(name, pes.size(), graph.num_vertices(), "vertex");
  for (std::size_t v = 0; v < pes.size(); ++v)
    if (pes[v] < lowest || pes[v] >= k)
      throw ConfigError(entry(name, v, pes[v]) + " is outside [" + std::to_string(lowest) + ", " + std::to_string(k) +
                        ")");
  if (capacities.empty()) return;
  for (std::size_t v = 0; v < pes.size(); ++v)
    if (pes[v] != no_block && capacities[static_cast<std::size_t>(pes[v])] == 0)
      throw ConfigError(entry(name, v, pes[v]) + " is a PE of capacity 0");
}

std::vector<Weight> loads_of_fixed(Graph const& graph, std::span<Block const> fixed, Block k) {
  std::vector<Weight> load(fixed.empty() ? 0 : static_cast<std::size_t>(k), 0);
  auto const weights = graph.vertex_weights();
  for (std::size_t v = 0; v < fixed.size(); ++v)
    if (fixed[v] != no_block) load[static_cast<std::size_t>(fixed[v])] += weights.empty() ? 1 : weights[v];
  return load;
}

PeCapacities engine_capacities(Graph const& graph, Block k, Options const& options, Weight lmax) {
  if (options.capacities.empty() && options.fixed.empty()) return {k, lmax};
  auto capacity = options.capacities;
  if (capacity.empty()) capacity.assign(static_cast<std::size_t>(k), std::max<Weight>(lmax, 1));
  // More than everything is as good as everything, and keeps the shares of the others meaningful.
  auto const total = std::max<Weight>(graph.total_vertex_weight(), 1);
  for (Weight& c : capacity) c = std::min(c, total);
  return {capacity, loads_of_fixed(graph, options.fixed, k)};
}

std::vector<Block> refuges(Topology const& topology, std::span<Weight const> capacities) {
  std::vector<Block> refuge(static_cast<std::size_t>(topology.num_pes()));
  std::iota(refuge.begin(), refuge.end(), 0);
  if (capacities.empty()) return refuge;
  auto const forbidden = [&](Block pe) { return capacities[static_cast<std::size_t>(pe)] == 0; };
  // PEs that are near have near numbers: of those with lower numbers the last is as near as any.
  Block lower = no_block;
  for (Block pe = 0; pe < topology.num_pes(); ++pe)
    if (forbidden(pe))
      refuge[static_cast<std::size_t>(pe)] = lower;
    else
      lower = pe;
  Block higher = no_block;
  for (Block pe = topology.num_pes() - 1; pe >= 0; --pe) {
    if (!forbidden(pe)) {
      higher = pe;
      continue;
    }
    Block& nearest = refuge[static_cast<std::size_t>(pe)];
    if (nearest == no_block || (higher != no_block && topology.distance(pe, higher) < topology.distance(pe, nearest)))
      nearest = higher;
  }
  return refuge;
}

std::vector<Weight> migration_pull(Graph const& graph, Topology const& topology, Options const& options) {
  auto const cost = options.migration_cost;
  if (!std::isfinite(cost) || cost < 0)
    throw ConfigError("migration_cost = " + std::to_string(cost) + " is not a finite number >= 0");
  auto const n = static_cast<std::size_t>(graph.num_vertices());
  auto const& sizes = options.vertex_sizes;
  if (!sizes.empty()) check_length("vertex_sizes", sizes.size(), graph.num_vertices(), "vertex");
  __int128 total_size = 0;
  for (std::size_t v = 0; v < sizes.size(); ++v) {
    if (sizes[v] < 0) throw ConfigError(entry("vertex_sizes", v, sizes[v]) + " is negative");
    total_size += sizes[v];
  }
  if (total_size >= PeCapacities::unbounded) throw std::overflow_error("vertex_sizes sum up to 2^62 or more");
  if (options.initial.empty()) {
    if (cost > 0 || !sizes.empty()) throw ConfigError("migration_cost and vertex_sizes need an initial mapping");
    return {};
  }
  if (cost == 0) return {};
  std::vector<Weight> pull(n);
  auto sum = static_cast<__int128>(graph.total_arc_weight()) * topology.max_distance();
  constexpr double limit = 4611686018427387904.0;  // 2^62
  for (std::size_t v = 0; v < n; ++v) {
    double const half = cost * static_cast<double>(sizes.empty() ? 1 : sizes[v]) / 2;
    pull[v] = half < limit ? static_cast<Weight>(std::floor(half + 0.5)) : PeCapacities::unbounded;
    sum += 2 * static_cast<__int128>(pull[v]);
    if (sum >= PeCapacities::unbounded)
      throw std::overflow_error("the mapping cost with all migration could exceed 2^62; scale migration_cost down");
  }
  return pull;
}

}  // namespace

std::vector<Weight> reported_capacities(Graph const& graph, Topology const& topology,
                                        std::span<Weight const> capacities, double imbalance) {
  Block const k = topology.num_pes();
  Weight const lmax = block_capacity(graph.total_vertex_weight(), k, imbalance);
  if (capacities.empty()) return std::vector<Weight>(static_cast<std::size_t>(k), lmax);
  check_length("capacities", capacities.size(), k, "PE");
  return {capacities.begin(), capacities.end()};
}

Constraints make_constraints(Graph const& graph, Topology const& topology, Options const& options) {
  Block const k = topology.num_pes();
  if (!options.capacities.empty()) check_capacities(options.capacities, graph.total_vertex_weight(), k);
  if (!options.fixed.empty()) check_pes("fixed", options.fixed, graph, options.capacities, k, no_block);
  if (!options.initial.empty()) check_pes("initial", options.initial, graph, {}, k, 0);
  Weight const lmax = block_capacity(graph.total_vertex_weight(), k, options.imbalance);
  return {reported_capacities(graph, topology, options.capacities, options.imbalance),
          engine_capacities(graph, k, options, lmax),
          options.initial.empty() ? std::vector<Block>{} : refuges(topology, options.capacities),
          migration_pull(graph, topology, options)};
}

}  // namespace procmap
