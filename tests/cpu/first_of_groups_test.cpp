// SPDX-License-Identifier: MIT
#include "exec/first_of_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace procmap::test {
namespace {

struct Item {
  int group;
  int key;
  Weight weight;
  int id;
};

struct Before {
  bool operator()(Item const& a, Item const& b) const {
    return std::tie(a.group, a.key, a.id) < std::tie(b.group, b.key, b.id);
  }
};

template <bool counts_own_>
struct ByLimit {
  static constexpr bool counts_own = counts_own_;
  std::vector<Weight> const& limits;

  bool less(Item const& a, Item const& b) const { return Before{}(a, b); }
  int group(Item const& item) const { return item.group; }
  Weight weight(Item const& item) const { return item.weight; }
  Weight limit(int group) const { return limits[static_cast<std::size_t>(group)]; }
};

struct Case {
  int items, groups, keys;
  Weight heaviest;
};

std::vector<Item> random_items(Case const& c, std::mt19937& random) {
  std::vector<Item> items;
  auto const below = [&](auto n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int i = 0; i < c.items; ++i) items.push_back({below(c.groups), below(c.keys), below(c.heaviest + 1), i});
  return items;
}

/// The definition.
template <bool counts_own>
std::vector<int> first_of_sorted(std::vector<Item> items, std::vector<Weight> const& limits) {
  std::ranges::sort(items, Before{});
  std::vector<int> first;
  std::vector<Weight> before(limits.size(), 0);
  for (auto const& item : items) {
    auto const group = static_cast<std::size_t>(item.group);
    if (before[group] + (counts_own ? item.weight : 0) <= limits[group]) first.push_back(item.id);
    before[group] += item.weight;
  }
  std::ranges::sort(first);
  return first;
}

template <bool counts_own>
std::vector<int> picked(std::vector<Item> items, std::vector<Weight> const& limits) {
  std::vector<int> first;
  FirstOfGroups<Item, ByLimit<counts_own>> const firsts({limits});
  firsts(items.data(), items.data() + items.size(), [&](Item const& item) { first.push_back(item.id); });
  std::ranges::sort(first);
  return first;
}

TEST(FirstOfGroups, AreThoseOfTheSortedItems) {
  for (Case const c : {Case{0, 1, 1, 1}, Case{1, 1, 1, 0}, Case{20, 3, 5, 2}, Case{3000, 1, 1, 1}, Case{3000, 1, 2, 40},
                       Case{3000, 7, 1, 1}, Case{3000, 40, 1000, 5}, Case{500, 400, 3, 3}})
    for (unsigned seed = 1; seed <= 20; ++seed) {
      std::mt19937 random(seed);
      auto const items = random_items(c, random);
      std::vector<Weight> limits;
      Weight const all = c.items * (c.heaviest + 1) / c.groups;
      for (int g = 0; g < c.groups; ++g)
        limits.push_back(static_cast<Weight>(random() % static_cast<unsigned>(all + 3)) - 1);
      auto const where =
          std::to_string(c.items) + " items, " + std::to_string(c.groups) + " groups, seed " + std::to_string(seed);
      EXPECT_EQ(picked<false>(items, limits), first_of_sorted<false>(items, limits)) << where;
      EXPECT_EQ(picked<true>(items, limits), first_of_sorted<true>(items, limits)) << where;
    }
}

TEST(FirstOfGroups, ComeOutOfAnyOrder) {
  std::vector<Item> items;
  for (int i = 0; i < 5000; ++i) items.push_back({i % 2, i, 1, i});
  std::vector<Weight> const limits{700, 1};
  auto const expected = first_of_sorted<false>(items, limits);

  EXPECT_EQ(picked<false>(items, limits), expected);
  std::ranges::sort(items, Before{});
  EXPECT_EQ(picked<false>(items, limits), expected);
  std::ranges::reverse(items);
  EXPECT_EQ(picked<false>(items, limits), expected);
}

/// Counts comparisons.
struct Counted : ByLimit<false> {
  Weight* comparisons;
  bool less(Item const& a, Item const& b) const {
    ++*comparisons;
    return Before{}(a, b);
  }
};

TEST(FirstOfGroups, TakeLinearTime) {
  std::mt19937 random(1);
  auto items = random_items({1 << 16, 1, 1 << 30, 0}, random);
  for (auto& item : items) item.weight = 1;
  std::vector<Weight> const limits{1 << 15};
  Weight comparisons = 0;
  Weight first = 0;

  FirstOfGroups<Item, Counted>(Counted{{limits}, &comparisons})(items.data(), items.data() + items.size(),
                                                                [&](Item const&) { ++first; });

  EXPECT_EQ(first, (1 << 15) + 1);
  EXPECT_LT(comparisons, 6 << 16);  // sorting them takes 16 and more for each
}

}  // namespace
}  // namespace procmap::test
