// SPDX-License-Identifier: MIT
#include "core/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/block_capacity.hpp"

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

/// Every `count`-th value from `first` on.
template <class T>
std::vector<T> column(std::span<T const> values, int first, int count) {
  std::vector<T> picked;
  for (auto at = static_cast<std::size_t>(first); at < values.size(); at += static_cast<std::size_t>(count))
    picked.push_back(values[at]);
  return picked;
}

char const* per_pe(Graph const& graph) { return graph.num_weights() > 1 ? "PE and weight" : "PE"; }

Weight num_capacities(Graph const& graph, Block k) { return Weight{k} * graph.num_weights(); }

void check_capacities_of(std::span<Weight const> capacities, Graph const& graph, int i) {
  int const count = graph.num_weights();
  auto const name = count == 1 ? std::string("capacities") : "capacities[:, " + std::to_string(i) + "]";
  Weight const total = graph.total_weight(i);
  __int128 sum = 0;
  for (auto at = static_cast<std::size_t>(i); at < capacities.size(); at += static_cast<std::size_t>(count)) {
    if (capacities[at] < 0) {
      auto const pe = at / static_cast<std::size_t>(count);
      auto const culprit = count == 1 ? entry("capacities", pe, capacities[at])
                                      : "capacities[" + std::to_string(pe) + ", " + std::to_string(i) +
                                            "] = " + std::to_string(capacities[at]);
      throw ConfigError(culprit + " is negative");
    }
    sum += capacities[at];
  }
  if (sum < total)
    throw ConfigError(name + " sum up to " + std::to_string(static_cast<Weight>(sum)) +
                      ", less than the total vertex weight " + std::to_string(total));
}

void check_capacities(std::span<Weight const> capacities, Graph const& graph, Block k) {
  check_length("capacities", capacities.size(), num_capacities(graph, k), per_pe(graph));
  for (int i = 0; i < graph.num_weights(); ++i) check_capacities_of(capacities, graph, i);
  if (std::ranges::all_of(capacities, [](Weight c) { return c == 0; }))
    throw ConfigError("capacities forbid every PE: all are 0");
}

/// Which PEs nobody may be on; empty: none.
std::vector<char> forbidden_pes(std::span<Weight const> capacities, Block k) {
  std::vector<char> forbidden(capacities.empty() ? 0 : static_cast<std::size_t>(k), 1);
  for (std::size_t at = 0; at < capacities.size(); ++at)
    if (capacities[at] > 0) forbidden[at / (capacities.size() / static_cast<std::size_t>(k))] = 0;
  return forbidden;
}

/// `lowest` is the least value allowed: -1 where a vertex may be free.
void check_pes(char const* name, std::span<Block const> pes, Graph const& graph, std::span<char const> forbidden,
               Block k, Block lowest) {
  check_length(name, pes.size(), graph.num_vertices(), "vertex");
  for (std::size_t v = 0; v < pes.size(); ++v)
    if (pes[v] < lowest || pes[v] >= k)
      throw ConfigError(entry(name, v, pes[v]) + " is outside [" + std::to_string(lowest) + ", " + std::to_string(k) +
                        ")");
  if (forbidden.empty()) return;
  for (std::size_t v = 0; v < pes.size(); ++v)
    if (pes[v] != no_block && forbidden[static_cast<std::size_t>(pes[v])])
      throw ConfigError(entry(name, v, pes[v]) + " is a PE of capacity 0");
}

std::vector<Weight> loads_of_fixed(std::span<Weight const> load, std::span<Block const> fixed, Block k) {
  std::vector<Weight> fixed_load(fixed.empty() ? 0 : static_cast<std::size_t>(k), 0);
  for (std::size_t v = 0; v < fixed.size(); ++v)
    if (fixed[v] != no_block) fixed_load[static_cast<std::size_t>(fixed[v])] += load.empty() ? 1 : load[v];
  return fixed_load;
}

/// One weight as the engine sees it: `load` of every vertex, which add up to `total`.
struct OneWeight {
  std::span<Weight const> load;  // empty: all 1
  Weight total;
};

PeCapacities engine_capacities(OneWeight weight, Block k, std::vector<Weight> capacity, std::span<Block const> fixed,
                               Weight lmax) {
  if (capacity.empty() && fixed.empty()) return {k, lmax};
  if (capacity.empty()) capacity.assign(static_cast<std::size_t>(k), std::max<Weight>(lmax, 1));
  // More than everything is as good as everything, and keeps the shares of the others meaningful.
  auto const total = std::max<Weight>(weight.total, 1);
  for (Weight& c : capacity) c = std::min(c, total);
  return {capacity, loads_of_fixed(weight.load, fixed, k)};
}

SeveralWeights several_weights(Graph const& graph, Block k, Options const& options, std::span<double const> imbalance) {
  int const count = graph.num_weights();
  if (count == 1) return {};
  auto const loads = all_loads(graph);
  std::vector<Weight> totals;
  std::vector<PeCapacities> capacities;
  for (int i = 0; i < count; ++i) {
    Weight const total = graph.total_weight(i);
    auto const load = column(std::span<Weight const>(loads), i, count);
    totals.push_back(total);
    capacities.push_back(engine_capacities({load, total}, k, column(std::span(options.capacities), i, count),
                                           options.fixed,
                                           block_capacity(total, k, imbalance[static_cast<std::size_t>(i)])));
  }
  return {std::move(totals), std::move(capacities)};
}

/// What the PEs hold of the sum of several weights.
PeCapacities sum_capacities(Graph const& graph, Block k, Options const& options, SeveralWeights const& several) {
  if (options.capacities.empty() && options.fixed.empty()) return {k, several.sum_of_limits(several.limits_of(0))};
  std::vector<Weight> capacity;
  for (Block pe = 0; pe < k; ++pe) capacity.push_back(several.sum_of_limits(several.limits_of(pe)));
  auto const load = sums_of_loads(graph, several);
  return {capacity, loads_of_fixed(load, options.fixed, k)};
}

std::vector<Block> refuges(Topology const& topology, std::span<char const> forbidden_pe) {
  std::vector<Block> refuge(static_cast<std::size_t>(topology.num_pes()));
  std::iota(refuge.begin(), refuge.end(), 0);
  if (forbidden_pe.empty()) return refuge;
  auto const forbidden = [&](Block pe) { return forbidden_pe[static_cast<std::size_t>(pe)] != 0; };
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

// What migrates is reported as a sum.
void check_sizes(std::span<Weight const> sizes) {
  constexpr auto limit = static_cast<__int128>(1) << 62;
  __int128 sum = 0;
  for (std::size_t v = 0; v < sizes.size(); ++v) {
    if (sizes[v] < 0) throw ConfigError(entry("vertex_sizes", v, sizes[v]) + " is negative");
    sum += sizes[v];
    if (sum >= limit) throw ConfigError("vertex_sizes add up to 2^62 or more at " + entry("vertex_sizes", v, sizes[v]));
  }
}

std::vector<Weight> migration_pull(Graph const& graph, Topology const& topology, Options const& options) {
  auto const cost = options.migration_cost;
  if (!std::isfinite(cost) || cost < 0)
    throw ConfigError("migration_cost = " + std::to_string(cost) + " is not a finite number >= 0");
  auto const n = static_cast<std::size_t>(graph.num_vertices());
  auto const& sizes = options.vertex_sizes;
  if (!sizes.empty()) check_length("vertex_sizes", sizes.size(), graph.num_vertices(), "vertex");
  check_sizes(sizes);
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

std::vector<double> imbalance_of_weights(Graph const& graph, double imbalance, std::span<double const> imbalances) {
  auto const count = static_cast<std::size_t>(graph.num_weights());
  check_imbalance(imbalance);
  if (imbalances.empty()) return std::vector<double>(count, imbalance);
  check_length("imbalance", imbalances.size(), graph.num_weights(), "weight");
  for (double const one : imbalances) check_imbalance(one);
  return {imbalances.begin(), imbalances.end()};
}

std::vector<Weight> reported_capacities(Graph const& graph, Topology const& topology,
                                        std::span<Weight const> capacities, std::span<double const> imbalance) {
  Block const k = topology.num_pes();
  std::vector<Weight> lmax;
  for (int i = 0; i < graph.num_weights(); ++i)
    lmax.push_back(block_capacity(graph.total_weight(i), k, imbalance[static_cast<std::size_t>(i)]));
  if (!capacities.empty()) {
    check_length("capacities", capacities.size(), num_capacities(graph, k), per_pe(graph));
    return {capacities.begin(), capacities.end()};
  }
  std::vector<Weight> all;
  all.reserve(lmax.size() * static_cast<std::size_t>(k));
  for (Block pe = 0; pe < k; ++pe) all.insert(all.end(), lmax.begin(), lmax.end());
  return all;
}

std::vector<Weight> all_loads(Graph const& graph) {
  std::vector<Weight> loads;
  loads.reserve(static_cast<std::size_t>(graph.num_vertices()) * static_cast<std::size_t>(graph.num_weights()));
  for (Vertex v = 0; v < graph.num_vertices(); ++v)
    for (int i = 0; i < graph.num_weights(); ++i) loads.push_back(graph.weight_of(v, i));
  return loads;
}

std::vector<Weight> sums_of_loads(Graph const& graph, SeveralWeights const& several) {
  auto const loads = all_loads(graph);
  auto const count = static_cast<std::size_t>(graph.num_weights());
  std::vector<Weight> sums;
  sums.reserve(static_cast<std::size_t>(graph.num_vertices()));
  for (std::size_t at = 0; at < loads.size(); at += count)
    sums.push_back(several.sum_of_loads(std::span(loads).subspan(at, count)));
  return sums;
}

Constraints make_constraints(Graph const& graph, Topology const& topology, Options const& options) {
  Block const k = topology.num_pes();
  auto const imbalance = imbalance_of_weights(graph, options.imbalance, options.imbalances);
  if (!options.capacities.empty()) check_capacities(options.capacities, graph, k);
  auto const forbidden = forbidden_pes(options.capacities, k);
  if (!options.fixed.empty()) check_pes("fixed", options.fixed, graph, forbidden, k, no_block);
  if (!options.initial.empty()) check_pes("initial", options.initial, graph, {}, k, 0);
  auto several = several_weights(graph, k, options, imbalance);
  Weight const lmax = block_capacity(graph.total_vertex_weight(), k, imbalance.front());
  auto const pes = several.empty() ? engine_capacities({graph.vertex_weights(), graph.total_vertex_weight()}, k,
                                                       options.capacities, options.fixed, lmax)
                                   : sum_capacities(graph, k, options, several);
  return {reported_capacities(graph, topology, options.capacities, imbalance), pes,
          options.initial.empty() ? std::vector<Block>{} : refuges(topology, forbidden),
          migration_pull(graph, topology, options), std::move(several)};
}

}  // namespace procmap
