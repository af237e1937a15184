// SPDX-License-Identifier: MIT
#include "small/small_problem.hpp"

#include <algorithm>

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

}  // namespace

SmallProblem small_problem(Graph const& graph, Topology const& topology, Options const& options,
                           Constraints const& constraints, bool fills_all) {
  auto const n = static_cast<std::size_t>(graph.num_vertices());
  SmallProblem problem{.num_vertices = n,
                       .num_pes = static_cast<std::size_t>(topology.num_pes()),
                       .load = array_or(graph.vertex_weights(), n, Weight{1}),
                       .traffic = traffic_table(graph),
                       .distance = distance_table(topology),
                       .sizes = topology.sizes(),
                       .capacity = constraints.capacity,
                       .forbidden = {},
                       .fixed = array_or(std::span(options.fixed), n, no_block),
                       .home = options.initial,
                       .size = array_or(std::span(options.vertex_sizes), n, Weight{1}),
                       .migration_cost = options.migration_cost,
                       .fills_all = fills_all};
  for (Weight& room : problem.capacity) room = std::min(room, graph.total_vertex_weight());
  for (Block pe = 0; pe < topology.num_pes(); ++pe) problem.forbidden.push_back(constraints.pes.forbidden(pe));
  return problem;
}

}  // namespace procmap
