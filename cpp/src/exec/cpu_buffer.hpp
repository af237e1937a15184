// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace procmap {

/// Owns n uninitialised T in host memory. Move-only. Pages that are never written cost nothing, so
/// a generous upper bound followed by shrink() is cheap.
template <class T>
class CpuBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  CpuBuffer() = default;
  explicit CpuBuffer(std::size_t n) : size_(n) {
    if (n == 0) return;
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(std::malloc(n * sizeof(T)));
    if (!data_) throw std::bad_alloc();
  }
  CpuBuffer(CpuBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  CpuBuffer& operator=(CpuBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~CpuBuffer() { std::free(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Keeps the first n elements and gives the rest back.
  void shrink(std::size_t n) {
    if (n >= size_) return;
    size_ = n;
    if (n == 0) {
      std::free(std::exchange(data_, nullptr));
    } else if (void* smaller = std::realloc(data_, n * sizeof(T))) {
      data_ = static_cast<T*>(smaller);
    }
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace procmap
