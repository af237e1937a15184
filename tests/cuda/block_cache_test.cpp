// SPDX-License-Identifier: MIT
#include "cuda/exec/block_cache.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/backend.hpp"

namespace procmap::test {
namespace {

TEST(BlockCache, RoundsSizesUpByAnEighthAtMost) {
  std::size_t last = 0;
  for (std::size_t bytes = 1; bytes <= BlockCache::largest; bytes += 37) {
    auto const size = BlockCache::rounded(bytes);
    ASSERT_GE(size, bytes);
    ASSERT_LE(size, std::max<std::size_t>(512, bytes + bytes / 8));
    ASSERT_GE(size, last);
    ASSERT_EQ(BlockCache::rounded(size), size);
    last = size;
  }
}

TEST(BlockCache, HandsOutWhatItKeepsOnceAndForItsSizeOnly) {
  Backend backend;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    BlockCache cache(stream);
    for (std::size_t size = 512; size <= BlockCache::largest; size = BlockCache::rounded(size + 1)) {
      void* block = nullptr;
      ASSERT_EQ(cudaMallocAsync(&block, size, stream), cudaSuccess);
      ASSERT_EQ(cache.take(size), nullptr) << size;
      ASSERT_TRUE(cache.keep(block, size));
      ASSERT_EQ(cache.take(size), block);
      ASSERT_EQ(cache.take(size), nullptr) << size;
      ASSERT_TRUE(cache.keep(block, size));
    }
  }
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  cudaStreamDestroy(stream);
}

// Buffers that live at the same time never share memory, whatever was given back before.
TEST(BlockCache, BuffersKeepTheirValues) {
  Backend backend;
  for (std::uint64_t round = 0; round < 20; ++round) {
    std::vector<std::vector<int>> values;
    std::vector<Buffer<CudaExecutor, int>> buffers;
    for (std::uint64_t i = 0; i < 40; ++i) {
      auto const n = static_cast<std::size_t>(1 + random_below(i % 2 == 0 ? 900 : 300'000, round, i));
      values.emplace_back(n, static_cast<int>(100 * round + i));
      buffers.push_back(backend.put(values.back()));
      if (i % 3 == 2) {
        values.erase(values.begin());
        buffers.erase(buffers.begin());
      }
    }
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(backend.get(buffers[i]), values[i]);
  }
}

}  // namespace
}  // namespace procmap::test
