// SPDX-License-Identifier: MIT
#include "small/small_problem.hpp"

#include <algorithm>
#include <utility>

#include "topology/joined_levels.hpp"

namespace procmap {
namespace {

std::vector<Weight> traffic_table(Graph const& graph) {
  auto const n = static_cast<std::size_t>(graph.num_vertices());
  auto const offsets = graph.offsets();
  auto const heads = graph.heads();
  auto const weights = graph.arc_weights();
  std::vector<Weight> table(n * n, 0);
  for (std::size_t v = 0; v < n; ++v)
    for (auto e = static_cast<std::size_t>(offsets[v]); e < static_cast<std::size_t>(offsets[v + 1]); ++e)
      table[v * n + static_cast<std::size_t>(heads[e])] = weights.empty() ? 1 : weights[e];
  return table;
}

std::vector<Weight> distance_table(Topology const& topology) {
  std::vector<Weight> table;
  for (Block p = 0; p < topology.num_pes(); ++p)
    for (Block q = 0; q < topology.num_pes(); ++q) table.push_back(topology.distance(p, q));
  return table;
}

template <class T>
std::vector<T> array_or(std::span<T const> values, std::size_t size, T otherwise) {
  return values.empty() ? std::vector<T>(size, otherwise) : std::vector<T>(values.begin(), values.end());
}

/// Factors that bring the totals of several weights to about the same.
Weight scale_of(Weight total) {
  constexpr Weight scaled_total = Weight{1} << 40;
  return std::max<Weight>(1, scaled_total / std::max<Weight>(total, 1));
}

void add_further_weights(SmallProblem& problem, Graph const& graph, Constraints const& constraints) {
  auto const count = static_cast<std::size_t>(graph.num_weights());
  problem.num_further = count - 1;
  problem.capacity.clear();
  for (std::size_t i = 0; i < count; ++i) {
    auto const total = graph.total_weight(static_cast<int>(i));
    for (std::size_t at = i; at < constraints.capacity.size(); at += count)
      (i == 0 ? problem.capacity : problem.further_capacity)
          .push_back(std::min(constraints.capacity[at], total) * scale_of(total));
  }
  // So far weight by weight.
  auto const by_weight = std::exchange(problem.further_capacity, {});
  for (std::size_t pe = 0; pe < problem.num_pes; ++pe)
    for (std::size_t i = 0; i + 1 < count; ++i) problem.further_capacity.push_back(by_weight[i * problem.num_pes + pe]);
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    problem.load[static_cast<std::size_t>(v)] *= scale_of(graph.total_vertex_weight());
    for (int i = 1; i < graph.num_weights(); ++i)
      problem.further_load.push_back(graph.weight_of(v, i) * scale_of(graph.total_weight(i)));
  }
}

}  // namespace

SmallProblem small_problem(Graph const& graph, Topology const& topology, Options const& options,
                           Constraints const& constraints, bool fills_all) {
  auto const n = static_cast<std::size_t>(graph.num_vertices());
  SmallProblem problem{.num_vertices = n,
                       .num_pes = static_cast<std::size_t>(topology.num_pes()),
                       .load = array_or(graph.vertex_weights(), n, Weight{1}),
                       .traffic = traffic_table(graph),
                       .distance = distance_table(topology),
                       .sizes = joined_levels(topology).sizes(),
                       .capacity = constraints.capacity,
                       .forbidden = {},
                       .fixed = array_or(std::span(options.fixed), n, no_block),
                       .home = options.initial,
                       .size = array_or(std::span(options.vertex_sizes), n, Weight{1}),
                       .migration_cost = options.migration_cost,
                       .fills_all = fills_all};
  if (graph.num_weights() > 1)
    add_further_weights(problem, graph, constraints);
  else
    for (Weight& room : problem.capacity) room = std::min(room, graph.total_vertex_weight());
  for (Block pe = 0; pe < topology.num_pes(); ++pe) problem.forbidden.push_back(constraints.pes.forbidden(pe));
  return problem;
}

}  // namespace procmap
