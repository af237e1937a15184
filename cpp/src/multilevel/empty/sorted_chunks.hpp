// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace procmap {

/// Different items in order, some of which come and go. Whoever reads them from the first on reads memory forwards,
/// as they lie in chunks.
template <class T>
class SortedChunks {
 public:
  std::size_t size() const { return size_; }

  void insert(T const& item) {
    auto chunk = chunk_of(item);
    if (chunk == chunks_.end()) chunk = chunks_.empty() ? chunks_.emplace(chunk) : chunk - 1;
    chunk->insert(std::ranges::lower_bound(*chunk, item), item);
    ++size_;
    if (chunk->size() == largest) halve(chunk);
  }

  /// Does nothing if it is not there.
  void erase(T const& item) {
    auto const chunk = chunk_of(item);
    if (chunk == chunks_.end()) return;
    auto const found = std::ranges::lower_bound(*chunk, item);
    if (*found != item) return;
    chunk->erase(found);
    --size_;
    if (chunk->empty()) chunks_.erase(chunk);
  }

  /// `count` items from the i-th on, or as many as there are.
  std::vector<T> from(std::size_t i, std::size_t count) const {
    std::vector<T> found;
    if (i >= size_) return found;
    found.reserve(std::min(count, size_ - i));
    for (auto const& chunk : chunks_) {
      if (i < chunk.size()) {
        auto const first = chunk.begin() + static_cast<std::ptrdiff_t>(i);
        auto const fits = std::min(count - found.size(), chunk.size() - i);
        found.insert(found.end(), first, first + static_cast<std::ptrdiff_t>(fits));
        if (found.size() == count) break;
      }
      i -= std::min(i, chunk.size());
    }
    return found;
  }

  /// Removes the i-th if gone[i].
  void drop(std::vector<char> const& gone) {
    std::size_t seen = 0;
    for (auto& chunk : chunks_) {
      if (seen == gone.size()) break;
      auto const before = chunk.size();
      auto const looked_at = std::min(before, gone.size() - seen);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < looked_at; ++i)
        if (!gone[seen + i]) chunk[kept++] = chunk[i];
      if (kept < looked_at)
        chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(kept),
                    chunk.begin() + static_cast<std::ptrdiff_t>(looked_at));
      size_ -= before - chunk.size();
      seen += looked_at;
    }
    std::erase_if(chunks_, [](Chunk const& chunk) { return chunk.empty(); });
  }

 private:
  using Chunk = std::vector<T>;
  static constexpr std::size_t largest = 512;

  /// The first one whose last item is not before `item`.
  auto chunk_of(T const& item) {
    return std::ranges::lower_bound(chunks_, item, {}, [](Chunk const& chunk) -> T const& { return chunk.back(); });
  }

  void halve(typename std::vector<Chunk>::iterator chunk) {
    auto const middle = chunk->begin() + static_cast<std::ptrdiff_t>(chunk->size() / 2);
    Chunk upper(middle, chunk->end());
    chunk->erase(middle, chunk->end());
    chunks_.insert(chunk + 1, std::move(upper));
  }

  std::vector<Chunk> chunks_;  // none is empty between calls
  std::size_t size_ = 0;
};

}  // namespace procmap
