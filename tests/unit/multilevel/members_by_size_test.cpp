// SPDX-License-Identifier: MIT
#include "multilevel/members_by_size.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

struct Placed {
  Weight size;
  Block block = no_block;
  Weight room = 0;
};

/// By looking at all members.
MembersBySize::Lightest lightest_of(std::vector<Placed> const& all, Weight wanted) {
  Placed best{wanted};
  for (auto const& member : all) {
    if (member.block == no_block || member.size >= wanted || member.size + member.room < wanted) continue;
    bool const is_as_good = member.size == best.size && member.block != no_block && best.block != no_block;
    if (member.size < best.size ||
        (is_as_good && std::pair(member.room, member.block) > std::pair(best.room, best.block)))
      best = member;
  }
  return best.block == no_block ? MembersBySize::Lightest{} : MembersBySize::Lightest{best.size, best.block};
}

TEST(MembersBySize, FindsTheLightestInWhosePlaceSomethingFits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Placed> all;
    std::vector<Weight> sizes;
    for (std::uint64_t v = 0; v < 3 * seed; ++v) {
      sizes.push_back(random_below(10, seed, v));
      all.push_back({sizes.back()});
    }
    MembersBySize members(sizes);
    for (std::uint64_t step = 0; step < 200; ++step) {
      if (!all.empty()) {
        auto const v = static_cast<std::size_t>(random_below(static_cast<Weight>(all.size()), seed + 100, step));
        bool const leaves = random_below(3, seed + 200, step) == 0;
        all[v].block = leaves ? no_block : static_cast<Block>(random_below(5, seed + 300, step));
        all[v].room = random_below(8, seed + 400, step) - 3;
        if (leaves)
          members.take_out(static_cast<Vertex>(v));
        else
          members.put(static_cast<Vertex>(v), all[v].block, all[v].room);
      }
      for (Weight wanted = 0; wanted < 14; ++wanted) {
        auto const found = members.in_place_of(wanted), expected = lightest_of(all, wanted);
        ASSERT_EQ(found.block, expected.block) << "seed " << seed << ", step " << step << ", wanted " << wanted;
        ASSERT_EQ(found.size, expected.size);
      }
    }
  }
}

}  // namespace
}  // namespace procmap::test
