// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "procmap/config.hpp"
#include "refinement/state/blocks.hpp"

namespace procmap {

/// What a scope does in the coming round.
enum class ScopeMode : std::int8_t { done, propagate, rebalance_weak, rebalance_strong, rebalance_sorted };

/// Where the refinement of one scope stands.
struct ScopeState {
  Weight cost = 0;           // of the current blocks; every edge twice
  Weight best_cost = 0;
  Weight overload = 0;       // largest excess of a block over its capacity, 0 if none
  Weight best_overload = 0;
  std::int32_t moves = 0;    // vertices moved in the last round
  std::int32_t idle = 0;     // rounds since the last progress
  std::int32_t rounds = 0;
  std::int32_t rebalances = 0;  // in a row
  ScopeMode mode = ScopeMode::propagate;
  bool improved = false;     // the last round made a new best
  bool moved = true;         // the last round moved something
  bool settled = false;      // two rounds in a row moved nothing, so nobody is locked any more
  std::int16_t step = 0;     // of annealing
  bool cooled = false;       // the step is new: what passed the filter of the step before may not pass this one's
  bool padding = false;      // every byte is written, so that memory checkers can follow copies
};

/// Rule: keep the best (paper, refinement loop). Less overload always counts; once feasible, only a
/// lower cost does.
PROCMAP_HD inline bool is_better(ScopeState const& s) {
  if (s.best_overload > 0) return s.overload < s.best_overload;
  return s.overload == 0 && s.cost < s.best_cost;
}

/// Rule: is the new best enough to call it progress?
PROCMAP_HD inline bool is_progress(ScopeState const& s, double progress) {
  if (s.best_overload > 0) return s.overload < s.best_overload;
  return static_cast<double>(s.cost) < progress * static_cast<double>(s.best_cost);
}

/// Rule: what to do in the next round.
PROCMAP_HD inline ScopeMode next_mode(ScopeState const& s, RefinementConfig const& config) {
  if (s.idle >= config.rounds || s.rounds >= config.max_rounds) return ScopeMode::done;
  if (s.overload == 0) return s.settled ? ScopeMode::done : ScopeMode::propagate;
  if (config.rebalancing == Rebalancing::sorted)  // the last resort ignores what a move costs
    return !s.moved && s.rebalances > config.last_resort_rounds ? ScopeMode::rebalance_strong
                                                                : ScopeMode::rebalance_sorted;
  return s.rebalances % (config.weak_rounds + 1) < config.weak_rounds ? ScopeMode::rebalance_weak
                                                                      : ScopeMode::rebalance_strong;
}

/// Rule: annealing goes on from where it is, with the next smaller filter, when a scope would be done.
PROCMAP_HD inline void cool(ScopeState& s, RefinementConfig const& config) {
  bool const ends = s.idle >= config.rounds || (s.settled && s.overload == 0);
  if (!ends || s.step + 1 >= config.annealing_steps) return;
  ++s.step;
  s.idle = 0;
  s.settled = false;
  s.cooled = true;
}

/// Rule: closes a round of scope s. `overload` is that of the current blocks.
PROCMAP_HD inline void close_round(ScopeState& s, Weight overload, RefinementConfig const& config) {
  bool const propagated = s.mode == ScopeMode::propagate;
  s.overload = overload;
  ++s.rounds;
  ++s.idle;
  s.rebalances = propagated ? 0 : s.rebalances + 1;
  s.settled = !s.moved && s.moves == 0;
  s.moved = s.moves > 0;
  s.improved = is_better(s);
  if (s.improved) {
    if (is_progress(s, config.progress)) s.idle = 0;
    s.best_cost = s.cost;
    s.best_overload = s.overload;
  }
  if (propagated) s.cooled = false;
  cool(s, config);
  s.mode = next_mode(s, config);
  s.moves = 0;
}

}  // namespace procmap
