// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "coarsening/rating.hpp"
#include "exec/executor.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// Whom a vertex may be merged with and how heavy the pair may be.
struct PairLimits {
  Weight max_weight = 0;
  Block const* scope = nullptr;  // null: a single scope
  Block const* fixed = nullptr;  // PE of every fixed vertex, no_block for the others; null: nobody is fixed
  bool arcs_cross = false;       // arcs may join vertices that must not be merged

  PROCMAP_HD Block scope_of(Vertex v) const { return scope ? scope[v] : 0; }
  PROCMAP_HD Block fixed_of(Vertex v) const { return fixed ? fixed[v] : no_block; }
  PROCMAP_HD bool compatible(Vertex u, Vertex v) const {
    return scope_of(u) == scope_of(v) && fixed_of(u) == fixed_of(v);
  }
  /// May the ends of an arc be merged? Costs nothing where the answer is always yes.
  PROCMAP_HD bool joins(Vertex u, Vertex v) const { return !arcs_cross || compatible(u, v); }
  /// Turns what v has in common with its partners into a key that keeps incompatible vertices apart.
  PROCMAP_HD std::uint64_t key(Vertex v, std::uint64_t common) const {
    if (!arcs_cross) return common;
    return hash(common, static_cast<std::uint64_t>(scope_of(v)), static_cast<std::uint64_t>(fixed_of(v)));
  }
};

/// Pairs neighbours in the list that have equal keys: the 1st with the 2nd, the 3rd with the 4th of
/// every run, unless they are too heavy together or of different scopes. leader[v] becomes the lower
/// of the two for both; a vertex left alone keeps leader[v] == v. Sorts `list`.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void pair_equal_keys(Exec& ex, CsrView const& graph, PairLimits const& limits, KeyedId* list,
                                      Edge count, Vertex* leader) {
  ex.sort(list, count, [] PROCMAP_LAMBDA(KeyedId const& a, KeyedId const& b) {
    return a.key != b.key ? a.key < b.key : a.id < b.id;
  });
  auto run_start = ex.template buffer<Edge>(static_cast<std::size_t>(count) + 1);
  auto* const runs_before = run_start.data();
  auto const begins = [=] PROCMAP_LAMBDA(Edge i) -> Edge { return i == 0 || list[i].key != list[i - 1].key; };
  Edge const num_runs = ex.scan(count, begins, runs_before);
  auto first_of_run = ex.template buffer<Edge>(static_cast<std::size_t>(num_runs));
  auto* const first = first_of_run.data();
  ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) {
    if (begins(i)) first[runs_before[i]] = i;
  });
  ex.for_each(count, [=, &graph, &limits] PROCMAP_LAMBDA(Edge i) {
    if (i + 1 >= count || list[i].key != list[i + 1].key) return;
    Edge const run = runs_before[i + 1] - 1;  // same key as its successor: still in this run
    if ((i - first[run]) % 2 != 0) return;
    Vertex const u = list[i].id;
    Vertex const v = list[i + 1].id;
    bool const fits = graph.vertex_weight(u) + graph.vertex_weight(v) <= limits.max_weight;
    if (!fits || !limits.compatible(u, v)) return;
    Vertex const low = u < v ? u : v;
    leader[u] = low;
    leader[v] = low;
  });
}

/// Rule: the neighbour a lone vertex likes best regardless of weight limits, among those of degree at
/// most `max_degree`; no_vertex if there is none.
template <class Group>
PROCMAP_HD Vertex matchmaker(CsrView graph, Vertex v, Edge max_degree, std::uint64_t seed, Group group) {
  Favourite best;
  for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
    Vertex const u = graph.heads[e];
    if (graph.degree(u) > max_degree) continue;
    Favourite const other{pair_rating(graph.arc_weight(e), graph.vertex_weight(u), graph.vertex_weight(v)),
                          hash(seed, static_cast<std::uint64_t>(u)), u};
    if (other.better_than(best)) best = other;
  }
  return group.best(best, BetterFavourite{}).id;
}

/// Rule: a fingerprint of the neighbourhood that does not depend on the order of the arcs.
template <class Group>
PROCMAP_HD std::uint64_t neighbourhood_hash(CsrView graph, Vertex v, std::uint64_t seed, Group group) {
  std::uint64_t sum = 0;
  for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size())
    sum += hash(seed, static_cast<std::uint64_t>(graph.heads[e]));
  return hash(seed, static_cast<std::uint64_t>(graph.degree(v))) + group.sum(sum);
}

enum class TwoHop { leaves, twins, relatives, isolated };

/// Which pairs of vertices two steps apart are looked for.
struct TwoHopSearch {
  TwoHop kind;
  Edge max_matchmaker_degree;  // relatives meet only through vertices of at most this degree
  std::uint64_t seed;
};

/// Rule: what v must have in common with a partner.
template <class Group>
PROCMAP_HD std::uint64_t two_hop_key(CsrView graph, PairLimits const& limits, TwoHopSearch const& search, Vertex v,
                                     Group group) {
  auto const kind = search.kind;
  auto const seed = search.seed;
  if (kind == TwoHop::leaves) return limits.key(v, static_cast<std::uint64_t>(graph.heads[graph.begin(v)]));
  if (kind == TwoHop::twins || kind == TwoHop::isolated)
    return limits.key(v, graph.degree(v) == 0 ? static_cast<std::uint64_t>(limits.scope_of(v))
                                              : neighbourhood_hash(graph, v, seed, group));
  Vertex const common = matchmaker(graph, v, search.max_matchmaker_degree, seed, group);
  // Without a matchmaker a vertex gets a key of its own and stays alone.
  return common == no_vertex ? (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(v)
                             : limits.key(v, static_cast<std::uint64_t>(common));
}

/// Pairs vertices that are still alone (leader[v] == v with `alone(v)`) and share a neighbourhood:
/// leaves of one vertex, twins with the same neighbours, relatives with a common neighbour (paper,
/// matching). Isolated vertices count as twins of each other within their scope.
template <ResidentExecutor Exec, class Alone>
PROCMAP_RESIDENT void two_hop_pairs(Exec& ex, CsrView const& graph, PairLimits const& limits,
                                    TwoHopSearch const& search, Alone alone, Vertex* leader) {
  auto const kind = search.kind;
  typename Exec::ScratchScope const scope(ex);
  auto buffer = ex.template buffer<KeyedId>(static_cast<std::size_t>(graph.num_vertices));
  auto* const list = buffer.data();
  Edge const count = ex.select(
      graph.num_vertices,
      [=, &graph] PROCMAP_LAMBDA(Edge i) {
        auto const v = static_cast<Vertex>(i);
        Edge const degree = graph.degree(v);
        if (!alone(v) || (degree == 1) != (kind == TwoHop::leaves)) return false;
        if (kind == TwoHop::isolated) return degree == 0;
        return kind != TwoHop::relatives || degree > 0;
      },
      [=] PROCMAP_LAMBDA(Edge i) { return KeyedId{0, static_cast<Vertex>(i)}; }, list);
  ex.for_each_in_group(
      count, [=, &graph] PROCMAP_LAMBDA(Edge i) { return graph.degree(list[i].id); },
      [=, &graph, &limits, &search] PROCMAP_LAMBDA(Edge i, auto group) {
        auto const key = two_hop_key(graph, limits, search, list[i].id, group);
        if (group.rank() == 0) list[i].key = key;
      });
  pair_equal_keys(ex, graph, limits, list, count, leader);
}

/// Scratch that two_hop_pairs takes at most.
template <class Exec>
std::size_t two_hop_bytes(Vertex num_vertices) {
  auto const n = static_cast<std::size_t>(num_vertices);
  auto const of_list = Exec::template scratch_bytes<KeyedId>(n);
  auto const of_sorting = of_list;
  auto const of_runs = 2 * Exec::template scratch_bytes<Edge>(n + 1);
  return of_list + std::max({of_sorting, of_runs, Exec::pass_bytes(n)});
}

}  // namespace procmap
