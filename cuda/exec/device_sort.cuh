// SPDX-License-Identifier: MIT
#pragma once

#include <cub/device/device_merge_sort.cuh>

#include "cuda/exec/device_buffer.hpp"
#include "procmap/types.hpp"

namespace procmap {

template <class T, class Less>
struct DeviceLess {
  Less less;
  __device__ bool operator()(T const& a, T const& b) const { return less(a, b); }
};

/// Sorts by a strict total order, so that the result does not depend on how.
template <class T, class Less>
void merge_sort(DeviceMemory memory, T* data, Edge n, Less less) {
  if (n < 2) return;
  DeviceLess<T, Less> const compare{less};
  std::size_t bytes = 0;
  cuda_check(cub::DeviceMergeSort::SortKeys(nullptr, bytes, data, n, compare, memory.stream()));
  DeviceBuffer<char> const storage(bytes, memory);
  cuda_check(cub::DeviceMergeSort::SortKeys(storage.data(), bytes, data, n, compare, memory.stream()));
}

}  // namespace procmap
