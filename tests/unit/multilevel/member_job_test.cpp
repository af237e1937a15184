// SPDX-License-Identifier: MIT
#include "multilevel/split/member_job.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "procmap/procmap.hpp"

namespace procmap::test {
namespace {

/// Two triangles that an edge joins.
MemberJob two_triangles() {
  MemberJob job;
  job.graph.offsets = {0, 2, 4, 7, 10, 12, 14};
  job.graph.heads = {1, 2, 0, 2, 0, 1, 3, 2, 4, 5, 3, 5, 3, 4};
  job.graph.arc_weights.assign(14, 1);
  job.graph.vertex_weights.assign(6, 1);
  job.targets = {.num_scopes = 1, .parts = 2, .capacity = {3, 3}, .share = {3, 3}};
  job.plan.coarsening.goal = {.target_vertices = 2, .max_weight = 1};
  job.plan.stage.name = "a stage";
  job.plan.stage.seed = 7;
  job.plan.tournament = 2;
  job.plan.refined_starts = 0.5;
  return job;
}

TEST(MemberJob, IsTheSameAfterItsJourney) {
  auto const bytes = packed(two_triangles());
  auto const job = unpacked_member(bytes);
  EXPECT_EQ(job.graph.heads, two_triangles().graph.heads);
  EXPECT_EQ(job.targets.capacity, (std::vector<Weight>{3, 3}));
  EXPECT_EQ(job.plan.stage.name, "a stage");
  EXPECT_EQ(job.plan.tournament, 2);
  EXPECT_EQ(job.plan.refined_starts, 0.5);
  EXPECT_TRUE(job.scope.empty());
  EXPECT_EQ(packed(job), bytes);
}

TEST(MemberJob, OfAnyOtherLengthIsRefused) {
  auto const bytes = packed(two_triangles());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(unpacked_member(std::string_view(bytes).substr(0, length)), ConfigError) << length;
  EXPECT_THROW(unpacked_member(bytes + "x"), ConfigError);
}

TEST(MemberJob, OfAnotherVersionIsRefused) {
  auto bytes = packed(two_triangles());
  bytes[sizeof(std::uint64_t)] = 'q';
  EXPECT_THROW(unpacked_member(bytes), ConfigError);
}

TEST(MemberJob, IsDoneAsASplit) {
  auto const answer = do_job(packed(two_triangles()), "cpu", 1);
  auto const blocks = unpacked_blocks(answer, 6, 2);
  EXPECT_EQ(blocks[0], blocks[1]);
  EXPECT_EQ(blocks[1], blocks[2]);
  EXPECT_EQ(blocks[3], blocks[4]);
  EXPECT_EQ(blocks[4], blocks[5]);
  EXPECT_NE(blocks[0], blocks[5]);
}

TEST(MemberJob, WrongAnswersAreRefused) {
  auto const answer = packed(std::vector<Block>{0, 1, 2});
  EXPECT_EQ(unpacked_blocks(answer, 3, 3), (std::vector<Block>{0, 1, 2}));
  EXPECT_THROW(unpacked_blocks(answer, 3, 2), ConfigError);
  EXPECT_THROW(unpacked_blocks(answer, 4, 3), ConfigError);
  EXPECT_THROW(unpacked_blocks("", 0, 1), ConfigError);
}

TEST(MembersAway, OneOfEveryShareStays) {
  EXPECT_TRUE(members_away(6, 0).empty());
  EXPECT_TRUE(members_away(1, 5).empty());
  EXPECT_EQ(members_away(6, 1), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(members_away(6, 2), (std::vector<int>{1, 2, 4, 5}));
  EXPECT_EQ(members_away(4, 1 << 20), (std::vector<int>{1, 2, 3}));
}

}  // namespace
}  // namespace procmap::test
