// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "exec/copies.hpp"
#include "multilevel/levels.hpp"
#include "refinement/state/scratch.hpp"

namespace procmap {

/// Several mappings of one graph, refined together as one mapping of `size` disjoint copies of it. Member
/// t gives vertex v the block at t * n + v; its scopes and blocks come after those of member t - 1.
template <class Exec>
struct Population {
  int size = 1;
  Buffer<Exec, Block> block;
};

/// The disjoint union of `copies` copies of a graph.
template <HostExecutor Exec>
OwnedGraph<Exec> replicate(Exec& ex, CsrView graph, int copies) {
  Phase phase(ex.run(), "replicate");
  Vertex const n = graph.num_vertices;
  Edge const arcs = graph.num_arcs;
  auto const total_n = static_cast<std::size_t>(n) * static_cast<std::size_t>(copies);
  auto const total_arcs = static_cast<std::size_t>(arcs) * static_cast<std::size_t>(copies);
  OwnedGraph<Exec> copy{static_cast<Vertex>(total_n),
                        static_cast<Edge>(total_arcs),
                        ex.template buffer<Edge>(total_n + 1),
                        ex.template buffer<Vertex>(total_arcs),
                        ex.template buffer<Weight>(graph.arc_weights ? total_arcs : 0),
                        ex.template buffer<Weight>(graph.vertex_weights ? total_n : 0)};
  copy.max_degree = graph.max_degree;
  copy.narrow_arc_weights = ex.template buffer<NarrowWeight>(graph.narrow_arc_weights ? total_arcs : 0);
  auto* const offsets = copy.offsets.data();
  auto* const heads = copy.heads.data();
  auto* const arc_weights = copy.arc_weights.data();
  auto* const narrow_weights = copy.narrow_arc_weights.data();
  auto* const vertex_weights = copy.vertex_weights.data();
  for_each_in_copies(ex, copies, n, [=] PROCMAP_LAMBDA(Edge t, Edge v) {
    offsets[Edge{n} * t + v] = arcs * t + graph.offsets[v];
    if (graph.vertex_weights) vertex_weights[Edge{n} * t + v] = graph.vertex_weights[v];
  });
  ex.for_each(1, [=] PROCMAP_LAMBDA(Edge) { offsets[Edge{n} * copies] = arcs * copies; });
  for_each_in_copies(ex, copies, arcs, [=] PROCMAP_LAMBDA(Edge t, Edge e) {
    Edge const to = arcs * t + e;
    heads[to] = n * static_cast<Vertex>(t) + graph.heads[e];
    if (graph.arc_weights) arc_weights[to] = graph.arc_weights[e];
    if (graph.narrow_arc_weights) narrow_weights[to] = graph.narrow_arc_weights[e];
  });
  if (graph.num_loads > 0) {
    Edge const size = Edge{n} * graph.num_loads;
    copy.num_loads = graph.num_loads;
    copy.loads = ex.template buffer<Weight>(static_cast<std::size_t>(size) * static_cast<std::size_t>(copies));
    for (int t = 0; t < copies; ++t) ex.copy(graph.loads, size, copy.loads.data() + size * t);
  }
  return copy;
}

/// `copies` copies of n values, one behind the other.
template <HostExecutor Exec>
Buffer<Exec, Block> replicate(Exec& ex, Block const* values, Vertex n, int copies) {
  auto buffer = ex.template buffer<Block>(static_cast<std::size_t>(n) * static_cast<std::size_t>(copies));
  auto* const to = buffer.data();
  for_each_in_copies(ex, copies, n, [=] PROCMAP_LAMBDA(Edge t, Edge v) { to[Edge{n} * t + v] = values[v]; });
  return buffer;
}

/// The members of the level above `level` on `level` itself.
template <HostExecutor Exec>
Population<Exec> project(Exec& ex, Levels<Exec> const& levels, std::size_t level, Population<Exec> const& members) {
  return {members.size, projected(ex, levels, level, members.block.data(), members.size)};
}

/// For every scope the members from best to worst: least overload, then least cost, then first.
/// order[scope * size + rank] is a member. `states` has the scopes of all members.
inline std::vector<int> rank_members(std::vector<ScopeState> const& states, int size) {
  auto const members = static_cast<std::size_t>(size);
  auto const scopes = states.size() / members;
  std::vector<int> order(states.size());
  for (std::size_t s = 0; s < scopes; ++s) {
    auto* const mine = order.data() + s * members;
    std::iota(mine, mine + size, 0);
    std::stable_sort(mine, mine + size, [&](int a, int b) {
      auto const& x = states[static_cast<std::size_t>(a) * scopes + s];
      auto const& y = states[static_cast<std::size_t>(b) * scopes + s];
      return x.best_overload != y.best_overload ? x.best_overload < y.best_overload : x.best_cost < y.best_cost;
    });
  }
  return order;
}

/// The vertices of a graph and the scope of each; null if there is only one.
struct ScopedVertices {
  Vertex count;
  Block const* scope;
};

/// Keeps the `keep` best of every scope: the new member r takes every scope from the member that is
/// r-th there. Scopes are independent, so this recombines the members (algorithms: tournament). `states` has the
/// scopes of all members.
template <HostExecutor Exec>
Population<Exec> keep_best(Exec& ex, Population<Exec> const& all, int keep, ScopedVertices vertices,
                           Block blocks_per_member, std::vector<ScopeState> const& states) {
  Vertex const n = vertices.count;
  auto const* const scope_of_vertex = vertices.scope;
  Phase phase(ex.run(), "tournament");
  auto const order = rank_members(states, all.size);
  auto const order_buffer = put(ex, std::span(order));

  Population<Exec> kept{keep, ex.template buffer<Block>(static_cast<std::size_t>(n) * static_cast<std::size_t>(keep))};
  auto const* const rank = order_buffer.data();
  auto const* const from = all.block.data();
  auto* const to = kept.block.data();
  int const size = all.size;
  for_each_in_copies(ex, keep, n, [=] PROCMAP_LAMBDA(Edge r, Edge v) {
    Block const scope = scope_of_vertex ? scope_of_vertex[v] : 0;
    int const member = rank[Edge{scope} * size + r];
    to[Edge{n} * r + v] = from[Edge{n} * member + v] + blocks_per_member * (static_cast<int>(r) - member);
  });
  return kept;
}

}  // namespace procmap
