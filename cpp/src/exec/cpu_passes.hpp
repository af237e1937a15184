// SPDX-License-Identifier: MIT
#pragma once

#include <omp.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <limits>
#include <vector>

#include "exec/cpu_buffer.hpp"
#include "exec/cpu_table.hpp"
#include "exec/executor.hpp"
#include "exec/serial_group.hpp"

namespace procmap {

static_assert(SumTable<CpuTable, SerialGroup>);

/// The passes that phases of both kinds use, on `threads` OpenMP threads of the host. Passes below `serial_below` items
/// are not worth waking a second thread.
class CpuPasses {
 public:
  template <class T>
  using Buffer = CpuBuffer<T>;

  explicit CpuPasses(int threads) : threads_(threads), tables_(static_cast<std::size_t>(threads)) {}

  int threads() const { return threads_; }

  template <class T>
  Buffer<T> buffer(std::size_t n) const {
    return Buffer<T>(n);
  }

  template <class F>
  void for_each(Edge n, F f) const {
    auto const range = [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i) f(i);
    };
    if (is_serial(n, serial_below)) return range(0, n);
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) range(n * t / threads_, n * (t + 1) / threads_);
  }

  template <class Work, class F>
  void for_each_in_group(Edge n, Work, F f) const {
    auto const range = [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i) f(i, SerialGroup{});
    };
    if (is_serial(n, serial_below_table)) return range(0, n);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Edge begin = 0; begin < n; begin += chunk) range(begin, std::min(begin + chunk, n));
  }

  template <class Needs, class F>
  void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    auto const range = [&](Edge begin, Edge end, CpuTable& table) {
      for (Edge i = begin; i < end; ++i) {
        table.reset(TableNeeds(needs(i)).keys, universe);
        f(i, SerialGroup{}, table);
      }
    };
    if (is_serial(n, serial_below_table)) return range(0, n, tables_[0].table);
    std::exception_ptr failure;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Edge begin = 0; begin < n; begin += chunk) {
      try {
        range(begin, std::min(begin + chunk, n), tables_[static_cast<std::size_t>(omp_get_thread_num())].table);
      } catch (...) {  // out of memory in a table; exceptions must not leave an OpenMP loop
#pragma omp critical(procmap_table_failure)
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  template <class F>
  Weight sum(Edge n, F term) const {
    auto const range = [&](Edge begin, Edge end) {
      Weight part = 0;
      for (Edge i = begin; i < end; ++i) part += term(i);
      return part;
    };
    if (is_serial(n, serial_below)) return range(0, n);
    Weight total = 0;
#pragma omp parallel for num_threads(threads_) schedule(static, 1) reduction(+ : total)
    for (int t = 0; t < threads_; ++t) total += range(n * t / threads_, n * (t + 1) / threads_);
    return total;
  }

  template <class F>
  Edge scan(Edge n, F term, Edge* out) const {
    return scan(n, term, out, [](Edge, Edge) {});
  }
  template <class F, class Visit>
  Edge scan(Edge n, F term, Edge* out, Visit visit) const {
    return in_chunks(
        n,
        [=](Edge begin, Edge end) {
          Edge total = 0;
          for (Edge i = begin; i < end; ++i) total += term(i);
          return total;
        },
        [=](Edge begin, Edge end, Edge before) {
          for (Edge i = begin; i < end; ++i) {
            Edge const value = term(i);  // read before the write: `term` may read `out`
            out[i] = before;
            visit(i, before);
            before += value;
          }
          if (end == n) out[n] = before;
          return before;
        });
  }

  template <class Predicate, class F, class T>
  Edge select(Edge n, Predicate predicate, F value, T* out) const {
    return in_chunks(
        n,
        [=](Edge begin, Edge end) {
          Edge count = 0;
          for (Edge i = begin; i < end; ++i) count += predicate(i) ? 1 : 0;
          return count;
        },
        [=](Edge begin, Edge end, Edge before) {
          // 64 answers at a time: no branch per item that the processor could guess wrong.
          for (Edge i = begin; i < end; i += 64) {
            std::uint64_t hits = 0;
            int const count = static_cast<int>(std::min<Edge>(64, end - i));
            for (int j = 0; j < count; ++j) hits |= static_cast<std::uint64_t>(predicate(i + j) ? 1 : 0) << j;
            for (; hits != 0; hits &= hits - 1) out[before++] = static_cast<T>(value(i + std::countr_zero(hits)));
          }
          return before;
        });
  }

  template <class T, class Less>
  void sort(T* data, Edge n, Less less) const {
    if (is_serial(n, serial_below_sort)) {
      std::sort(data, data + n, less);
      return;
    }
    auto const cut = [=, this](int t) { return n * t / threads_; };
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) std::sort(data + cut(t), data + cut(t + 1), less);
    for (int width = 1; width < threads_; width *= 2) {
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
      for (int t = 0; t < threads_; t += 2 * width)
        if (t + width < threads_)
          std::inplace_merge(data + cut(t), data + cut(t + width), data + cut(std::min(t + 2 * width, threads_)), less);
    }
  }

 protected:
  static constexpr Edge serial_below = 1 << 14;
  static constexpr Edge serial_below_table = 1 << 10;
  static constexpr Edge serial_below_sort = 1 << 14;

  /// Is a pass over n items for the calling thread? Then it does without OpenMP, whose team of one costs a system call:
  /// a quarter of the time of a graph of ten vertices (measured).
  bool is_serial(Edge n, Edge serial_below_items) const { return n < serial_below_items || threads_ == 1; }

 private:
  static constexpr Edge chunk = 256;  // items that a thread takes at a time where they differ

  // Two sweeps over equal chunks, one per thread: `measure` a chunk, then `write` it knowing the
  // total of the chunks before. `write` returns the total up to its end. Returns the whole total.
  template <class Measure, class Write>
  Edge in_chunks(Edge n, Measure measure, Write write) const {
    if (is_serial(n, serial_below)) return write(Edge{0}, n, Edge{0});
    std::vector<Edge> before(static_cast<std::size_t>(threads_) + 1, 0);
    Edge* const totals = before.data();
    auto const cut = [=, this](int t) { return n * t / threads_; };
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) totals[t + 1] = measure(cut(t), cut(t + 1));
    for (int t = 0; t < threads_; ++t) totals[t + 1] += totals[t];
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) write(cut(t), cut(t + 1), totals[t]);
    return totals[threads_];
  }

  struct alignas(64) PaddedTable {  // no two threads share a cache line
    CpuTable table;
  };

  int threads_;
  std::vector<PaddedTable> tables_;
};

static_assert(Passes<CpuPasses>);

}  // namespace procmap
