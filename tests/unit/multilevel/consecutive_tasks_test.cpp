// SPDX-License-Identifier: MIT
#include "multilevel/consecutive_tasks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace procmap::test {
namespace {

TEST(ConsecutiveTasks, AreSharedOutEvenly) {
  for (Vertex const tasks : {1, 2, 7, 64, 1000})
    for (Block const pes : {1, 2, 3, 64}) {
      auto const pe = consecutive_tasks(tasks, {}, pes);
      if (tasks < pes) {
        EXPECT_TRUE(pe.empty());
        continue;
      }
      EXPECT_TRUE(std::ranges::is_sorted(pe));
      for (Block p = 0; p < pes; ++p) {
        auto const count = std::ranges::count(pe, p);
        EXPECT_TRUE(count == tasks / pes || count == (tasks - 1) / pes + 1) << tasks << " on " << pes << ": " << count;
      }
    }
}

TEST(ConsecutiveTasks, AreSharedOutByWeight) {
  EXPECT_EQ(consecutive_tasks(6, {3, 1, 1, 1, 1, 2}, 3), (std::vector<Block>{0, 1, 1, 1, 2, 2}));
  EXPECT_EQ(consecutive_tasks(4, {0, 5, 0, 5}, 2), (std::vector<Block>{0, 0, 1, 1}));
  constexpr Weight huge = std::numeric_limits<Weight>::max() / 4;
  EXPECT_EQ(consecutive_tasks(3, {huge, huge, huge}, 3), (std::vector<Block>{0, 1, 2}));
}

TEST(ConsecutiveTasks, AreWhereTheirMiddleLies) {
  std::vector<Weight> const weights{2, 7, 1, 0, 4, 4, 3, 9, 1, 5, 2, 2};
  for (Block const pes : {1, 2, 3, 4}) {
    auto const pe = consecutive_tasks(12, weights, pes);
    ASSERT_EQ(pe.size(), 12u) << pes;
    Weight before = 0;
    for (std::size_t task = 0; task < 12; before += weights[task++])
      EXPECT_EQ(pe[task], (2 * before + weights[task]) * pes / (2 * 40)) << task << " on " << pes;
  }
}

TEST(ConsecutiveTasks, ThatWeighNothingMayBeTheLast) {
  EXPECT_EQ(consecutive_tasks(5, {1, 1, 1, 0, 0}, 3), (std::vector<Block>{0, 1, 2, 2, 2}));
  EXPECT_EQ(consecutive_tasks(2, {5, 0}, 1), (std::vector<Block>{0, 0}));
  EXPECT_TRUE(consecutive_tasks(3, {5, 0, 0}, 2).empty());
}

TEST(ConsecutiveTasks, LeaveNoPeEmpty) {
  EXPECT_TRUE(consecutive_tasks(4, {1, 1, 1, 100}, 3).empty());
  EXPECT_TRUE(consecutive_tasks(3, {100, 1, 1}, 3).empty());
  EXPECT_TRUE(consecutive_tasks(3, {0, 0, 0}, 3).empty());
  EXPECT_TRUE(consecutive_tasks(3, {0, 0, 5}, 1).size() == 3);
}

}  // namespace
}  // namespace procmap::test
