// SPDX-License-Identifier: MIT
#include "exec/merge_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "support/graphs.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

/// Sorts runs of numbers up to `bound`, then merges them in pieces of `piece` until one is left.
std::vector<Weight> sorted_by_runs(std::vector<Weight> numbers, Edge runs, Edge piece) {
  auto const n = static_cast<Edge>(numbers.size());
  std::vector<Weight> room(numbers.size());
  SortedRuns<Weight, std::less<>> sorted{numbers.data(), n, runs, {}};
  for (Edge r = 0; r < runs; ++r)
    std::sort(numbers.begin() + sorted.begin_of(r), numbers.begin() + sorted.begin_of(r + 1));
  for (; sorted.count > 1; sorted.count /= 2) {
    sorted.data = numbers.data();
    for (Edge begin = 0; begin < n; begin += piece) sorted.merge_piece(begin, std::min(begin + piece, n), room.data());
    numbers.swap(room);
  }
  return numbers;
}

TEST(SortedRuns, BecomeOneInPiecesOfAnyLength) {
  for (Edge const n : {0, 1, 7, 64, 1001})
    for (Edge const runs : {1, 2, 4, 16})
      for (Edge const piece : {1, 5, 250, 2000})
        for (Weight const bound : {1, 10, 1'000'000}) {
          std::vector<Weight> numbers(at(n));
          for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = random_below(bound, 1, i);
          auto expected = numbers;
          std::ranges::sort(expected);

          EXPECT_EQ(sorted_by_runs(numbers, runs, piece), expected)
              << n << " numbers below " << bound << ", " << runs << " runs, pieces of " << piece;
        }
}

}  // namespace
}  // namespace procmap::test
