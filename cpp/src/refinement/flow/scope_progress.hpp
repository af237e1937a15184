// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "refinement/flow/pair.hpp"
#include "refinement/state/blocks.hpp"
#include "refinement/state/scope_state.hpp"

namespace procmap {

/// Which scopes have another round of cuts: those of which every round so far has saved the share `least_gain` of the
/// cost. A scope asks for itself alone, so scopes that are refined together do what each would do alone.
template <HostExecutor Exec>
class ScopeProgress {
 public:
  ScopeProgress(Exec& ex, ScopeState const* scope, Block num_scopes, double least_gain)
      : scope_(scope), num_scopes_(num_scopes), least_gain_(least_gain) {
    if (least_gain > 0) cost_ = costs(ex);
    goes_on_.assign(cost_.size(), true);
  }

  /// After a round.
  void note_round(Exec& ex) {
    if (least_gain_ == 0) return;
    auto now = costs(ex);
    for (std::size_t s = 0; s < now.size(); ++s)
      if (static_cast<double>(cost_[s] - now[s]) < least_gain_ * static_cast<double>(cost_[s])) goes_on_[s] = false;
    cost_ = std::move(now);
  }

  /// Leaves out the pairs of scopes that have no other round.
  void keep_pairs(std::vector<BlockPair>& pairs, BlocksView const& blocks) const {
    if (least_gain_ == 0) return;
    std::erase_if(pairs,
                  [&](BlockPair const& pair) { return !goes_on_[static_cast<std::size_t>(blocks.scope_of(pair.a))]; });
  }

 private:
  std::vector<Weight> costs(Exec& ex) const {
    std::vector<ScopeState> states(static_cast<std::size_t>(num_scopes_));
    ex.download(scope_, num_scopes_, states.data());
    std::vector<Weight> costs;
    for (auto const& state : states) costs.push_back(state.best_cost);
    return costs;
  }

  ScopeState const* scope_;
  Block num_scopes_;
  double least_gain_;
  std::vector<Weight> cost_;  // per scope; empty where nobody asks
  std::vector<bool> goes_on_;
};

}  // namespace procmap
