// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

#include "core/hash.hpp"
#include "refinement/weights/scope_refiner.hpp"

namespace procmap {

/// The vertices of every scope: list[begin[s]] ... list[begin[s + 1] - 1], in order of id.
struct VerticesOfScopes {
  std::vector<Edge> begin;
  std::vector<Vertex> list;

  std::span<Vertex const> of(Block scope) const {
    auto const s = static_cast<std::size_t>(scope);
    return {list.data() + begin[s], static_cast<std::size_t>(begin[s + 1] - begin[s])};
  }
};

/// Memory of the host.
inline VerticesOfScopes vertices_of_scopes(Vertex n, BlocksView const& blocks, Block const* block) {
  VerticesOfScopes vertices{std::vector<Edge>(static_cast<std::size_t>(blocks.num_scopes()) + 1, 0),
                            std::vector<Vertex>(static_cast<std::size_t>(n))};
  auto const scope_of = [&](Vertex v) { return static_cast<std::size_t>(blocks.scope_of(block[v])); };
  auto& begin = vertices.begin;
  for (Vertex v = 0; v < n; ++v) ++begin[scope_of(v) + 1];
  for (std::size_t s = 0; s + 1 < begin.size(); ++s) begin[s + 1] += begin[s];
  auto next = begin;
  for (Vertex v = 0; v < n; ++v) vertices.list[static_cast<std::size_t>(next[scope_of(v)]++)] = v;
  return vertices;
}

/// What refine() does if vertices have several weights: every scope on its own, by one thread of the host. Overload is
/// the excess of all blocks and weights. The answer does not depend on the number of threads.
template <HostExecutor Exec, class Objective>
void refine_weights(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch,
                    Block* block, RefinementRules const& rules) {
  if constexpr (Exec::has_small_teams) {
    Phase phase(ex.run(), "refine several weights");
    auto const& blocks = problem.blocks;
    auto const vertices = vertices_of_scopes(problem.graph.num_vertices, blocks, block);
    ClimbView const climb{scratch.gain.data(), scratch.mark.data()};
    auto* const state = scratch.scope.data();
    ex.for_each_job(blocks.num_scopes(), [&](Edge job) {
      ex.run().checkpoint();
      auto const s = static_cast<Block>(job);
      ScopeRefiner<Objective> refiner(problem, blocks.first_of(s), blocks.per_scope, vertices.of(s), block, climb,
                                      hash(rules.seed, static_cast<std::uint64_t>(s)));
      refiner.run(rules, state[s]);
    });
    Weight rounds = 0;
    for (Block s = 0; s < blocks.num_scopes(); ++s) rounds = std::max<Weight>(rounds, state[s].rounds);
    scratch.summary.data()->rounds += rounds;
  } else {
    throw std::logic_error("several weights per vertex are refined on the host only");
  }
}

}  // namespace procmap
