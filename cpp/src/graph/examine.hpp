// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "exec/executor.hpp"
#include "graph/arc_hash.hpp"
#include "graph/check.hpp"
#include "graph/degrees.hpp"

namespace procmap {

/// What the check of a graph finds out.
struct GraphFacts {
  bool clean = false;  ///< correct in all that check.hpp checks, without self-loops and parallel arcs
  Weight total_vertex_weight = 0;
  Weight max_vertex_weight = 0;
  Weight total_arc_weight = 0;
  Edge max_degree = 0;
};

/// The row of arc e, which is `from` or behind it. Doubles its steps, as there may be many empty rows between.
PROCMAP_HD inline Vertex row_of(CsrView graph, Edge e, Vertex from) {
  Edge low = from, step = 1;
  while (low + step < graph.num_vertices && graph.offsets[low + step] <= e) {
    low += step;
    step *= 2;
  }
  Edge high = low + step < graph.num_vertices ? low + step : graph.num_vertices;
  while (high - low > 1) {
    Edge const middle = (low + high) / 2;
    (graph.offsets[middle] <= e ? low : high) = middle;
  }
  return static_cast<Vertex>(low);
}

/// Sums over arcs, added up by all lanes. Unsigned sums wrap around as the hash wants it.
struct ArcSums {
  std::uint64_t bad = 0;       // out of range, negative or a self-loop
  std::uint64_t unsorted = 0;  // not above the head before it
  ArcHash hash;
  WideSum weight = 0;

  static constexpr int size = 6;

  PROCMAP_HD void add(CsrView graph, Vertex v, Edge e) {
    Vertex const head = graph.heads[e];
    Weight const w = graph.arc_weight(e);
    bad += head < 0 || head >= graph.num_vertices || head == v || w < 0;
    unsorted += e > graph.begin(v) && head <= graph.heads[e - 1];
    hash.add(v, head, w);
    weight += static_cast<std::uint64_t>(w);
  }

  /// Called by all lanes: adds to total[0..size). The weight in two parts, neither of which can overflow: at most
  /// 2^32 lanes add up less than 2^32 each, or less than 2^64 together.
  template <class Group>
  PROCMAP_HD void add_to(Group group, std::uint64_t* total) const {
    std::uint64_t const mine[size] = {bad,
                                      unsorted,
                                      hash.sum[0],
                                      hash.sum[1],
                                      static_cast<std::uint64_t>(weight) & 0xffffffffu,
                                      static_cast<std::uint64_t>(weight >> 32)};
    for (int i = 0; i < size; ++i) {
      auto const sum = group.sum(mine[i]);
      if (group.rank() == 0 && sum != 0) atomic_add(&total[i], sum);
    }
  }
};

namespace detail {

inline bool to_total(WideSum sum, Weight& total) {
  total = static_cast<Weight>(sum);
  return sum < static_cast<WideSum>(weight_limit);
}

template <HostExecutor Exec>
bool offsets_are_correct(Exec& ex, CsrView graph) {
  auto const* const offsets = graph.offsets;
  auto const n = graph.num_vertices;
  if (ex.read(offsets) != 0 || ex.read(offsets + n) != graph.num_arcs) return false;
  return ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) { return Weight{offsets[v + 1] < offsets[v]}; }) == 0;
}

template <HostExecutor Exec>
bool add_up_vertices(Exec& ex, CsrView graph, GraphFacts& facts) {
  auto const n = graph.num_vertices;
  facts.total_vertex_weight = n;
  facts.max_vertex_weight = n > 0 ? 1 : 0;
  auto const* const weight = graph.vertex_weights;
  if (!weight || n == 0) return true;
  if (ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) { return Weight{weight[v] < 0}; }) > 0) return false;
  facts.max_vertex_weight = ex.max(n, [=] PROCMAP_LAMBDA(Edge v) { return weight[v]; });
  auto const low = ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) { return weight[v] & 0xffffffff; });
  auto const high = ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) { return weight[v] >> 32; });
  return to_total((static_cast<WideSum>(high) << 32) + static_cast<WideSum>(low), facts.total_vertex_weight);
}

/// Each group takes a chunk of arcs, not a row, so hubs are shared.
template <HostExecutor Exec>
void add_up_arcs(Exec& ex, CsrView graph, std::uint64_t* total) {
  constexpr Edge chunk_arcs = 2048;
  auto const alike = [=] PROCMAP_LAMBDA(Edge) -> Edge { return 1; };
  ex.for_each_in_group((graph.num_arcs + chunk_arcs - 1) / chunk_arcs, alike,
                       [=] PROCMAP_LAMBDA(Edge chunk, auto group) {
                         Edge const begin = chunk * chunk_arcs;
                         Edge const end = begin + chunk_arcs < graph.num_arcs ? begin + chunk_arcs : graph.num_arcs;
                         ArcSums sums;
                         Vertex row = 0;
                         for (Edge e = begin + group.rank(); e < end; e += group.size()) {
                           row = row_of(graph, e, row);
                           sums.add(graph, row, e);
                         }
                         sums.add_to(group, total);
                       });
}

template <HostExecutor Exec>
bool has_parallel_arcs(Exec& ex, CsrView graph) {
  auto const buffer = ex.template buffer<Weight>(1);
  auto* const found = buffer.data();
  ex.fill(found, 1, Weight{0});
  ex.for_each_with_table(graph.num_vertices, DegreeOf{graph}, graph.num_vertices,
                         [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
                           auto const v = static_cast<Vertex>(i);
                           for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size())
                             table.add(graph.heads[e], 1);
                           group.sync();
                           if (group.rank() == 0 && table.size() < graph.degree(v)) racy_store(found, 1);
                         });
  return ex.read(found) != 0;
}

}  // namespace detail

/// Checks a graph where it lies. A graph that is not clean is for the host to name the culprit or to clean; its other
/// facts are not complete. The arrays have the sizes that the view says.
template <HostExecutor Exec>
GraphFacts examine(Exec& ex, CsrView graph) {
  GraphFacts facts;
  if (!detail::offsets_are_correct(ex, graph) || !detail::add_up_vertices(ex, graph, facts)) return facts;
  facts.clean = true;
  if (graph.num_arcs == 0) return facts;
  auto const buffer = ex.template buffer<std::uint64_t>(ArcSums::size);
  ex.fill(buffer.data(), ArcSums::size, std::uint64_t{0});
  detail::add_up_arcs(ex, graph, buffer.data());
  std::uint64_t total[ArcSums::size];
  ex.download(buffer.data(), ArcSums::size, total);
  auto const [bad, unsorted, hash_0, hash_1, low, high] = total;
  auto const weight = (static_cast<WideSum>(high) << 32) + low;
  facts.clean = bad == 0 && hash_0 == 0 && hash_1 == 0 && detail::to_total(weight, facts.total_arc_weight) &&
                (unsorted == 0 || !detail::has_parallel_arcs(ex, graph));
  facts.max_degree = largest_degree(ex, graph);
  return facts;
}

}  // namespace procmap
