// SPDX-License-Identifier: MIT
#include "refinement/flow/pair_queue.hpp"

#include <algorithm>

namespace procmap {

std::vector<TeamTurn> turns_of(std::vector<BlockPair> const& pairs, Block num_blocks) {
  std::vector<TeamTurn> turn(pairs.size());
  std::vector<Edge*> next(static_cast<std::size_t>(num_blocks), nullptr);  // what the last pair of a block says
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Block const blocks[] = {pairs[i].a, pairs[i].b};
    for (int side = 0; side < 2; ++side) {
      auto& last = next[static_cast<std::size_t>(blocks[side])];
      if (last) {
        *last = static_cast<Edge>(i);
        ++turn[i].waits_for;
      }
      last = &turn[i].next[side];
    }
  }
  return turn;
}

std::vector<Edge> chains_of(std::vector<BlockPair> const& pairs, std::vector<TeamTurn> const& turns) {
  std::vector<Edge> chain(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    Edge behind = 0;
    for (Edge const next : turns[i].next)
      if (next >= 0) behind = std::max(behind, chain[static_cast<std::size_t>(next)]);
    chain[i] = pairs[i].last - pairs[i].first + behind;
  }
  return chain;
}

PairQueue::PairQueue(std::vector<BlockPair> const& pairs, Block num_blocks, int teams)
    : turn_(turns_of(pairs, num_blocks)), chain_(chains_of(pairs, turn_)), left_(static_cast<Edge>(pairs.size())) {
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (turn_[i].waits_for == 0) set_free(static_cast<Edge>(i));
  for (int team = teams - 1; team >= 0; --team) idle_teams_.push_back(team);
}

PairQueue::Turn PairQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return left_ == 0 || (!free_.empty() && !idle_teams_.empty()); });
  if (left_ == 0) return {};
  Turn const turn{-free_.top().second, idle_teams_.back()};
  free_.pop();
  idle_teams_.pop_back();
  --left_;
  return turn;
}

void PairQueue::give_back(Turn turn) {
  {
    std::lock_guard const lock(mutex_);
    idle_teams_.push_back(turn.team);
    for (Edge const next : turn_[static_cast<std::size_t>(turn.pair)].next)
      if (next >= 0 && --turn_[static_cast<std::size_t>(next)].waits_for == 0) set_free(next);
  }
  changed_.notify_all();
}

void PairQueue::close() {
  {
    std::lock_guard const lock(mutex_);
    left_ = 0;
  }
  changed_.notify_all();
}

}  // namespace procmap
