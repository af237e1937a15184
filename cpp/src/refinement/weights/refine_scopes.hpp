// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/run.hpp"
#include "exec/host_team.hpp"
#include "objective/edge_cut.hpp"
#include "objective/hierarchy_distance.hpp"
#include "objective/pairwise.hpp"
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

/// Refines every scope on its own, each by one thread of `team`. All memory is the host's: of the problem, of `block`,
/// which ends as the answer, and of `state`, per scope. The answer depends neither on the number of threads nor on the
/// order of arcs. Returns the rounds of the scope that took most.
template <class Objective>
Weight refine_scopes_of_several_weights(RefinementProblem<Objective> const& problem, Block* block, ScopeState* state,
                                        ClimbView climb, RefinementRules const& rules, Run& run, HostTeam const& team) {
  auto const& blocks = problem.blocks;
  auto const vertices = vertices_of_scopes(problem.graph.num_vertices, blocks, block);
  team.for_each_job(blocks.num_scopes(), [&](Edge job) {
    run.checkpoint();
    auto const s = static_cast<Block>(job);
    ScopeRefiner<Objective> refiner(problem, blocks.first_of(s), blocks.per_scope, vertices.of(s), block, climb,
                                    hash(rules.seed, static_cast<std::uint64_t>(s)));
    refiner.run(rules, state[s]);
    if (rules.config.rounds > 0) refiner.explore(state[s]);
  });
  Weight rounds = 0;
  for (Block s = 0; s < blocks.num_scopes(); ++s) rounds = std::max<Weight>(rounds, state[s].rounds);
  return rounds;
}

// Compiled once, for all executors.
#define PROCMAP_SEVERAL_WEIGHTS_INSTANCE(how, Objective)                                                         \
  how template Weight refine_scopes_of_several_weights(RefinementProblem<Objective> const&, Block*, ScopeState*, \
                                                       ClimbView, RefinementRules const&, Run&, HostTeam const&);
#define PROCMAP_OBJECTIVE(objective, header) PROCMAP_SEVERAL_WEIGHTS_INSTANCE(extern, objective)
#include "instances/objectives.def"
#undef PROCMAP_OBJECTIVE

}  // namespace procmap
