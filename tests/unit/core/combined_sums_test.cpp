// SPDX-License-Identifier: MIT
#include "core/combined_sums.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/atomic.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

struct Sums {
  std::vector<Weight> wide;
  std::vector<Vertex> narrow;

  explicit Sums(std::size_t n) : wide(n, 0), narrow(n, 0) {}
  bool operator==(Sums const&) const = default;

  /// The same 20000 terms for every seed, in more targets than are kept at a time, or in one.
  void add(std::uint64_t seed) {
    auto const n = static_cast<std::int64_t>(wide.size());
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      contended_add(&wide[at(random_below(n, seed, i, 0))], random_below(1000, seed, i, 1) - 500);
      contended_add(&narrow[at(random_below(n, seed, i, 2))], static_cast<Vertex>(random_below(9, seed, i, 3)) - 4);
    }
  }
};

TEST(CombinedSums, ReachTheirTargets) {
  for (std::size_t const n : {1u, 10u, 1000u}) {
    Sums expected(n), sums(n);
    expected.add(1);
    {
      CombinedSums const combined;
      sums.add(1);
    }
    EXPECT_EQ(sums, expected) << n << " targets";
    EXPECT_EQ(CombinedSums::current(), nullptr);
  }
}

TEST(CombinedSums, OfOneThreadLieInsideOfEachOther) {
  Sums expected(10), sums(10);
  for (std::uint64_t const seed : {1u, 2u, 3u}) expected.add(seed);

  {
    CombinedSums const outer;
    sums.add(1);
    {
      CombinedSums const inner;
      sums.add(2);
    }
    EXPECT_EQ(CombinedSums::current(), &outer);
    sums.add(3);
  }

  EXPECT_EQ(sums, expected);
}

TEST(CombinedSums, OfSeveralThreadsAddUp) {
  Sums expected(10), sums(10);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) expected.add(seed);

  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    threads.emplace_back([&, seed] {
      CombinedSums const combined;
      sums.add(seed);
    });
  for (auto& thread : threads) thread.join();

  EXPECT_EQ(sums, expected);
}

}  // namespace
}  // namespace procmap::test
