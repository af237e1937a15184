// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "exec/processors.hpp"
#include "exec/work_pool.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Threads for loops that only stream memory: what was asked for, but never more than there are processors.
inline int resolve_threads(int threads) {
  int const all = default_threads();
  return threads > 0 ? std::min(threads, std::max(all, num_processors())) : all;
}

/// Calls f(chunk) for every chunk. If calls throw, the exception of the smallest chunk is passed on, after all
/// chunks ran: with chunks in input order and f stopping at its first culprit, that is the first culprit of the
/// input, whatever the number of threads or chunks.
template <class F>
void for_each_chunk(int num_chunks, int threads, F f) {
  if (threads <= 1 || num_chunks <= 1) {
    for (int chunk = 0; chunk < num_chunks; ++chunk) f(chunk);
    return;
  }
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(num_chunks));
  WorkPool pool(std::min(threads, num_chunks));
  pool.share({.n = num_chunks, .wakes = true}, [&](Edge chunk, Edge end) {
    for (; chunk < end; ++chunk) try {
        f(static_cast<int>(chunk));
      } catch (...) {
        errors[static_cast<std::size_t>(chunk)] = std::current_exception();
      }
  });
  for (auto const& error : errors)
    if (error) std::rethrow_exception(error);
}

/// [0, size) cut into equal pieces.
class RangeChunks {
 public:
  explicit RangeChunks(Edge size) : length_(size), size_(static_cast<int>(std::clamp<Edge>(size >> 16, 1, 1 << 12))) {}

  int size() const { return size_; }
  std::pair<Edge, Edge> range(int chunk) const { return {start(chunk), start(chunk + 1)}; }

 private:
  Edge start(int chunk) const { return length_ / size_ * chunk + length_ % size_ * chunk / size_; }

  Edge length_;
  int size_;
};

/// Rows of a CSR graph cut into pieces of about the same number of rows plus arcs.
class RowChunks {
 public:
  /// `offsets` must be monotone from 0.
  explicit RowChunks(std::span<Edge const> offsets)
      : offsets_(offsets), work_(offsets.back() + num_rows()), size_(static_cast<int>(num_chunks(work_))) {}

  int size() const { return size_; }
  std::pair<Vertex, Vertex> rows(int chunk) const { return {first_row(chunk), first_row(chunk + 1)}; }

 private:
  // Large enough that starting a chunk costs nothing, small enough to even out threads.
  static constexpr Edge chunk_work = 1 << 16;
  static constexpr Edge max_chunks = 1 << 14;

  static Edge num_chunks(Edge work) { return std::clamp<Edge>(work / chunk_work, 1, max_chunks); }
  Edge num_rows() const { return static_cast<Edge>(offsets_.size()) - 1; }

  Vertex first_row(int chunk) const {
    Edge const share = work_ / size_ * chunk + work_ % size_ * chunk / size_;
    Edge low = 0;
    for (Edge high = num_rows(); low < high;) {
      Edge const row = low + (high - low) / 2;
      if (offsets_[static_cast<std::size_t>(row)] + row < share)
        low = row + 1;
      else
        high = row;
    }
    return static_cast<Vertex>(low);
  }

  std::span<Edge const> offsets_;
  Edge work_;
  int size_;
};

}  // namespace procmap
