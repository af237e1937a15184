// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "refinement/weights/host_problem.hpp"
#include "refinement/weights/refine_scopes.hpp"

namespace procmap {

/// The same where the problem lies in the memory of a GPU: it is copied to the host, and the answer back.
template <HostExecutor Exec, class Objective>
void refine_weights_of_copy(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch,
                            Block* block, RefinementRules const& rules) {
  auto const host = download_problem(ex, problem);
  auto const n = static_cast<std::size_t>(problem.graph.num_vertices);
  std::vector<Block> where(n);
  ex.download(block, problem.graph.num_vertices, where.data());
  std::vector<Weight> bound(n);
  std::vector<std::uint8_t> mark(n);
  std::vector<ScopeState> state(static_cast<std::size_t>(problem.blocks.num_scopes()));
  Weight const rounds = refine_scopes_of_several_weights(host.view, where.data(), state.data(),
                                                         {bound.data(), mark.data()}, rules, ex.run(), host_team(ex));
  ex.upload(where.data(), problem.graph.num_vertices, block);
  ex.upload(state.data(), problem.blocks.num_scopes(), scratch.scope.data());
  auto* const summary = scratch.summary.data();
  ex.for_each(1, [=] PROCMAP_LAMBDA(Edge) { summary->rounds += rounds; });
}

/// What refine() does if vertices have several weights: every scope on its own, by one thread of the host. Overload is
/// the excess of all blocks and weights.
template <HostExecutor Exec, class Objective>
void refine_weights(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch,
                    Block* block, RefinementRules const& rules) {
  Phase phase(ex.run(), "refine several weights");
  if constexpr (Exec::has_small_teams) {
    ClimbView const climb{scratch.gain.data(), scratch.mark.data()};
    scratch.summary.data()->rounds +=
        refine_scopes_of_several_weights(problem, block, scratch.scope.data(), climb, rules, ex.run(), host_team(ex));
  } else {
    refine_weights_of_copy(ex, problem, scratch, block, rules);
  }
}

}  // namespace procmap
