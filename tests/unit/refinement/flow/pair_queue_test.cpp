// SPDX-License-Identifier: MIT
#include "refinement/flow/pair_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/block_pairs.hpp"

namespace procmap::test {
namespace {

TEST(PairQueue, NamesWhatComesNextOnEitherSide) {
  auto const turns = turns_of({{0, 1}, {1, 2}, {0, 2}, {0, 1}}, 3);

  std::vector<std::vector<Edge>> next;
  std::vector<int> waits_for;
  for (auto const& turn : turns) {
    next.push_back({turn.next[0], turn.next[1]});
    waits_for.push_back(turn.waits_for);
  }
  EXPECT_EQ(next, (std::vector<std::vector<Edge>>{{2, 1}, {3, 2}, {3, -1}, {-1, -1}}));
  EXPECT_EQ(waits_for, (std::vector<int>{0, 1, 2, 2}));
}

TEST(PairQueue, GivesPairsInOrderToOneTeam) {
  auto const pairs = random_pairs(6, 40, 1);
  PairQueue queue(pairs, 6, 1);

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto const turn = queue.take();
    EXPECT_EQ(turn.pair, static_cast<Edge>(i));
    EXPECT_EQ(turn.team, 0);
    queue.give_back(turn);
  }

  EXPECT_EQ(queue.take().pair, -1);
}

TEST(PairQueue, GivesTheNextPairWhoseBlocksAreFree) {
  PairQueue queue({{0, 1}, {1, 2}, {2, 3}, {4, 5}, {0, 4}}, 6, 3);

  auto const first = queue.take();
  auto const second = queue.take();
  EXPECT_EQ(first.pair, 0);
  EXPECT_EQ(second.pair, 3) << "1 waits for 0, and 2 for 1, though its blocks are free";
  EXPECT_NE(first.team, second.team);
  queue.give_back(second);
  queue.give_back(first);
  auto const third = queue.take(), fourth = queue.take();
  EXPECT_EQ(third.pair, 1);
  EXPECT_EQ(fourth.pair, 4);
}

TEST(PairQueue, KnowsWhatWaitsForAPair) {
  std::vector<BlockPair> const pairs = {{0, 1, 0, 5, 0}, {1, 2, 5, 7, 0}, {0, 2, 7, 11, 0}, {3, 4, 11, 20, 0}};

  EXPECT_EQ(chains_of(pairs, turns_of(pairs, 5)), (std::vector<Edge>{11, 6, 4, 9})) << "0, then 1, then 2";
}

TEST(PairQueue, GivesTheLongestChainFirst) {
  PairQueue queue({{0, 1, 0, 2, 0}, {2, 3, 2, 8, 0}, {0, 1, 8, 15, 0}}, 4, 1);

  for (Edge const expected : {0, 2, 1}) {
    auto const turn = queue.take();
    EXPECT_EQ(turn.pair, expected) << "nine entries hang on 0, six on 1";
    queue.give_back(turn);
  }
}

TEST(PairQueue, ClosedHasNoMoreTurns) {
  PairQueue queue({{0, 1}, {1, 2}}, 3, 2);
  auto const turn = queue.take();
  std::thread waiting([&] { EXPECT_EQ(queue.take().pair, -1); });

  queue.close();

  waiting.join();
  queue.give_back(turn);
  EXPECT_EQ(queue.take().pair, -1);
}

TEST(PairQueueThreads, KeepTheOrderOfPairsThatShareABlock) {
  constexpr Block num_blocks = 9;
  for (std::uint64_t const seed : {1, 2, 3}) {
    auto const pairs = random_pairs(num_blocks, 400, seed);
    PairQueue queue(pairs, num_blocks, 4);
    std::vector<Edge> last(num_blocks, -1);  // written by whoever has the block
    std::atomic<int> wrong = 0, done = 0;
    auto const work = [&] {
      for (auto turn = queue.take(); turn.pair >= 0; turn = queue.take()) {
        auto const& pair = pairs[static_cast<std::size_t>(turn.pair)];
        for (Block const block : {pair.a, pair.b}) {
          if (last[static_cast<std::size_t>(block)] >= turn.pair) ++wrong;
          last[static_cast<std::size_t>(block)] = turn.pair;
        }
        ++done;
        queue.give_back(turn);
      }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work);
    for (auto& thread : threads) thread.join();

    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(done, static_cast<int>(pairs.size()));
  }
}

}  // namespace
}  // namespace procmap::test
