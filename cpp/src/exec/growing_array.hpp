// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "exec/cpu_buffer.hpp"

namespace procmap {

/// An array of one thread that gets longer and keeps what it holds. New items have no value.
template <class T>
class GrowingArray {
 public:
  /// Room for n items, of which the first `used` are kept.
  void make_room(std::size_t n, std::size_t used) {
    if (n <= items_.size()) return;
    CpuBuffer<T> longer(std::max(n, items_.size() + items_.size() / 2));
    std::copy_n(items_.data(), used, longer.data());
    items_ = std::move(longer);
  }
  T* data() const { return items_.data(); }
  T& operator[](std::size_t i) const { return items_.data()[i]; }

 private:
  CpuBuffer<T> items_;
};

}  // namespace procmap
