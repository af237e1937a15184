// SPDX-License-Identifier: MIT
#pragma once

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <vector>

#include "exec/cpu_buffer.hpp"
#include "exec/cpu_table.hpp"
#include "exec/executor.hpp"

namespace procmap {

/// One lane: the CPU counterpart of a CUDA tile.
struct SerialGroup {
  static constexpr int rank() { return 0; }
  static constexpr int size() { return 1; }
  template <class T>
  T sum(T value) const {
    return value;
  }
  /// The best of all lanes' values under the order `better`.
  template <class T, class Better>
  T best(T value, Better) const {
    return value;
  }
  /// The sum over the lanes of lower rank.
  template <class T>
  T sum_below(T) const {
    return 0;
  }
  void sync() const {}

  /// As a team (Executor::for_each_team).
  template <class Count, class Size, class F>
  void for_rows(Count count, Size, F f) const {
    for (Count i = 0; i < count; ++i) f(i, SerialGroup{});
  }
  template <class T>
  T* counters(T* own) const {
    return own;
  }
  static FastMemory fast_memory() { return {}; }
};

/// Runs passes on the host, on `threads` OpenMP threads. Passes below `serial_below` items are not
/// worth waking a second thread.
class CpuExecutor {
 public:
  template <class T>
  using Buffer = CpuBuffer<T>;

  CpuExecutor(int threads, Run& run) : threads_(usable_threads(threads)), run_(run) {
    tables_.resize(static_cast<std::size_t>(threads_));
  }

  /// <= 0: all. Far more threads than processors only invite libgomp to abort when it cannot start one.
  static int usable_threads(int wanted) {
    if (wanted <= 0) return omp_get_max_threads();
    return std::min(wanted, std::max(omp_get_max_threads(), 8 * omp_get_num_procs()));
  }

  int threads() const { return threads_; }
  /// Arcs that a pass with temporary rows should handle at a time: a slab stays in the cache.
  static constexpr Edge slab_arcs() { return Edge{1} << 20; }
  Run& run() const { return run_; }
  Phase phase(std::string_view name) const { return Phase(run_, name); }
  void checkpoint() const { run_.checkpoint(); }

  struct ScratchScope {
    explicit ScratchScope(CpuExecutor&) {}
  };
  template <class T>
  static constexpr std::size_t scratch_bytes(std::size_t n) {
    return n * sizeof(T);
  }
  static constexpr std::size_t pass_bytes(std::size_t) { return 0; }
  template <class F>
  void resident(ResidentNeeds, F const& f) {
    f(*this);
  }

  template <class T>
  Buffer<T> buffer(std::size_t n) const {
    return Buffer<T>(n);
  }

  template <class F>
  void for_each(Edge n, F f) const {
#pragma omp parallel for num_threads(threads_) schedule(static) if (n >= serial_below)
    for (Edge i = 0; i < n; ++i) f(i);
  }

  template <class F>
  void for_each_ahead(Edge n, F f) const {
    for_each(n, f);
  }

  template <class Work, class F>
  void for_each_in_group(Edge n, Work, F f) const {
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 256) if (n >= serial_below_table)
    for (Edge i = 0; i < n; ++i) f(i, SerialGroup{});
  }

  template <class Needs, class F>
  void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    std::exception_ptr failure;
#pragma omp parallel num_threads(threads_) if (n >= serial_below_table)
    {
      auto& table = tables_[static_cast<std::size_t>(omp_get_thread_num())].table;
#pragma omp for schedule(dynamic, 256)
      for (Edge i = 0; i < n; ++i) {
        try {
          table.reset(TableNeeds(needs(i)).keys, universe);
          f(i, SerialGroup{}, table);
        } catch (...) {  // out of memory in a table; exceptions must not leave an OpenMP loop
#pragma omp critical(procmap_table_failure)
          failure = std::current_exception();
        }
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  template <class F>
  void for_each_team(Edge n, Edge work, F f) const {
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1) if (n > 1 && work >= serial_below_table)
    for (Edge i = 0; i < n; ++i) f(i, SerialGroup{});
  }

  /// f(i) for a few large independent jobs; f may throw.
  template <class F>
  void for_each_job(Edge n, F f) const {
    std::exception_ptr failure;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1) if (n > 1)
    for (Edge i = 0; i < n; ++i) {
      try {
        f(i);
      } catch (...) {
#pragma omp critical(procmap_job_failure)
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  template <class T>
  void fill(T* data, Edge n, T value) const {
    for_each(n, [=](Edge i) { data[i] = value; });
  }
  template <class T>
  void copy(T const* from, Edge n, T* to) const {
    for_each(n, [=](Edge i) { to[i] = from[i]; });
  }
  template <class T>
  void upload(T const* host, Edge n, T* data) const {
    if (n > 0) std::memcpy(data, host, static_cast<std::size_t>(n) * sizeof(T));
  }
  template <class T>
  void download(T const* data, Edge n, T* host) const {
    if (n > 0) std::memcpy(host, data, static_cast<std::size_t>(n) * sizeof(T));
  }

  template <class T>
  T read(T const* value) const {
    return *value;
  }

  template <class F>
  Weight sum(Edge n, F term) const {
    Weight total = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : total) if (n >= serial_below)
    for (Edge i = 0; i < n; ++i) total += term(i);
    return total;
  }

  template <class F>
  Weight sum_in_group(Edge n, F term) const {
    return sum(n, [=](Edge i) { return term(i, SerialGroup{}); });
  }

  template <class F>
  Weight max(Edge n, F term) const {
    auto largest = std::numeric_limits<Weight>::min();
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(max : largest) if (n >= serial_below)
    for (Edge i = 0; i < n; ++i) largest = std::max(largest, static_cast<Weight>(term(i)));
    return largest;
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

  template <class F>
  void prefix_sums(Edge n, F term, Edge* out) const {
    scan(n, term, out);
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

  template <class Predicate, class F, class T>
  Edge collect(Edge n, Predicate predicate, F value, T* out) const {
    return select(n, predicate, value, out);
  }

  template <class T, class Less>
  void sort(T* data, Edge n, Less less) const {
    if (n < serial_below_sort || threads_ == 1) {
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

 private:
  static constexpr Edge serial_below = 1 << 14;
  static constexpr Edge serial_below_table = 1 << 10;
  static constexpr Edge serial_below_sort = 1 << 14;

  // Two sweeps over equal chunks, one per thread: `measure` a chunk, then `write` it knowing the
  // total of the chunks before. `write` returns the total up to its end. Returns the whole total.
  template <class Measure, class Write>
  Edge in_chunks(Edge n, Measure measure, Write write) const {
    if (n < serial_below || threads_ == 1) return write(Edge{0}, n, Edge{0});
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
  Run& run_;
  std::vector<PaddedTable> tables_;
};

static_assert(Executor<CpuExecutor>);

}  // namespace procmap
