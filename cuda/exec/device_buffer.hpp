// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/device_memory.hpp"

namespace procmap {

/// Owns n uninitialised T in device memory, in the order of its stream. Move-only.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::size_t n, DeviceMemory memory) : size_(n), memory_(memory) {
    if (n == 0) return;
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw_out_of_memory(n);
    data_ = static_cast<T*>(memory.allocate(n * sizeof(T)));
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), memory_(other.memory_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_) memory_.release(data_, size_ * sizeof(T));
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Keeps the first n elements and gives the rest back. Moves them: pointers to the old place end here.
  void shrink(std::size_t n) {
    if (n >= size_) return;
    DeviceBuffer smaller(n, memory_);
    if (n > 0)
      cuda_check(cudaMemcpyAsync(smaller.data_, data_, n * sizeof(T), cudaMemcpyDeviceToDevice, memory_.stream()));
    *this = std::move(smaller);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  DeviceMemory memory_;
};

}  // namespace procmap
