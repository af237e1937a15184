// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "small/small_problem.hpp"
#include "support/reference.hpp"

// Seeded problems of a few vertices on machines of all models.

namespace procmap::test {

inline Weight draw(Weight bound, std::uint64_t seed, std::uint64_t what, std::uint64_t i = 0) {
  return random_below(bound, seed, what, i);
}

inline std::vector<Topology> small_machines() {
  return {Topology::flat(3), Topology::hierarchy("2:2", "1:10"), Topology::torus({4}, {3}), Topology::mesh({3}),
          Topology::from_distance_matrix(std::vector<Weight>{0, 5, 1, 5, 0, 0, 1, 0, 0}, 3)};
}

inline Graph small_graph(Vertex n, std::uint64_t seed) {
  EdgeList edges;
  for (Vertex v = 0; v < n; ++v)
    for (Vertex u = 0; u < v; ++u)
      if (draw(2, seed, 1, at(v * n + u)) == 0) edges.emplace_back(u, v);
  return with_weights(graph_from_edges(n, edges), seed, 4, 6);
}

/// Capacities, fixed vertices, a given mapping and the wish for full PEs, each on every other seed or so.
inline Options small_options(Graph const& graph, Block k, std::uint64_t seed) {
  auto const n = at(graph.num_vertices());
  Options options;
  options.imbalance = draw(2, seed, 2) == 0 ? 0.03 : 0.5;
  if (seed % 2 == 0) {
    for (Block pe = 0; pe < k; ++pe) options.capacities.push_back(draw(3, seed, 3, at(pe)) * draw(9, seed, 4, at(pe)));
    options.capacities[0] += graph.total_vertex_weight() + 1;
  }
  if (seed % 3 == 0)
    for (std::size_t v = 0; v < n; ++v) options.fixed.push_back(draw(4, seed, 5, v) == 0 ? 0 : no_block);
  if (seed % 5 < 2) {
    options.initial = random_blocks(graph.num_vertices(), k, seed);
    options.migration_cost = static_cast<double>(draw(3, seed, 6)) * 2.5;
    for (std::size_t v = 0; v < n; ++v) options.vertex_sizes.push_back(draw(3, seed, 7, v));
  }
  options.allow_empty = draw(2, seed, 8) == 0;
  return options;
}

/// f(graph, machine, options, problem) for random small problems.
template <class F>
void for_each_problem(F f) {
  for (auto const seed : each_seed(60))
    for (auto const& machine : small_machines()) {
      auto const graph = small_graph(static_cast<Vertex>(1 + draw(6, seed, 9)), seed);
      auto const options = small_options(graph, machine.num_pes(), seed);
      auto const constraints = make_constraints(graph, machine, options);
      f(graph, machine, options, small_problem(graph, machine, options, constraints, !options.allow_empty));
    }
}

/// Any legal mapping: everything on the first PE that is not forbidden.
inline std::vector<Block> heap(SmallProblem const& problem) {
  auto const pe = std::ranges::find(problem.forbidden, 0) - problem.forbidden.begin();
  std::vector<Block> blocks(problem.num_vertices, static_cast<Block>(pe));
  for (std::size_t v = 0; v < blocks.size(); ++v)
    if (problem.fixed[v] != no_block) blocks[v] = problem.fixed[v];
  return blocks;
}

}  // namespace procmap::test
