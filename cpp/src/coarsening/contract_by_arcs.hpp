// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "coarsening/contraction.hpp"
#include "core/atomic.hpp"
#include "graph/arc_tails.hpp"

// Contraction by hashing (paper): every coarse vertex has a range of slots, and every arc goes into the range of its
// tail, on a lane of its own. A hub is as much work as the same number of arcs of anybody else. Beside it stands
// contract(), which gathers rows.

namespace procmap {

/// The rows of a coarse graph while they are summed up: the slots [first[c], first[c + 1]) belong to coarse vertex c.
/// Open addressing; a third of the slots stays free.
template <class W>
struct HashedRows {
  Edge const* first = nullptr;
  Vertex* key = nullptr;  // the head; no_vertex: free
  W* sum = nullptr;
  Edge* degree = nullptr;  // slots taken, per coarse vertex

  /// Slots for `arcs` arcs to any of num_coarse vertices.
  PROCMAP_HD static constexpr Edge slots_of(Edge arcs, Vertex num_coarse) {
    Edge const keys = arcs < num_coarse ? arcs : num_coarse;
    return keys + (keys + 1) / 2;
  }
  /// ... and for all rows at most.
  static constexpr Edge most_slots(Edge arcs, Vertex num_coarse) { return arcs + arcs / 2 + num_coarse; }

  PROCMAP_HD void add(Vertex tail, Vertex head, Weight weight) const {
    auto* const keys = key + first[tail];
    auto* const sums = sum + first[tail];
    auto const room = static_cast<std::uint64_t>(first[tail + 1] - first[tail]);
    auto i = (std::uint64_t{static_cast<std::uint32_t>(head) * 0x9e3779b1u} * room) >> 32;
    for (;;) {
      Vertex seen = racy_load(&keys[i]);
      if (seen == no_vertex) {
        seen = claim_or_see(&keys[i], no_vertex, head);
        if (seen == no_vertex) {
          contended_add(&degree[tail], 1);
          break;
        }
      }
      if (seen == head) break;
      if (++i == room) i = 0;
    }
    atomic_add(&sums[i], static_cast<W>(weight));
  }
};

namespace detail {

/// Vertices, their weights and their loads; no arcs yet.
template <HostExecutor Exec>
OwnedGraph<Exec> contract_vertices(Exec& ex, CsrView fine, Vertex num_coarse, Vertex const* coarse_of) {
  auto const nc = static_cast<std::size_t>(num_coarse);
  OwnedGraph<Exec> coarse;
  coarse.num_vertices = num_coarse;
  coarse.offsets = ex.template buffer<Edge>(nc + 1);
  coarse.vertex_weights = ex.template buffer<Weight>(nc);
  auto* const weights = coarse.vertex_weights.data();
  ex.fill(weights, num_coarse, Weight{0});
  ex.for_each(fine.num_vertices, [=] PROCMAP_LAMBDA(Edge v) {
    atomic_add(&weights[coarse_of[v]], fine.vertex_weight(static_cast<Vertex>(v)));
  });
  if (fine.num_loads == 0) return coarse;
  int const num_loads = fine.num_loads;
  coarse.num_loads = num_loads;
  coarse.loads = ex.template buffer<Weight>(nc * static_cast<std::size_t>(num_loads));
  auto* const loads = coarse.loads.data();
  ex.fill(loads, Edge{num_coarse} * num_loads, Weight{0});
  ex.for_each(Edge{fine.num_vertices} * num_loads, [=] PROCMAP_LAMBDA(Edge at) {
    atomic_add(&loads[Edge{coarse_of[at / num_loads]} * num_loads + at % num_loads], fine.loads[at]);
  });
  return coarse;
}

/// The first slot of every row; one behind the last as well.
template <class W, HostExecutor Exec>
Buffer<Exec, Edge> first_slots(Exec& ex, CsrView fine, Vertex num_coarse, Vertex const* coarse_of) {
  auto first = ex.template buffer<Edge>(static_cast<std::size_t>(num_coarse) + 1);
  auto arcs_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(num_coarse));
  auto* const arcs = arcs_buffer.data();
  ex.fill(arcs, num_coarse, Edge{0});
  ex.for_each(fine.num_vertices,
              [=] PROCMAP_LAMBDA(Edge v) { atomic_add(&arcs[coarse_of[v]], fine.degree(static_cast<Vertex>(v))); });
  ex.prefix_sums(
      num_coarse, [=] PROCMAP_LAMBDA(Edge c) { return HashedRows<W>::slots_of(arcs[c], num_coarse); }, first.data());
  return first;
}

template <class W, HostExecutor Exec>
OwnedGraph<Exec> contract_by_arcs(Exec& ex, CsrView fine, Vertex const* tail, Vertex num_coarse,
                                  Vertex const* coarse_of) {
  auto coarse = contract_vertices(ex, fine, num_coarse, coarse_of);
  auto const first = first_slots<W>(ex, fine, num_coarse, coarse_of);
  Edge const slots = HashedRows<W>::most_slots(fine.num_arcs, num_coarse);
  auto key_buffer = ex.template buffer<Vertex>(static_cast<std::size_t>(slots));
  auto sum_buffer = ex.template buffer<W>(static_cast<std::size_t>(slots));
  auto degree_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(num_coarse));
  HashedRows<W> const rows{first.data(), key_buffer.data(), sum_buffer.data(), degree_buffer.data()};
  ex.fill(rows.key, slots, no_vertex);
  ex.fill(rows.sum, slots, W{0});
  ex.fill(rows.degree, num_coarse, Edge{0});
  ex.for_each(fine.num_arcs, [=] PROCMAP_LAMBDA(Edge e) {
    Vertex const from = coarse_of[tail[e]];
    Vertex const to = coarse_of[fine.heads[e]];
    Weight const weight = fine.arc_weight(e);
    if (from != to && weight != 0) rows.add(from, to, weight);
  });
  if (num_coarse == 0) ex.fill(coarse.offsets.data(), 1, Edge{0});
  auto const [num_arcs, longest] =
      ex.scan_rows(num_coarse, [=] PROCMAP_LAMBDA(Edge c) { return rows.degree[c]; }, coarse.offsets.data());
  coarse.num_arcs = num_arcs;
  coarse.max_degree = longest;

  auto const arcs = static_cast<std::size_t>(coarse.num_arcs);
  coarse.heads = ex.template buffer<Vertex>(arcs);
  auto weights = ex.template buffer<W>(arcs);
  auto* const head = coarse.heads.data();
  auto* const weight = weights.data();
  // Slots stand in the order of their rows, so those that are taken are the arcs in theirs.
  ex.list(
      slots, [=] PROCMAP_LAMBDA(Edge i) { return rows.key[i] != no_vertex; },
      [=] PROCMAP_LAMBDA(Edge i) { return static_cast<Vertex>(i); }, head);
  ex.for_each(coarse.num_arcs, [=] PROCMAP_LAMBDA(Edge e) {
    Vertex const slot = head[e];
    weight[e] = rows.sum[slot];
    head[e] = rows.key[slot];
  });
  if constexpr (std::is_same_v<W, NarrowWeight>)
    coarse.narrow_arc_weights = std::move(weights);
  else
    coarse.arc_weights = std::move(weights);
  return coarse;
}

}  // namespace detail

/// Rule: contraction by arcs where lanes wait for large rows, unless it took more memory than that by rows with its
/// slabs. A processor gathers rows in its cache instead.
template <HostExecutor Exec>
bool contracts_by_arcs(Exec const& ex, CsrView fine, Vertex num_coarse) {
  return Exec::waits_for_hubs && HashedRows<Weight>::most_slots(fine.num_arcs, num_coarse) <= ex.slab_arcs();
}

/// What contract() gives, but for the order of the arcs of a vertex. `tail` is the tail of every arc.
template <HostExecutor Exec>
OwnedGraph<Exec> contract_by_arcs(Exec& ex, CsrView fine, Vertex const* tail, Vertex num_coarse,
                                  Vertex const* coarse_of) {
  Phase phase(ex.run(), "contraction");
  ex.run().checkpoint();
  return has_narrow_weights(fine) ? detail::contract_by_arcs<NarrowWeight>(ex, fine, tail, num_coarse, coarse_of)
                                  : detail::contract_by_arcs<Weight>(ex, fine, tail, num_coarse, coarse_of);
}

/// By arcs or by rows, as the machine asks for.
template <HostExecutor Exec>
OwnedGraph<Exec> contract_level(Exec& ex, CsrView fine, Vertex num_coarse, Vertex const* coarse_of) {
  if (!contracts_by_arcs(ex, fine, num_coarse)) return contract(ex, fine, num_coarse, coarse_of);
  auto const tails = arc_tails(ex, fine);
  return contract_by_arcs(ex, fine, tails.data(), num_coarse, coarse_of);
}

}  // namespace procmap
