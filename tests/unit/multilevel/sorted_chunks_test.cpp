// SPDX-License-Identifier: MIT
#include "multilevel/empty/sorted_chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

std::vector<std::int64_t> some_of(std::set<std::int64_t> const& all, std::size_t i, std::size_t count) {
  std::vector<std::int64_t> some(all.begin(), all.end());
  if (i >= some.size()) return {};
  some.erase(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(i));
  if (some.size() > count) some.resize(count);
  return some;
}

// Of few numbers, which come and go, and of so many that chunks are halved and become empty.
TEST(SortedChunks, AreASetThatIsReadInOrder) {
  for (std::int64_t const bound : {3, 100, 5000}) {
    SortedChunks<std::int64_t> chunks;
    std::set<std::int64_t> expected;
    for (std::uint64_t step = 0; step < 10'000; ++step) {
      auto const item = random_below(bound, 1, step);
      bool const comes = random_below(step < 6000 ? 5 : 2, 2, step) > 0;
      chunks.erase(item);  // nobody puts one in twice
      expected.erase(item);
      if (comes) {
        chunks.insert(item);
        expected.insert(item);
      }
      if (step % 500 == 0) {
        std::vector<char> gone;
        for (std::size_t i = 0; i < std::min<std::size_t>(700, expected.size()); ++i)
          gone.push_back(static_cast<char>(random_below(2, step, i)));
        chunks.drop(gone);
        auto next = expected.begin();
        for (char const is_gone : gone) next = is_gone ? expected.erase(next) : std::next(next);
      }
      if (step % 100 != 0) continue;
      ASSERT_EQ(chunks.size(), expected.size());
      for (std::size_t const i : {0, 1, 511, 512, 1500})
        for (std::size_t const count : {0, 1, 64, 1024}) ASSERT_EQ(chunks.from(i, count), some_of(expected, i, count));
    }
  }
}

}  // namespace
}  // namespace procmap::test
