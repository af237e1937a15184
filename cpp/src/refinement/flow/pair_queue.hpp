// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <vector>

#include "exec/pass_types.hpp"
#include "refinement/flow/pair.hpp"

namespace procmap {

/// Pairs in an order that decides the outcome: of two that share a block, the earlier one is cut first. All others may
/// be cut at the same time, so a pair is free as soon as the pairs before it have left its two blocks.
std::vector<TeamTurn> turns_of(std::vector<BlockPair> const& pairs, Block num_blocks);

/// Hands out such pairs to threads.
class PairQueue {
 public:
  /// With room for `teams` pairs at a time.
  PairQueue(std::vector<BlockPair> const& pairs, Block num_blocks, int teams);

  struct Turn {
    Edge pair = -1;  // -1: there is none any more
    int team = 0;    // of those that are at work now, a number of its own
  };

  /// The first of the free pairs; waits while there is none.
  Turn take();
  /// The pair has left its blocks.
  void give_back(Turn turn);
  /// No more turns.
  void close();

 private:
  std::vector<TeamTurn> turn_;
  std::priority_queue<Edge, std::vector<Edge>, std::greater<>> free_;
  std::vector<int> idle_teams_;
  Edge left_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace procmap
