// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "refinement/weights/scope_balancer.hpp"
#include "refinement/weights/scope_climber.hpp"

namespace procmap {

/// Refines the blocks of one scope whose vertices have several weights, on the host: brings them into balance, then
/// moves single vertices.
template <class Objective>
class ScopeRefiner {
 public:
  ScopeRefiner(RefinementProblem<Objective> const& problem, Block first, Block count, std::span<Vertex const> vertices,
               Block* block, ClimbView climb, std::uint64_t seed)
      : scope_(problem, first, count, vertices, block, seed), balancer_(scope_), climber_(scope_, climb) {}
  ScopeRefiner(ScopeRefiner const&) = delete;  // its parts point to each other
  ScopeRefiner& operator=(ScopeRefiner const&) = delete;

  /// The state in which the scope is; `state` tells at the end what became of it. Overload comes first, then cost, and
  /// neither gets worse for the other.
  void run(RefinementRules const& rules, ScopeState& state) {
    state = ScopeState{};
    state.cost = scope_.cost();
    state.overload = scope_.loads.excess();
    if (rules.config.rounds > 0) {
      if (state.overload > 0) {
        state.cost -= balancer_.balance(rules.is_last);
        state.overload = scope_.loads.excess();
      }
      constexpr int most_climbs = 8;
      state.cost -= climber_.climb_up_to(most_climbs, state.rounds);
    }
    state.best_cost = state.cost;
    state.best_overload = state.overload;
    state.mode = ScopeMode::done;
  }

  /// Goes on from where run() ended, if everything fits there: for some passes every block may hold a bit more than its
  /// limits, then the balance comes back. Where blocks are nearly full hardly any single move fits; so vertices change
  /// places, many at once. The first tour that gains nothing is taken back, and is the last.
  void explore(ScopeState& state) {
    constexpr int most_tours = 4, climbs_of_tour = 4;
    for (int tour = 0; tour < most_tours && state.overload == 0; ++tour) {
      std::vector<Block> before;
      for (Vertex const v : scope_.vertices) before.push_back(scope_.block[v]);
      scope_.loads.loosen();
      Weight gained = climber_.climb_up_to(climbs_of_tour, state.rounds);
      scope_.loads.tighten();
      if (scope_.loads.excess() > 0) gained += balancer_.balance(false);
      gained += climber_.climb_up_to(climbs_of_tour, state.rounds);
      if (scope_.loads.excess() > 0 || gained <= 0) {
        for (std::size_t i = 0; i < before.size(); ++i) scope_.move(scope_.vertices[i], before[i]);
        return;
      }
      state.best_cost = state.cost -= gained;
    }
  }

 private:
  ScopeMoves<Objective> scope_;
  ScopeBalancer<Objective> balancer_;
  ScopeClimber<Objective> climber_;
};

}  // namespace procmap
