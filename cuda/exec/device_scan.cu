// SPDX-License-Identifier: MIT
#include "cuda/exec/device_scan.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include "cuda/exec/device_buffer.hpp"

namespace procmap {
namespace {

struct BitsOfWord {
  std::uint32_t const* words;
  Edge num_words;
  __device__ Edge operator()(Edge w) const { return w < num_words ? __popc(words[w]) : 0; }
};

}  // namespace

void exclusive_sum(DeviceMemory memory, Edge* data, Edge n) {
  std::size_t bytes = 0;
  cuda_check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, data, data, n, memory.stream()));
  DeviceBuffer<char> const storage(bytes, memory);
  cuda_check(cub::DeviceScan::ExclusiveSum(storage.data(), bytes, data, data, n, memory.stream()));
}

void count_bits_before(DeviceMemory memory, std::uint32_t const* words, Edge num_words, Edge* before) {
  auto const bits = thrust::make_transform_iterator(thrust::counting_iterator<Edge>(0), BitsOfWord{words, num_words});
  std::size_t bytes = 0;
  cuda_check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, bits, before, num_words + 1, memory.stream()));
  DeviceBuffer<char> const storage(bytes, memory);
  cuda_check(cub::DeviceScan::ExclusiveSum(storage.data(), bytes, bits, before, num_words + 1, memory.stream()));
}

}  // namespace procmap
