// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "refinement/flow/pair.hpp"
#include "refinement/state/blocks.hpp"
#include "refinement/state/scratch.hpp"

namespace procmap {

/// Which scopes have another round of cuts: those of which every round so far has saved the share `least_gain` of the
/// cost. A scope asks for itself alone, so scopes that are refined together do what each would do alone.
template <HostExecutor Exec>
class ScopeProgress {
 public:
  ScopeProgress(Exec& ex, RefinementScratch<Exec> const& scratch, Block num_scopes, double least_gain)
      : scratch_(scratch), least_gain_(least_gain) {
    if (least_gain == 0) return;
    before_ = scope_states(ex, scratch, num_scopes);
    goes_on_.assign(before_.size(), true);
  }

  /// After a round.
  void note_round(Exec& ex) {
    if (before_.empty()) return;
    auto now = scope_states(ex, scratch_, static_cast<Block>(before_.size()));
    for (std::size_t s = 0; s < now.size(); ++s) {
      Weight const cost = before_[s].best_cost;
      if (static_cast<double>(cost - now[s].best_cost) < least_gain_ * static_cast<double>(cost)) goes_on_[s] = false;
    }
    before_ = std::move(now);
  }

  /// Leaves out the pairs of scopes that have no other round.
  void keep_pairs(std::vector<BlockPair>& pairs, BlocksView const& blocks) const {
    if (goes_on_.empty()) return;
    std::erase_if(pairs,
                  [&](BlockPair const& pair) { return !goes_on_[static_cast<std::size_t>(blocks.scope_of(pair.a))]; });
  }

 private:
  RefinementScratch<Exec> const& scratch_;
  double least_gain_;
  std::vector<ScopeState> before_;  // the last round, per scope; empty where nobody asks
  std::vector<bool> goes_on_;
};

}  // namespace procmap
