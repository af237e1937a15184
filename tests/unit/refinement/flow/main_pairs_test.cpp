// SPDX-License-Identifier: MIT
#include "refinement/flow/main_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace procmap::test {
namespace {

/// Block 0 and every other one, with borders that grow with the number of the other.
std::vector<BlockPair> star(Block others) {
  std::vector<BlockPair> pairs;
  for (Block b = 1; b <= others; ++b) pairs.push_back({0, b, 0, Edge{b}});
  return pairs;
}

/// Every block and every other one, all borders alike.
std::vector<BlockPair> complete(Block blocks) {
  std::vector<BlockPair> pairs;
  for (Block a = 0; a < blocks; ++a)
    for (Block b = a + 1; b < blocks; ++b) pairs.push_back({a, b, 0, 1});
  return pairs;
}

std::map<Block, int> partners_of(std::vector<BlockPair> const& pairs) {
  std::map<Block, int> partners;
  for (auto const& pair : pairs) {
    ++partners[pair.a];
    ++partners[pair.b];
  }
  return partners;
}

TEST(MainPairs, AllStayWhereNoBlockHasTooManyPartners) {
  for (auto const& before : {std::vector<BlockPair>{}, star(most_partners), complete(most_partners + 1)}) {
    auto pairs = before;

    keep_main_pairs(pairs);

    EXPECT_EQ(pairs.size(), before.size());
  }
}

TEST(MainPairs, TheLongestBordersOfAHubStay) {
  auto pairs = star(most_partners + 100);

  keep_main_pairs(pairs);

  EXPECT_EQ(pairs.size(), static_cast<std::size_t>(most_partners));
  EXPECT_TRUE(std::ranges::all_of(pairs, [](BlockPair const& pair) { return pair.b > 100; }));
}

TEST(MainPairs, NoBlockKeepsMoreAndAPairIsLeftOutOnlyForOneThatHasAll) {
  auto const before = complete(3 * most_partners);
  auto pairs = before;

  keep_main_pairs(pairs);

  auto partners = partners_of(pairs);
  for (auto const& [block, count] : partners) EXPECT_LE(count, most_partners) << block;
  std::set<std::pair<Block, Block>> stay;
  for (auto const& pair : pairs) stay.insert({pair.a, pair.b});
  for (auto const& pair : before)
    ASSERT_TRUE(stay.contains({pair.a, pair.b}) || partners[pair.a] == most_partners ||
                partners[pair.b] == most_partners);
}

TEST(MainPairs, TheOrderOfTheInputDoesNotCount) {
  auto forwards = complete(2 * most_partners);
  auto backwards = forwards;
  std::ranges::reverse(backwards);

  keep_main_pairs(forwards);
  keep_main_pairs(backwards);

  ASSERT_EQ(forwards.size(), backwards.size());
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    EXPECT_EQ(forwards[i].a, backwards[i].a);
    EXPECT_EQ(forwards[i].b, backwards[i].b);
  }
}

TEST(OpenPairs, ThoseThatChangedAndAreNotSettledStayInTheirOrder) {
  std::vector<BlockPair> pairs{{0, 1, 0, 4, 1}, {0, 2, 4, 6, 0}, {0, 3, 6, 9, 2}, {1, 2, 9, 10, 1}, {2, 3, 10, 12, 2}};

  keep_open_pairs(pairs, {{2, 3, 3, 5, 1}, {0, 1, 0, 3, 3}, {1, 3, 5, 6, 1}});

  std::vector<std::pair<Block, Block>> open;
  for (auto const& pair : pairs) open.emplace_back(pair.a, pair.b);
  EXPECT_EQ(open, (std::vector<std::pair<Block, Block>>{{0, 3}, {1, 2}}));
}

}  // namespace
}  // namespace procmap::test
