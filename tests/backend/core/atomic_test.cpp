// SPDX-License-Identifier: MIT
#include "core/atomic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/backend.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

template <class Exec>
void count_in_few_cells(Exec& ex, Edge n, Weight* sum, int* next, int* place, int* flag, int* least) {
  ex.fill(sum, 4, Weight{0});
  ex.fill(next, 1, 0);
  ex.fill(flag, 1, 0);
  ex.fill(least, 1, 5);
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) {
    atomic_add(&sum[i % 4], i);
    place[i] = fetch_add(next, 1);
    racy_store(flag, 1);
    atomic_min(least, 7 - static_cast<int>(i));
  });
}

TEST(Atomics, LoseNothingWhenAllThreadsMeet) {
  for (int const threads : Backend::thread_counts()) {
    SCOPED_TRACE(threads);
    constexpr Edge n = 100'003;
    Backend backend(threads);
    auto sum = backend.make<Weight>(4);
    auto next = backend.make<int>(1), flag = backend.make<int>(1), place = backend.make<int>(at(n));
    auto least = backend.make<int>(1);

    count_in_few_cells(backend.ex, n, sum.data(), next.data(), place.data(), flag.data(), least.data());

    std::vector<Weight> expected(4, 0);
    for (Edge i = 0; i < n; ++i) expected[at(i % 4)] += i;
    auto places = backend.get(place);
    std::ranges::sort(places);
    EXPECT_EQ(backend.get(sum), expected);
    EXPECT_EQ(backend.get(next).front(), n);
    EXPECT_EQ(backend.get(flag).front(), 1);
    EXPECT_EQ(backend.get(least).front(), 8 - static_cast<int>(n));
    for (Edge i = 0; i < n; ++i) ASSERT_EQ(places[at(i)], i);
  }
}

template <class Exec>
void meet_at_few_counters(Exec& ex, Edge n, int* next, int* place, Weight* sum) {
  ex.fill(next, 3, 0);
  ex.fill(sum, 3, Weight{0});
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) {
    place[i] = contended_place(&next[i % 3]);
    contended_add(&sum[i % 3], i);
  });
}

TEST(Atomics, PlacesAndSumsThatManyWantAtOnceAreThoseOfOneAfterTheOther) {
  for (int const threads : Backend::thread_counts()) {
    SCOPED_TRACE(threads);
    constexpr Edge n = 100'003;
    Backend backend(threads);
    auto next = backend.make<int>(3), place = backend.make<int>(at(n));
    auto sum = backend.make<Weight>(3);

    meet_at_few_counters(backend.ex, n, next.data(), place.data(), sum.data());

    std::vector<Weight> sums(3, 0);
    std::vector<std::vector<int>> places(3);
    auto const found = backend.get(place);
    for (Edge i = 0; i < n; ++i) {
      sums[at(i % 3)] += i;
      places[at(i % 3)].push_back(found[at(i)]);
    }
    EXPECT_EQ(backend.get(sum), sums);
    for (std::size_t c = 0; c < 3; ++c) {
      std::ranges::sort(places[c]);
      EXPECT_EQ(backend.get(next)[c], static_cast<int>(places[c].size()));
      for (std::size_t j = 0; j < places[c].size(); ++j) ASSERT_EQ(places[c][j], static_cast<int>(j)) << c;
    }
  }
}

template <class Exec>
void add_in_runs(Exec& ex, Edge n, Edge run, Weight* wide, Vertex* narrow) {
  ex.fill(wide, 3, Weight{0});
  ex.fill(narrow, 3, 0);
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) {
    contended_add(&wide[i / run % 3], (i << 33) + i);
    contended_add(&narrow[i / run % 3], static_cast<Vertex>(i % 5) - 1);
  });
}

TEST(Atomics, SumsThatNeighboursShareAreThoseOfOneAfterTheOther) {
  constexpr Edge n = 10'007;
  Backend backend(2);
  auto wide = backend.make<Weight>(3);
  auto narrow = backend.make<Vertex>(3);
  for (Edge const run : {1, 16, 32, 45, 512, 20'000}) {
    add_in_runs(backend.ex, n, run, wide.data(), narrow.data());

    std::vector<Weight> wide_sums(3, 0);
    std::vector<Vertex> narrow_sums(3, 0);
    for (Edge i = 0; i < n; ++i) {
      wide_sums[at(i / run % 3)] += (i << 33) + i;
      narrow_sums[at(i / run % 3)] += static_cast<Vertex>(i % 5) - 1;
    }
    EXPECT_EQ(backend.get(wide), wide_sums) << run;
    EXPECT_EQ(backend.get(narrow), narrow_sums) << run;
  }
}

}  // namespace
}  // namespace procmap::test
