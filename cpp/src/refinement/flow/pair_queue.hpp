// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <mutex>
#include <queue>
#include <utility>
#include <vector>

#include "exec/pass_types.hpp"
#include "refinement/flow/pair.hpp"

namespace procmap {

/// Pairs in an order that decides the outcome: of two that share a block, the earlier one is cut first. All others may
/// be cut at the same time, so a pair is free as soon as the pairs before it have left its two blocks.
std::vector<TeamTurn> turns_of(std::vector<BlockPair> const& pairs, Block num_blocks);

/// What is to be done from the start of each pair to the end of the last one that waits for it, or for one that does:
/// in entries of borders, as cuts are the longer the more there are.
std::vector<Edge> chains_of(std::vector<BlockPair> const& pairs, std::vector<TeamTurn> const& turns);

/// Hands out such pairs to threads: of those that are free the one with the longest chain behind it, so that at last no
/// thread has much to do while the others have nothing.
class PairQueue {
 public:
  /// With room for `teams` pairs at a time.
  PairQueue(std::vector<BlockPair> const& pairs, Block num_blocks, int teams);

  struct Turn {
    Edge pair = -1;  // -1: there is none any more
    int team = 0;    // of those that are at work now, a number of its own
  };

  /// One of the free pairs; waits while there is none.
  Turn take();
  /// The pair has left its blocks.
  void give_back(Turn turn);
  /// No more turns.
  void close();

 private:
  void set_free(Edge pair) { free_.emplace(chain_[static_cast<std::size_t>(pair)], -pair); }

  std::vector<TeamTurn> turn_;
  std::vector<Edge> chain_;
  std::priority_queue<std::pair<Edge, Edge>> free_;  // chain, and the pair times -1: of equal ones the first
  std::vector<int> idle_teams_;
  Edge left_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace procmap
