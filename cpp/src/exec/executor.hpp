// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/run.hpp"
#include "graph/csr_view.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// A key-value pair of `sort`: 64-bit key, then id, in increasing order.
struct KeyedId {
  std::uint64_t key = 0;
  Vertex id = 0;
  std::int32_t padding = 0;  // every byte is written, so that memory checkers can follow copies
};

/// What an item of a pass with tables asks for: room for `keys` keys, and lanes for `work`, which is as much if it is
/// not said.
struct TableNeeds {
  Edge keys = 0;
  Edge work = 0;

  PROCMAP_HD TableNeeds(Edge num_keys) : TableNeeds(num_keys, num_keys) {}
  PROCMAP_HD TableNeeds(Edge num_keys, Edge amount) : keys(num_keys), work(amount) {}
};

/// What Team::counters has room for.
inline constexpr int num_team_counters = 4;

/// What is left of Team::fast_memory.
struct FastMemory {
  std::byte* next = nullptr;
  std::size_t bytes = 0;

  /// Moves an array of n elements here if there is room; what it holds is lost.
  template <class T>
  PROCMAP_HD void take(T*& array, Vertex n) {
    constexpr std::size_t alignment = 16;
    auto const needed = (static_cast<std::size_t>(n) * sizeof(T) + alignment - 1) / alignment * alignment;
    if (needed > bytes) return;
    array = reinterpret_cast<T*>(next);
    next += needed;
    bytes -= needed;
  }
};

/// What a composite of passes needs to run as one (Executor::resident).
struct ResidentNeeds {
  Edge items = 0;                 // of its usual pass
  std::size_t scratch_bytes = 0;  // at most, for all buffers it makes
  Vertex table_universe = 0;      // largest universe of its tables
  Edge arcs = 0;                  // of all its items
};

namespace detail {
struct AnyPass {
  void operator()(Edge) const {}
};
struct AnyTerm {
  Weight operator()(Edge) const { return 0; }
};
struct AnyPredicate {
  bool operator()(Edge) const { return false; }
};
struct AnyTablePass {
  template <class Group, class Table>
  void operator()(Edge, Group, Table&) const {}
};
}  // namespace detail

/// What an algorithm may ask of a machine. Passes run in the order they are asked for; sum, max,
/// scan, select and read wait for the machine and return to the host, nothing else does.
///
///   buffer<T>(n)              n uninitialised elements, owned by the caller
///   for_each(n, f)            f(i) for all i
///   for_each_in_group(n, work, f)
///                             f(i, group): the lanes of `group` share item i, the more the larger work(i) is
///   for_each_team(n, work, f) f(i, team) for few items of very different sizes, each with the more lanes the more
///                             `work` there is in all, about in arcs. A team is a group that has also
///                               for_rows(count, size, f)  f(i, lanes): some of its lanes share row i of size(i) arcs
///                               counters(own)             num_team_counters counters that its lanes reach quickly:
///                                                         `own`, or memory whose values are lost with the pass
///                               fast_memory()             memory of the team alone, much faster than buffers, perhaps
///                                                         none; lost with the pass
///   for_each_with_table(n, needs, universe, f)
///                             f(i, group, table): the lanes of `group` share item i and an empty
///                             table of keys in [0, universe); needs(i) are TableNeeds
///   fill(p, n, x), copy(from, n, to), upload(host, n, p), download(p, n, host)
///   sum(n, f), max(n, f)      over f(i)
///   scan(n, f, out)           out[i] = f(0) + ... + f(i-1) for i <= n; returns out[n]
///   prefix_sums(n, f, out)    the same for callers that do not need out[n] at once
///   select(n, p, f, out)      out = f(i) of all i with p(i), in order of i; returns how many
///   sort(p, n, less)          by a strict total order
///   resident(needs, f)        f(executor): passes and the decisions between them run as one, on a GPU in a single
///                             kernel, where nothing waits for the host; the phases it calls are marked
///                             PROCMAP_RESIDENT, and their buffers live until the end of the ScratchScope around
///                             them; F::wide: it has few barriers for its work, which may fill the machine;
///                             F::by_degree: it is worth to be compiled for several numbers of lanes
///
/// Inside `resident` there are also
///   for_each_ahead(n, f)      for_each whose effects are seen only after the next pass
///   sum_in_group(n, f)        over f(i, group)
///   scan(n, f, out, visit)    visit(i, out[i]) besides
///   collect(n, p, f, out)     select in any order, for lists whose order means nothing
///
/// phase(name) times what follows in its scope, checkpoint() lets the caller interrupt.
template <class E>
concept Executor = requires(E& ex, Edge n, detail::AnyPass pass, detail::AnyTerm term, detail::AnyPredicate predicate,
                            detail::AnyTablePass table_pass, Weight* weights, Edge* sums) {
  ex.template buffer<Weight>(std::size_t{});
  ex.for_each(n, pass);
  ex.for_each_with_table(n, term, Vertex{}, table_pass);
  ex.fill(weights, n, Weight{});
  { ex.sum(n, term) } -> std::same_as<Weight>;
  { ex.max(n, term) } -> std::same_as<Weight>;
  { ex.scan(n, term, sums) } -> std::same_as<Edge>;
  { ex.select(n, predicate, term, weights) } -> std::same_as<Edge>;
  ex.phase("name");
  ex.checkpoint();
};

template <class Exec, class T>
using Buffer = typename Exec::template Buffer<T>;

}  // namespace procmap
