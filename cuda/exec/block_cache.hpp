// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <bit>
#include <cstddef>
#include <vector>

namespace procmap {

/// Keeps small blocks of device memory that the buffers of one stream gave back, for those that come next: a call makes
/// thousands, and the driver takes about as long for one as for a launch. Every block stays an allocation of its own,
/// so that compute-sanitizer sees where it ends.
class BlockCache {
 public:
  static constexpr std::size_t largest = std::size_t{1} << 20;

  explicit BlockCache(cudaStream_t stream) : stream_(stream) {}
  BlockCache(BlockCache const&) = delete;
  BlockCache& operator=(BlockCache const&) = delete;
  ~BlockCache() { clear(); }

  /// The size of the block for so many bytes, an eighth more at most.
  static std::size_t rounded(std::size_t bytes) {
    if (bytes <= least) return least;
    auto const step = std::bit_floor(bytes) / parts;
    return (bytes + step - 1) / step * step;
  }

  /// A block of a rounded size that was kept, or null.
  void* take(std::size_t size) {
    auto& blocks = free_[place_of(size)];
    if (blocks.empty()) return nullptr;
    auto* const block = blocks.back();
    blocks.pop_back();
    kept_ -= size;
    return block;
  }
  /// Keeps a block if there is not too much already.
  bool keep(void* block, std::size_t size) noexcept {
    constexpr std::size_t most = std::size_t{32} << 20;
    if (kept_ + size > most) return false;
    try {
      free_[place_of(size)].push_back(block);
    } catch (...) {
      return false;
    }
    kept_ += size;
    return true;
  }
  void clear() noexcept {
    for (auto& blocks : free_) {
      for (auto* const block : blocks) cudaFreeAsync(block, stream_);
      blocks.clear();
    }
    kept_ = 0;
  }

 private:
  static constexpr std::size_t least = 512;
  static constexpr std::size_t parts = 8;  // sizes between two powers of two

  static std::size_t place_of(std::size_t size) {
    auto const power = static_cast<std::size_t>(std::bit_width(size) - 1);
    return power * parts + (size * parts >> power) - parts;
  }

  cudaStream_t stream_;
  std::size_t kept_ = 0;
  std::array<std::vector<void*>, 21 * parts> free_;
};

}  // namespace procmap
