// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "opinion.hpp"
#include "plain_graph.hpp"
#include "procmap/procmap.hpp"

// What options and a mapping must be, by their definitions and without the library's help.

namespace procmap::fuzz {

/// An imbalance and what it is as a fraction.
struct Imbalance {
  double value;
  Weight numerator, denominator;  ///< 0 / 0: none
};

inline constexpr std::array<Imbalance, 10> imbalances = {{
    {0.03, 3, 100},
    {0, 0, 1},
    {-0.0, 0, 1},
    {0.1, 1, 10},
    {0.5, 1, 2},
    {1, 1, 1},
    {1e300, Weight{1} << 62, 1},
    {-0.1, 0, 0},
    {std::numeric_limits<double>::quiet_NaN(), 0, 0},
    {std::numeric_limits<double>::infinity(), 0, 0},
}};

struct Problem {
  Graph const& graph;
  Meaning const& meaning;
  Topology const& machine;
  Options const& options;

  Block k() const { return machine.num_pes(); }
  std::size_t n() const { return meaning.loads.size(); }
  __int128 total_load() const { return std::accumulate(meaning.loads.begin(), meaning.loads.end(), __int128{0}); }
};

inline Imbalance const& imbalance_of(Options const& options) {
  auto const is = [&](Imbalance const& one) {
    return one.value == options.imbalance || (std::isnan(one.value) && std::isnan(options.imbalance));
  };
  return *std::find_if(imbalances.begin(), imbalances.end(), is);
}

inline bool are_legal_capacities(Problem const& problem) {
  auto const& capacities = problem.options.capacities;
  if (capacities.empty()) return true;
  auto const sum = std::accumulate(capacities.begin(), capacities.end(), __int128{0});
  return capacities.size() == at(problem.k()) && *std::min_element(capacities.begin(), capacities.end()) >= 0 &&
         sum > 0 && sum >= problem.total_load();
}

/// PEs of all vertices; `lowest` is -1 where there need not be one.
inline bool are_legal_pes(Problem const& problem, std::vector<Block> const& pes, Block lowest) {
  auto const is_pe = [&](Block pe) { return lowest <= pe && pe < problem.k(); };
  return pes.empty() || (pes.size() == problem.n() && std::all_of(pes.begin(), pes.end(), is_pe));
}

inline bool is_legal_migration(Problem const& problem) {
  auto const& [sizes, cost] = std::tie(problem.options.vertex_sizes, problem.options.migration_cost);
  if (!std::isfinite(cost) || cost < 0) return false;
  if (problem.options.initial.empty()) return cost == 0 && sizes.empty();
  auto const sum = std::accumulate(sizes.begin(), sizes.end(), __int128{0});
  return sizes.empty() || (sizes.size() == problem.n() && sum < static_cast<__int128>(1) << 62 &&
                           std::all_of(sizes.begin(), sizes.end(), [](Weight s) { return s >= 0; }));
}

/// Whether the options are right, but for sums that are too large.
inline bool is_legal(Problem const& problem) {
  auto const& options = problem.options;
  if (imbalance_of(options).denominator == 0 || options.repeats < 0) return false;
  if (!are_legal_capacities(problem) || !is_legal_migration(problem)) return false;
  if (!are_legal_pes(problem, options.fixed, -1) || !are_legal_pes(problem, options.initial, 0)) return false;
  auto const is_forbidden = [&](Block pe) { return pe >= 0 && options.capacities[at(pe)] == 0; };
  return options.capacities.empty() || std::none_of(options.fixed.begin(), options.fixed.end(), is_forbidden);
}

inline bool may_overflow(Problem const& problem) {
  auto const& options = problem.options;
  auto most = static_cast<long double>(problem.graph.total_arc_weight()) * problem.machine.max_distance();
  if (!options.initial.empty() && options.migration_cost > 0)
    for (std::size_t v = 0; v < problem.n(); ++v)
      most += 1 + options.migration_cost *
                      (options.vertex_sizes.empty() ? 1 : static_cast<double>(options.vertex_sizes[v]));
  return most >= 4.6e18L;  // 2^62 = 4.61e18
}

/// Lmax, without floating point.
inline Weight lmax(Problem const& problem) {
  constexpr auto limit = static_cast<__int128>(1) << 62;
  auto const& [value, numerator, denominator] = imbalance_of(problem.options);
  if (numerator >= limit) return problem.total_load() == 0 ? 0 : static_cast<Weight>(limit);
  auto const room = (denominator + numerator) * problem.total_load(),
             share = static_cast<__int128>(denominator) * problem.k();
  return static_cast<Weight>(std::min(limit, (room + share - 1) / share));
}

inline void expect_costs(Problem const& problem, Mapping const& mapping) {
  __int128 cost = 0, cut = 0, inside = 0;
  for (auto const& [ends, weight] : problem.meaning.arcs) {
    auto const a = mapping.blocks[at(ends.first)], b = mapping.blocks[at(ends.second)];
    if (a != b) cost += weight * problem.machine.distance(a, b);
    (a != b ? cut : inside) += weight;
  }
  auto const& report = mapping.report;
  expect(report.cost == cost, "another cost");
  expect(report.edge_cut == cut / 2, "another cut");
  expect(!report.level_traffic.empty() && report.level_traffic[0] == inside / 2, "other traffic inside of PEs");
  expect(report.level_traffic.size() == report.level_distances.size() + 1, "not as many distances as levels");
  __int128 again = 0;
  for (std::size_t i = 1; i < report.level_traffic.size(); ++i)
    again += static_cast<__int128>(2) * report.level_traffic[i] * report.level_distances[i - 1];
  expect(again == cost, "traffic by distance is not the cost");
}

/// Do free vertices, from the lightest on, fit into the PEs that nobody is fixed to, from the smallest on?
inline bool has_vertex_for_each(Problem const& problem, std::vector<Weight> const& capacities) {
  auto const& options = problem.options;
  std::multiset<Weight> loads, rooms;
  std::set<Block> taken;
  for (std::size_t v = 0; v < problem.n(); ++v)
    if (options.fixed.empty() || options.fixed[v] == no_block)
      loads.insert(problem.meaning.loads[v]);
    else
      taken.insert(options.fixed[v]);
  for (Block pe = 0; pe < problem.k(); ++pe)
    if (!taken.contains(pe) && (options.capacities.empty() || capacities[at(pe)] > 0)) rooms.insert(capacities[at(pe)]);
  while (!rooms.empty() && !loads.empty() && *loads.begin() <= *rooms.begin()) {
    loads.erase(loads.begin());
    rooms.erase(rooms.begin());
  }
  return rooms.empty();
}

inline void expect_loads(Problem const& problem, Mapping const& mapping) {
  auto const& [options, report] = std::tie(problem.options, mapping.report);
  std::vector<Weight> loads(at(problem.k()), 0), tasks(at(problem.k()), 0);
  for (std::size_t v = 0; v < problem.n(); ++v) {
    loads[at(mapping.blocks[v])] += problem.meaning.loads[v];
    ++tasks[at(mapping.blocks[v])];
  }
  auto const capacities =
      options.capacities.empty() ? std::vector<Weight>(at(problem.k()), lmax(problem)) : options.capacities;
  expect(report.block_weights == loads, "other loads");
  expect(report.max_block_weight == *std::max_element(loads.begin(), loads.end()), "another largest load");
  expect(report.capacities == capacities, "other capacities");
  expect(report.capacity == *std::max_element(capacities.begin(), capacities.end()), "another largest capacity");
  Block empty = 0;
  bool fits = true;
  for (std::size_t pe = 0; pe < loads.size(); ++pe) {
    bool const forbidden = !options.capacities.empty() && capacities[pe] == 0;
    empty += !forbidden && tasks[pe] == 0;
    fits = fits && loads[pe] <= capacities[pe];
  }
  expect(report.empty_blocks == empty, "another number of empty PEs");
  bool const must_fill = !options.allow_empty && has_vertex_for_each(problem, capacities);
  expect(report.feasible == (fits && !(must_fill && empty > 0)), report.feasible ? "not feasible" : "feasible");
}

inline void expect_migration(Problem const& problem, Mapping const& mapping) {
  auto const& options = problem.options;
  Vertex moved = 0;
  __int128 weight = 0;
  for (std::size_t v = 0; v < options.initial.size(); ++v) {
    if (mapping.blocks[v] == options.initial[v]) continue;
    ++moved;
    weight += options.vertex_sizes.empty() ? 1 : options.vertex_sizes[v];
  }
  expect(mapping.report.migrated_vertices == moved, "another number of migrated tasks");
  expect(mapping.report.migrated_weight == weight, "another size of migrated tasks");
}

/// A mapping that obeys the options, with a report that is true.
inline void expect_true(Problem const& problem, Mapping const& mapping) {
  auto const& [blocks, options] = std::tie(mapping.blocks, problem.options);
  expect(blocks.size() == problem.n() && are_legal_pes(problem, blocks, 0), "no PE for some vertex");
  for (std::size_t v = 0; v < options.fixed.size(); ++v)
    expect(options.fixed[v] == no_block || blocks[v] == options.fixed[v], "a fixed vertex elsewhere");
  expect_costs(problem, mapping);
  expect_loads(problem, mapping);
  expect_migration(problem, mapping);
  auto const report = evaluate(problem.graph, problem.machine, blocks,
                               {.imbalance = options.imbalance, .threads = 1, .capacities = options.capacities});
  expect(report.cost == mapping.report.cost && report.block_weights == mapping.report.block_weights,
         "evaluated otherwise");
}

}  // namespace procmap::fuzz
