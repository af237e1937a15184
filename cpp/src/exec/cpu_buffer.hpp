// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "exec/pages.hpp"

namespace procmap {

/// Owns n uninitialised T in host memory. Move-only. Pages that are never written cost nothing, so
/// a generous upper bound followed by shrink() is cheap.
///
/// A large array has pages of its own, which go back to the system with it. malloc keeps them for arrays to come, and
/// where these have other sizes, holes remain.
template <class T>
class CpuBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  CpuBuffer() = default;
  explicit CpuBuffer(std::size_t n) : size_(n) {
    if (n == 0) return;
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    own_pages_ = deserves_pages(n * sizeof(T));
    data_ = static_cast<T*>(own_pages_ ? take_pages(n * sizeof(T)) : std::malloc(n * sizeof(T)));
    if (!data_) throw std::bad_alloc();
  }
  CpuBuffer(CpuBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        own_pages_(std::exchange(other.own_pages_, false)) {}
  CpuBuffer& operator=(CpuBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(own_pages_, other.own_pages_);
    return *this;
  }
  ~CpuBuffer() { release(); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Keeps the first n elements and gives the rest back.
  void shrink(std::size_t n) {
    if (n >= size_) return;
    if (n == 0) {
      release();
    } else if (own_pages_) {
      give_pages_behind(data_, size_ * sizeof(T), n * sizeof(T));
    } else if (void* smaller = std::realloc(data_, n * sizeof(T))) {
      data_ = static_cast<T*>(smaller);
    }
    size_ = n;
  }

 private:
  void release() {
    if (own_pages_)
      give_pages_behind(data_, size_ * sizeof(T), 0);
    else
      std::free(data_);
    data_ = nullptr;
    own_pages_ = false;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  bool own_pages_ = false;
};

}  // namespace procmap
