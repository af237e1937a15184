// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/hash.hpp"
#include "support/backend.hpp"
#include "support/reference.hpp"

// Passes over few items, which one block of a GPU may run while others wait.

namespace procmap::test {
namespace {

/// No two of a turn are equal, as sort() wants it: the number of the item, up to 8191, stands in the middle.
PROCMAP_HD inline Weight value_of(Edge turn, Edge i) {
  auto const item = static_cast<std::uint64_t>(i), random = hash(static_cast<std::uint64_t>(turn), item);
  return static_cast<Weight>(random >> 40 << 14 | item << 1 | (random & 1));
}

/// Twice in a row: sorts n values, keeps the even ones in order, and sums up what lies before each. All threads then
/// write what they were told.
struct SortedEvens {
  Edge n;
  Weight* values;  // of both turns
  Weight* evens;
  Edge* before;    // n + 1 of each turn
  Edge* counts;    // how many even ones, as thread i was told: 1000 of each turn

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    for (Edge turn = 0; turn < 2; ++turn) {
      auto const items = n;
      auto* const from = values + turn * n;
      auto* const to = evens + turn * n;
      auto* const sums = before + turn * (n + 1);
      ex.for_each(items, [=] PROCMAP_LAMBDA(Edge i) { from[i] = value_of(turn, i); });
      Edge const count = ex.by_few(items, [&](auto& own) -> Edge {
        own.sort(from, items, [] PROCMAP_LAMBDA(Weight a, Weight b) { return a < b; });
        Edge const found = own.select(
            items, [=] PROCMAP_LAMBDA(Edge i) { return from[i] % 2 == 0; },
            [=] PROCMAP_LAMBDA(Edge i) { return from[i]; }, to);
        own.scan(found, [=] PROCMAP_LAMBDA(Edge i) -> Edge { return to[i]; }, sums);
        return found;
      });
      ex.for_each(1000, [=, counts = counts] PROCMAP_LAMBDA(Edge i) { counts[1000 * turn + i] = count; });
    }
  }
};

TEST(ByFew, DoesWhatAllWouldDo) {
  for (int const threads : Backend::thread_counts())
    for (Edge const n : {0, 1, 255, 256, 257, 1024, 1025, 5000}) {  // one block has at most 1024
      Backend backend(threads);
      auto const values = backend.make<Weight>(at(2 * n)), evens = backend.make<Weight>(at(2 * n));
      auto const before = backend.make<Edge>(at(2 * n + 2)), counts = backend.make<Edge>(2000);

      backend.ex.resident({std::max<Edge>(n, 1000), scratch_bytes_of<Weight>(at(n)), 0, 0},
                          SortedEvens{n, values.data(), evens.data(), before.data(), counts.data()});

      auto const found = backend.get(evens), told = backend.get(counts), sums = backend.get(before);
      for (Edge turn = 0; turn < 2; ++turn) {
        std::vector<Weight> expected;
        for (Edge i = 0; i < n; ++i)
          if (value_of(turn, i) % 2 == 0) expected.push_back(value_of(turn, i));
        std::sort(expected.begin(), expected.end());
        auto const count = static_cast<Edge>(expected.size());
        for (Edge i = 0; i < 1000; ++i) ASSERT_EQ(told[at(1000 * turn + i)], count) << n << " items, turn " << turn;
        auto const begin = found.begin() + turn * n;
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), begin)) << n << " items, turn " << turn;
        EXPECT_EQ(sums[at(turn * (n + 1) + count)], std::accumulate(expected.begin(), expected.end(), Weight{0}));
      }
    }
}

}  // namespace
}  // namespace procmap::test
