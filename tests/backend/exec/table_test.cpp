// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/reference.hpp"

// The verb for_each_with_table: every item gets an empty table that sums weights by key.

namespace procmap::test {
namespace {

using KeySums = std::vector<std::pair<Vertex, Weight>>;

/// What to add to the table of every item: entries first[i] ... first[i + 1] - 1.
struct Additions {
  std::vector<Edge> first{0};
  std::vector<Vertex> key;
  std::vector<Weight> weight;

  Edge num_items() const { return static_cast<Edge>(first.size()) - 1; }
  KeySums sums_of(Edge item) const {
    std::map<Vertex, Weight> sums;
    for (auto j = first[at(item)]; j < first[at(item) + 1]; ++j)
      if (weight[at(j)] != 0) sums[key[at(j)]] += weight[at(j)];
    return {sums.begin(), sums.end()};
  }
};

/// `length(i)` keys in [0, universe) for item i, the lowest and the highest key among them; a third of the weights
/// is 0, some are large.
template <class Length>
Additions random_additions(Edge num_items, Vertex universe, Length length, std::uint64_t seed) {
  Additions additions;
  for (Edge i = 0; i < num_items; ++i) {
    auto const count = length(i);
    auto const few = std::max<Edge>(1, count / 2);  // so that keys repeat
    for (Edge j = 0; j < count; ++j) {
      auto const id = hash(seed, static_cast<std::uint64_t>(i),
                           static_cast<std::uint64_t>(random_below(few, seed + 1, static_cast<std::uint64_t>(i),
                                                                   static_cast<std::uint64_t>(j))));
      auto const key = j == 0   ? 0
                       : j == 1 ? universe - 1
                                : static_cast<Vertex>(id % static_cast<std::uint64_t>(universe));
      additions.key.push_back(key);
      auto const size = random_below(3, seed + 2, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
      additions.weight.push_back(size == 0 ? 0 : size == 1 ? 1 + j : Weight{1} << 45);
    }
    additions.first.push_back(static_cast<Edge>(additions.key.size()));
  }
  return additions;
}

/// Adds half of it one by one and the rest at once, then writes what the tables hold; `held` is the size of every table
/// and `looked_up` what get() says of key 0 and of the highest key.
template <class Exec>
void fill_tables(Exec& ex, Edge n, Vertex universe, Edge const* first, Vertex const* key, Weight const* weight,
                 Vertex* keys, Weight* sums, Edge* held, Weight* looked_up) {
  ex.for_each_with_table(
      n, [=] PROCMAP_LAMBDA(Edge i) { return first[i + 1] - first[i]; }, universe,
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Edge const half = first[i] + (first[i + 1] - first[i]) / 2;
        for (Edge j = first[i] + group.rank(); j < half; j += group.size()) table.add(key[j], weight[j]);
        table.fill([&](auto& sums_of_item) {
          for (Edge j = half + group.rank(); j < first[i + 1]; j += group.size()) sums_of_item.add(key[j], weight[j]);
        });
        group.sync();
        Edge const size = table.export_to(group, keys + first[i], sums + first[i]);
        if (group.rank() != 0) return;
        held[i] = size == table.size() ? size : -1;
        looked_up[2 * i] = table.get(0);
        looked_up[2 * i + 1] = table.get(universe - 1);
      });
}

template <class Backend_>
void expect_exact_sums(Backend_& backend, Vertex universe, Additions const& additions) {
  auto const n = additions.num_items();
  auto const first = backend.put(additions.first);
  auto const key = backend.put(additions.key);
  auto const weight = backend.put(additions.weight);
  auto keys = backend.template make<Vertex>(additions.key.size());
  auto sums = backend.template make<Weight>(additions.key.size());
  auto held = backend.template make<Edge>(at(n));
  auto looked_up = backend.template make<Weight>(at(2 * n));

  fill_tables(backend.ex, n, universe, first.data(), key.data(), weight.data(), keys.data(), sums.data(), held.data(),
              looked_up.data());

  auto const all_keys = backend.get(keys);
  auto const all_sums = backend.get(sums);
  auto const held_sizes = backend.get(held);
  auto const lookups = backend.get(looked_up);
  for (Edge i = 0; i < n; ++i) {
    auto const expected = additions.sums_of(i);
    ASSERT_EQ(held_sizes[at(i)], static_cast<Edge>(expected.size())) << "item " << i;
    KeySums found;
    for (auto j = additions.first[at(i)]; j < additions.first[at(i)] + held_sizes[at(i)]; ++j)
      found.emplace_back(all_keys[at(j)], all_sums[at(j)]);
    std::ranges::sort(found);
    ASSERT_EQ(found, expected) << "item " << i;
    auto const sum_of = [&](Vertex wanted) {
      auto const entry = std::ranges::find(expected, wanted, &KeySums::value_type::first);
      return entry == expected.end() ? 0 : entry->second;
    };
    ASSERT_EQ(lookups[at(2 * i)], sum_of(0)) << "item " << i;
    ASSERT_EQ(lookups[at(2 * i + 1)], sum_of(universe - 1)) << "item " << i;
  }
}

std::string trace(std::string const& what, Vertex universe, int threads) {
  return what + ", universe " + std::to_string(universe) + ", " + std::to_string(threads) + " threads";
}

// Universes on both sides of the CPU's limits between direct and hashed tables, for many threads and for few.
constexpr Vertex universes[] = {
    1, 2, 100, 1 << 17, (1 << 17) + 1, 1 << 20, (1 << 20) + 1, std::numeric_limits<Vertex>::max()};

TEST(Table, SumsByKeyAndZeroWeightsLeaveNoTrace) {
  for (int const threads : Backend::thread_counts())
    for (auto const universe : universes) {
      SCOPED_TRACE(trace("seed 1", universe, threads));
      Backend backend(threads);

      expect_exact_sums(backend, universe, random_additions(1500, universe, [](Edge i) { return i % 37; }, 1));
    }
}

TEST(Table, NoItemsAndItemsWithoutKeysAreFine) {
  for (auto const universe : universes) {
    SCOPED_TRACE(trace("empty", universe, 2));
    Backend backend;

    expect_exact_sums(backend, universe, Additions{});
    expect_exact_sums(backend, universe, random_additions(1000, universe, [](Edge) { return 0; }, 1));
  }
}

TEST(Table, GrowsAndShrinksBetweenItems) {
  for (int const threads : Backend::thread_counts())
    for (auto const universe : universes) {
      SCOPED_TRACE(trace("seed 2", universe, threads));
      Backend backend(threads);
      auto const length = [](Edge i) { return i % 100 == 7 ? 6000 : i % 10 == 3 ? 200 : i % 4; };

      expect_exact_sums(backend, universe, random_additions(600, universe, length, 2));
    }
}

TEST(Table, IsEmptyAgainInTheNextPassWhateverItsUniverse) {
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    std::uint64_t seed = 10;
    for (Vertex const universe : {1 << 20, 50, 1 << 22, 1 << 14, 3, 1 << 20, 20'000, 7}) {
      SCOPED_TRACE(trace("seed " + std::to_string(seed), universe, threads));

      expect_exact_sums(backend, universe, random_additions(700, universe, [](Edge i) { return i % 50; }, seed++));
    }
  }
}

TEST(Table, TakesAllKeysOfALargeUniverseAtOnce) {
  for (Vertex const universe : {1 << 17, 150'000}) {
    SCOPED_TRACE(trace("all keys", universe, 2));
    Backend backend;
    Additions additions;
    for (Vertex key = universe; key-- > 0;) {
      additions.key.push_back(key);
      additions.weight.push_back(key + 1);
    }
    additions.first.push_back(universe);

    expect_exact_sums(backend, universe, additions);
  }
}

TEST(Table, KeepsKeysApartThatAreHashedToTheSameSlot) {
  // The CPU's rows of 2^14 keys, each turned by 10,125 more slots than the one before: the keys of slot 0, and their
  // neighbours. 1,024 keys and less are hashed like this, more are scattered.
  Additions additions;
  for (Vertex const keys : {2, 100, 512, 513})
    for (int repeat = 0; repeat < 60; ++repeat) {
      for (Vertex j = 0; j < keys; ++j)
        for (Vertex const next : {0, 1}) {
          additions.key.push_back((j << 14) + ((1 << 28) - 10'125 * j) % (1 << 14) + next);
          additions.weight.push_back(1 + j + repeat);
        }
      additions.first.push_back(static_cast<Edge>(additions.key.size()));
    }
  for (int const threads : Backend::thread_counts()) {
    SCOPED_TRACE(trace("keys of one slot", 1 << 24, threads));
    Backend backend(threads);

    expect_exact_sums(backend, 1 << 24, additions);
  }
}

/// Every key below 10 adds itself plus 10 while the table is walked.
template <class Exec>
void mirror_keys(Exec& ex, Edge n, Vertex universe, Weight* low, Weight* high, int* size) {
  ex.for_each_with_table(
      n, [=] PROCMAP_LAMBDA(Edge) { return Edge{20}; }, universe,
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        for (int key = group.rank(); key < 10; key += group.size()) table.add(key, i + key + 1);
        group.sync();
        table.for_each(group, [&](Vertex key, Weight weight) { table.add(key + 10, 2 * weight); });
        group.sync();
        if (group.rank() != 0) return;
        size[i] = table.size();
        for (int key = 0; key < 10; ++key) {
          low[10 * i + key] = table.get(key);
          high[10 * i + key] = table.get(key + 10);
        }
      });
}

TEST(Table, KeysAddedDuringAWalkAreKeptButNotVisited) {
  for (int const threads : Backend::thread_counts())
    for (Vertex const universe : {20, 1 << 20}) {
      SCOPED_TRACE(trace("walk", universe, threads));
      constexpr Edge n = 1000;
      Backend backend(threads);
      auto low = backend.make<Weight>(10 * n), high = backend.make<Weight>(10 * n);
      auto size = backend.make<int>(n);

      mirror_keys(backend.ex, n, universe, low.data(), high.data(), size.data());

      auto const lower = backend.get(low), upper = backend.get(high);
      EXPECT_EQ(backend.get(size), std::vector<int>(n, 20));
      for (Edge j = 0; j < 10 * n; ++j) {
        ASSERT_EQ(lower[at(j)], j / 10 + j % 10 + 1) << j;
        ASSERT_EQ(upper[at(j)], 2 * lower[at(j)]) << j;
      }
    }
}

}  // namespace
}  // namespace procmap::test
