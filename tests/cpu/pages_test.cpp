// SPDX-License-Identifier: MIT
#include "exec/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace procmap::test {
namespace {

TEST(Pages, WhatIsBesideAnArrayThatIsToHaveLargeOnesStays) {
  std::vector<unsigned> memory(std::size_t{2} << 20);
  std::iota(memory.begin(), memory.end(), 0u);
  auto const before = memory;
  for (std::size_t const begin : {0, 1, 1024, 600'000})
    for (std::size_t const items : {0, 1, 2'000, 1'400'000}) {
      prefer_large_pages(memory.data() + begin, items * sizeof(unsigned));

      EXPECT_EQ(memory, before) << begin << ", " << items;
    }
}

TEST(Pages, TheBeginningOfAnArrayStaysWhenItsEndIsGivenBack) {
  constexpr std::size_t bytes = std::size_t{6} << 20, kept = 70'001;
  if (!deserves_pages(bytes)) GTEST_SKIP() << "this system has no pages to ask for";
  auto* const array = static_cast<char*>(take_pages(bytes));
  ASSERT_NE(array, nullptr);
  EXPECT_TRUE(std::all_of(array, array + bytes, [](char c) { return c == 0; }));
  std::fill_n(array, bytes, 'x');

  give_pages_behind(array, bytes, kept);

  EXPECT_TRUE(std::all_of(array, array + kept, [](char c) { return c == 'x'; }));
  give_pages_behind(array, kept, 0);
}

}  // namespace
}  // namespace procmap::test
