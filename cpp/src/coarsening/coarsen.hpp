// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "coarsening/clustering.hpp"
#include "coarsening/contraction.hpp"
#include "coarsening/matching.hpp"
#include "core/atomic.hpp"

namespace procmap {

/// What coarsening may do and where it ends.
struct CoarseningGoal {
  Vertex target_vertices = 0;  // stop at or below this
  Weight max_weight = 0;       // of a coarse vertex
};

/// Renames leaders to 0, 1, ... in the order of their ids, which keeps neighbours close in memory.
/// Turns leader[] into coarse_of[]; returns the number of coarse vertices.
template <Executor Exec>
Vertex number_coarse_vertices(Exec& ex, Vertex n, Vertex* leader) {
  Phase phase(ex.run(), "numbering");
  auto buffer = ex.template buffer<Edge>(static_cast<std::size_t>(n) + 1);
  auto* const rank = buffer.data();
  Edge const count =
      ex.scan(n, [=] PROCMAP_LAMBDA(Edge v) -> Edge { return leader[v] == static_cast<Vertex>(v); }, rank);
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { leader[v] = static_cast<Vertex>(rank[leader[v]]); });
  return static_cast<Vertex>(count);
}

/// One level: matching or clustering, then contraction.
template <Executor Exec>
Level<Exec> coarsen_once(Exec& ex, CsrView graph, PairLimits limits, CoarseningConfig const& config,
                         std::uint64_t seed) {
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  Level<Exec> level;
  level.coarse_of = ex.template buffer<Vertex>(n);
  auto* const coarse_of = level.coarse_of.data();
  if (config.algorithm == CoarseningAlgorithm::matching)
    match(ex, graph, limits, config, seed, coarse_of);
  else
    cluster(ex, graph, limits, config, seed, coarse_of);

  Vertex const num_coarse = number_coarse_vertices(ex, graph.num_vertices, coarse_of);
  level.graph.num_vertices = num_coarse;
  return level;
}

/// The levels above `finest`, finer ones first. No arc of `finest` may lead from one scope to another; then
/// vertices of different scopes are never merged, in two-hop matching neither.
template <Executor Exec>
std::vector<Level<Exec>> coarsen(Exec& ex, CsrView finest, Block const* scope, CoarseningGoal goal,
                                 CoarseningConfig const& config, std::uint64_t seed) {
  std::vector<Level<Exec>> levels;
  CsrView graph = finest;
  while (graph.num_vertices > goal.target_vertices) {
    auto const level_seed = hash(seed, levels.size());
    auto level = coarsen_once(ex, graph, PairLimits{goal.max_weight, scope}, config, level_seed);
    Vertex const num_coarse = level.graph.num_vertices;
    if (num_coarse > (1.0 - config.min_shrink) * graph.num_vertices) break;
    level.graph = contract(ex, graph, num_coarse, level.coarse_of.data());
    if (scope) {
      level.scope = ex.template buffer<Block>(static_cast<std::size_t>(num_coarse));
      auto* const coarse_scope = level.scope.data();
      auto const* const coarse_of = level.coarse_of.data();
      auto const* const fine_scope = scope;
      ex.for_each(graph.num_vertices,
                  [=] PROCMAP_LAMBDA(Edge v) { racy_store(&coarse_scope[coarse_of[v]], fine_scope[v]); });
      scope = coarse_scope;
    }
    graph = level.graph.view();
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace procmap
