// SPDX-License-Identifier: MIT
#include "cuda/exec/gpu_traits.hpp"

#include <gtest/gtest.h>

namespace procmap::test {
namespace {

constexpr std::size_t kib = 1024;

TEST(GpuTraits, ClustersNeedCodeThatKnowsOfThem) {
  EXPECT_EQ(most_cluster_blocks(90, 9), 16u);
  EXPECT_EQ(most_cluster_blocks(80, 8), 1u);
  EXPECT_EQ(most_cluster_blocks(80, 9), 1u);   // PTX of an A100 on an H100
  EXPECT_EQ(most_cluster_blocks(80, 10), 1u);  // ... and on what came after it: what is built if nobody says otherwise
  EXPECT_EQ(most_cluster_blocks(100, 10), 8u);
  EXPECT_EQ(most_cluster_blocks(120, 12), 8u);
}

TEST(GpuTraits, SharedMemoryOfATeamFitsAnyGpu) {
  EXPECT_EQ(fitting_shared_memory(100 * kib, 227 * kib), 100 * kib);
  EXPECT_EQ(fitting_shared_memory(100 * kib, 99 * kib), 91 * kib);
  EXPECT_EQ(fitting_shared_memory(100 * kib, 4 * kib), 0u);
}

TEST(GpuTraits, CodeForThisGpuIsThere) { EXPECT_GE(compiled_for(), 80); }

}  // namespace
}  // namespace procmap::test
