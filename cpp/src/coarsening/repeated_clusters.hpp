// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

#include "coarsening/two_hop.hpp"
#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// Merges what was merged once before: leader[v] becomes the lowest vertex of v's cluster. Where vertices must not be
/// merged any more, a cluster is split.
struct RepeatedClusters {
  CsrView graph;
  PairLimits limits;
  Vertex const* coarse_of = nullptr;  // of the vertices of back then
  Vertex const* origin = nullptr;     // the vertex of back then that v is a part of; null: v itself
  Vertex num_clusters = 0;
  Vertex* leader = nullptr;
  Vertex* cluster = nullptr;  // the cluster that v went to
  Weight* too_heavy = nullptr;  // how many vertices of clusters of several are in one that is too heavy

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("repeat clusters");
    {
      typename Exec::ScratchScope const scope(ex);
      auto const first = ex.template buffer<Vertex>(static_cast<std::size_t>(num_clusters));
      lead_clusters(ex, first.data());
      if (limits.scope || limits.fixed) split_clusters(ex, first.data());
    }
    check_weights(ex);
  }

  /// first[c] becomes the lowest vertex of cluster c.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void lead_clusters(Exec& ex, Vertex* first) const {
    auto const n = graph.num_vertices;
    ex.for_each(num_clusters, [=] PROCMAP_LAMBDA(Edge c) { first[c] = std::numeric_limits<Vertex>::max(); });
    ex.for_each(n, [=, cluster = cluster, coarse_of = coarse_of, origin = origin] PROCMAP_LAMBDA(Edge v) {
      cluster[v] = coarse_of[origin ? origin[v] : v];
      atomic_min(&first[cluster[v]], static_cast<Vertex>(v));
    });
    ex.for_each(n, [=, cluster = cluster, leader = leader] PROCMAP_LAMBDA(Edge v) { leader[v] = first[cluster[v]]; });
  }

  /// Leaders keep those they may be merged with; the lowest of the others leads next, and so on.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void split_clusters(Exec& ex, Vertex* first) const {
    typename Exec::ScratchScope const scope(ex);
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const strays_buffer = ex.template buffer<Vertex>(n);
    auto const rest_buffer = ex.template buffer<Vertex>(n);
    Vertex* strays = strays_buffer.data();
    Vertex* rest = rest_buffer.data();
    Edge count = ex.select(
        graph.num_vertices,
        [=, leader = leader, &limits = limits] PROCMAP_LAMBDA(Edge v) {
          return !limits.compatible(static_cast<Vertex>(v), leader[v]);
        },
        [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, strays);
    while (count > 0) {
      ex.checkpoint();
      ex.for_each(count, [=, cluster = cluster] PROCMAP_LAMBDA(Edge i) {
        racy_store(&first[cluster[strays[i]]], std::numeric_limits<Vertex>::max());
      });
      ex.for_each(count,
                  [=, cluster = cluster] PROCMAP_LAMBDA(Edge i) { atomic_min(&first[cluster[strays[i]]], strays[i]); });
      ex.for_each(count, [=, cluster = cluster, leader = leader] PROCMAP_LAMBDA(Edge i) {
        leader[strays[i]] = first[cluster[strays[i]]];
      });
      count = ex.select(
          count,
          [=, leader = leader, &limits = limits] PROCMAP_LAMBDA(Edge i) {
            return !limits.compatible(strays[i], leader[strays[i]]);
          },
          [=] PROCMAP_LAMBDA(Edge i) { return strays[i]; }, rest);
      Vertex* const swapped = strays;
      strays = rest;
      rest = swapped;
    }
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void check_weights(Exec& ex) const {
    auto const n = graph.num_vertices;
    auto const buffer = ex.template buffer<Weight>(static_cast<std::size_t>(n));
    auto* const weight = buffer.data();
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { weight[v] = 0; });
    ex.for_each(n, [=, leader = leader, &graph = graph] PROCMAP_LAMBDA(Edge v) {
      atomic_add(&weight[leader[v]], graph.vertex_weight(static_cast<Vertex>(v)));
    });
    auto const heavy = ex.sum(n, [=, leader = leader, limit = limits.max_weight] PROCMAP_LAMBDA(Edge v) -> Weight {
      return leader[v] != static_cast<Vertex>(v) && weight[leader[v]] > limit;
    });
    ex.for_each_ahead(1, [=, too_heavy = too_heavy] PROCMAP_LAMBDA(Edge) { *too_heavy = heavy; });
  }

  template <class Exec>
  std::size_t scratch_bytes() const {
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const of_clusters = Exec::template scratch_bytes<Vertex>(static_cast<std::size_t>(num_clusters)) +
                             2 * Exec::template scratch_bytes<Vertex>(n);
    return std::max(of_clusters, Exec::template scratch_bytes<Weight>(n));
  }
};

template <>
struct KernelTraits<RepeatedClusters> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

}  // namespace procmap
