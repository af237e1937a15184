// SPDX-License-Identifier: MIT
#include "backends/result_room.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace procmap::test {
namespace {

TEST(ResultRoom, HasAPlaceForEveryVertexWheneverItIsMade) {
  for (bool const elsewhere : {false, true})
    for (std::size_t const n : {std::size_t{0}, std::size_t{7}, std::size_t{1} << 20, (std::size_t{1} << 20) + 3}) {
      ResultRoom room(n, elsewhere);
      auto moved = std::move(room);

      EXPECT_EQ(moved.take(), std::vector<Block>(n, 0));
    }
}

}  // namespace
}  // namespace procmap::test
