// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "core/combined_sums.hpp"
#include "exec/cpu_buffer.hpp"
#include "exec/cpu_table.hpp"
#include "exec/executor.hpp"
#include "exec/merge_runs.hpp"
#include "exec/serial_group.hpp"
#include "exec/spread_sum.hpp"
#include "exec/work_pool.hpp"

namespace procmap {

static_assert(SumTable<CpuTable, SerialGroup>);

/// Threads, and a table for each.
struct CpuTeam {
  explicit CpuTeam(int threads) : pool(threads) {
    auto const size = static_cast<std::size_t>(pool.size());
    tables.reserve(size);
    for (std::size_t i = 0; i < size; ++i) tables.emplace_back(pool.size());
  }

  struct alignas(64) PaddedTable {  // no two threads share a cache line
    explicit PaddedTable(int tables) : table(tables) {}
    CpuTable table;
  };

  CpuTable& own_table() { return tables[static_cast<std::size_t>(pool.self())].table; }

  WorkPool pool;
  std::vector<PaddedTable> tables;
};

/// The passes that phases of both kinds use, on the threads of a team of the host. Every thread may run passes of its
/// own. Short ones stay with the thread that runs them; chunks of the others go to whoever is idle, and those that turn
/// out to be long wake threads that sleep.
class CpuPasses {
 public:
  template <class T>
  using Buffer = CpuBuffer<T>;

  explicit CpuPasses(std::shared_ptr<CpuTeam> team) : team_(std::move(team)) {}

  int threads() const { return team_->pool.size(); }

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
    share(n, serial_below, range);
  }

  template <class Work, class F>
  void for_each_in_group(Edge n, Work, F f) const {
    auto const range = [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i) f(i, SerialGroup{});
    };
    if (is_serial(n, serial_below_table)) return range(0, n);
    share(n, serial_below_table, range);
  }

  template <class Needs, class F>
  void for_each_with_table(Edge n, Needs needs, Vertex universe, F f) {
    auto const range = [&](Edge begin, Edge end) {
      auto& table = team_->own_table();
      table.open(universe);
      for (Edge i = begin; i < end; ++i) {
        table.reset(TableNeeds(needs(i)).keys);
        f(i, SerialGroup{}, table);
      }
    };
    if (is_serial(n, serial_below_table)) return range(0, n);
    share(n, serial_below_table, range);
  }

  template <class F>
  Weight sum(Edge n, F term) const {
    auto const range = [&](Edge begin, Edge end) {
      Weight part = 0;
      for (Edge i = begin; i < end; ++i) part += term(i);
      return part;
    };
    if (is_serial(n, serial_below)) return range(0, n);
    SpreadSum sum;
    share(n, serial_below, [&](Edge begin, Edge end) { sum.add(pool().self(), range(begin, end)); });
    return sum.total();
  }

  template <class F>
  Edge scan(Edge n, F term, Edge* out) const {
    return scan(n, term, out, [](Edge, Edge) {});
  }
  template <class F, class Visit>
  Edge scan(Edge n, F term, Edge* out, Visit visit) const {
    return in_chunks(
        n, serial_below,
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
    // 64 answers at a time: no branch per item that the processor could guess wrong.
    auto const answers = [=](Edge begin) {
      std::uint64_t hits = 0;
      int const count = static_cast<int>(std::min<Edge>(64, n - begin));
      for (int j = 0; j < count; ++j) hits |= static_cast<std::uint64_t>(predicate(begin + j) ? 1 : 0) << j;
      return hits;
    };
    auto const write = [=](Edge begin, std::uint64_t hits, Edge before) {
      for (; hits != 0; hits &= hits - 1) out[before++] = static_cast<T>(value(begin + std::countr_zero(hits)));
      return before;
    };
    if (is_serial(n, serial_below)) {
      Edge count = 0;
      for (Edge begin = 0; begin < n; begin += 64) count = write(begin, answers(begin), count);
      return count;
    }
    Edge const words = (n + 63) / 64;
    auto hits_buffer = buffer<std::uint64_t>(static_cast<std::size_t>(words));
    auto* const hits = hits_buffer.data();
    return in_chunks(
        words, serial_below / 64,
        [=](Edge begin, Edge end) {
          Edge count = 0;
          for (Edge w = begin; w < end; ++w) count += std::popcount(hits[w] = answers(64 * w));
          return count;
        },
        [=](Edge begin, Edge end, Edge before) {
          for (Edge w = begin; w < end; ++w) before = write(64 * w, hits[w], before);
          return before;
        });
  }

  template <class T, class Less>
  void sort(T* data, Edge n, Less less) const {
    if (is_serial(n, serial_below_sort)) {
      std::sort(data, data + n, less);
      return;
    }
    auto runs = static_cast<Edge>(std::bit_ceil(static_cast<unsigned>(threads())));
    while (runs > n / least_run) runs /= 2;
    SortedRuns<T, Less> sorted{data, n, runs, less};
    pool().share({.n = runs, .wakes = true}, [&](Edge begin, Edge end) {
      for (Edge r = begin; r < end; ++r) std::sort(data + sorted.begin_of(r), data + sorted.begin_of(r + 1), less);
    });
    auto room = buffer<T>(static_cast<std::size_t>(n));
    T* from = data;
    T* to = room.data();
    for (; sorted.count > 1; sorted.count /= 2) {
      sorted.data = from;
      share(n, least_run, [&](Edge begin, Edge end) { sorted.merge_piece(begin, end, to); });
      std::swap(from, to);
    }
    if (from != data) for_each(n, [=](Edge i) { data[i] = from[i]; });
  }

  /// As many chunks are worth while for a pass over n items.
  Edge chunks_of(Edge n) const { return chunks_of(n, serial_below); }
  /// f(c, begin, end) for equal chunks of [0, n).
  template <class F>
  void for_each_chunk(Edge n, Edge chunks, F f) const {
    share_chunks(n, chunks, n >= wakes_from * serial_below, f);
  }

 protected:
  static constexpr Edge serial_below = 1 << 12;
  static constexpr Edge serial_below_table = 1 << 8;
  static constexpr Edge serial_below_sort = 1 << 12;
  static constexpr Edge least_run = 1 << 10;  // of a sort

  WorkPool& pool() const { return team_->pool; }
  std::shared_ptr<CpuTeam> const& team() const { return team_; }

  /// Is a pass over n items for the calling thread?
  bool is_serial(Edge n, Edge serial_below_items) const { return n < serial_below_items || threads() == 1; }

  /// range(begin, end) in chunks of at least a quarter of a pass that is just too long for one thread. They are so many
  /// that a thread which comes late, or is held up, leaves little to wait for.
  template <class F>
  void share(Edge n, Edge serial_below_items, F const& range) const {
    Edge const grain = std::clamp(n / (chunks_per_thread * threads()), serial_below_items / 4, 4 * serial_below_items);
    bool const wakes = n >= wakes_from * serial_below_items;
    pool().share({.n = n, .grain = grain, .wakes = wakes, .is_local = true}, [&](Edge begin, Edge end) {
      CombinedSums const sums;
      range(begin, end);
    });
  }

 private:
  static constexpr Edge chunks_per_thread = 16;
  static constexpr Edge wakes_from = 16;  // times the length of a pass that is just too long for one thread

  Edge chunks_of(Edge n, Edge serial_below_items) const {
    if (is_serial(n, serial_below_items)) return 1;
    return std::min<Edge>(chunks_per_thread / 2 * threads(), n / (serial_below_items / 4));
  }
  template <class F>
  void share_chunks(Edge n, Edge chunks, bool wakes, F const& f) const {
    auto const cut = [=](Edge c) { return n * c / chunks; };
    pool().share({.n = chunks, .wakes = wakes, .is_local = true}, [&](Edge begin, Edge end) {
      for (Edge c = begin; c < end; ++c) f(c, cut(c), cut(c + 1));
    });
  }

  // Two sweeps over equal chunks: `measure` a chunk, then `write` it knowing the total of the chunks before. `write`
  // returns the total up to its end. Returns the whole total.
  template <class Measure, class Write>
  Edge in_chunks(Edge n, Edge serial_below_items, Measure measure, Write write) const {
    Edge const chunks = chunks_of(n, serial_below_items);
    if (chunks == 1) return write(Edge{0}, n, Edge{0});
    std::vector<Edge> before(static_cast<std::size_t>(chunks) + 1, 0);
    Edge* const totals = before.data();
    bool const wakes = n >= wakes_from * serial_below_items;
    share_chunks(n, chunks, wakes, [&](Edge c, Edge begin, Edge end) { totals[c + 1] = measure(begin, end); });
    for (Edge c = 0; c < chunks; ++c) totals[c + 1] += totals[c];
    share_chunks(n, chunks, wakes, [&](Edge c, Edge begin, Edge end) { write(begin, end, totals[c]); });
    return totals[chunks];
  }

  std::shared_ptr<CpuTeam> team_;
};

static_assert(Passes<CpuPasses>);

}  // namespace procmap
