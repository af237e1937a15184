// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "coarsening/two_hop.hpp"
#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/degrees.hpp"
#include "procmap/config.hpp"

namespace procmap {

/// Rule: the unmatched neighbour v wants most (paper, matching): highest rating, ties by a hash of
/// the pair, which both ends see alike.
template <class Group>
PROCMAP_HD Vertex preferred_partner(CsrView graph, PairLimits limits, char const* matched, Vertex v, std::uint64_t seed,
                                    Group group) {
  Favourite best;
  Weight const load = graph.vertex_weight(v);
  for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
    Vertex const u = graph.heads[e];
    if (matched[u] || graph.vertex_weight(u) + load > limits.max_weight || !limits.joins(u, v)) continue;
    double const rating = pair_rating(graph.arc_weight(e), graph.vertex_weight(u), load);
    if (rating < best.rating) continue;
    auto const low = static_cast<std::uint64_t>(u < v ? u : v);
    auto const high = static_cast<std::uint64_t>(u < v ? v : u);
    Favourite const other{rating, hash(seed, low, high), u};
    if (other.better_than(best)) best = other;
  }
  return group.best(best, BetterFavourite{}).id;
}

struct MatchingRules {
  int rounds = 0;
  double two_hop_above = 0;  // share of vertices left alone
  Edge max_matchmaker_degree = 0;
};

/// Matches vertices in pairs: leader[v] is the lower vertex of v's pair, v itself if alone.
struct Matching {
  CsrView graph;
  PairLimits limits;
  MatchingRules rules;
  std::uint64_t seed = 0;
  Vertex* leader = nullptr;

  struct Unmatched {
    char const* matched;
    Vertex const* leader;
    PROCMAP_HD bool operator()(Vertex v) const { return leader[v] == v && !matched[v]; }
  };

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("matching");
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const matched = ex.template buffer<char>(n);
    match_neighbours(ex, matched.data());
    for (auto const kind : {TwoHop::leaves, TwoHop::twins, TwoHop::relatives})
      if (!match_two_hops(ex, kind, matched.data())) break;
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void match_neighbours(Exec& ex, char* matched) const {
    typename Exec::ScratchScope const scope(ex);
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const partner_buffer = ex.template buffer<Vertex>(n);
    auto const open_buffer = ex.template buffer<Vertex>(n);
    auto* const partner = partner_buffer.data();
    auto* const open = open_buffer.data();
    ex.for_each(graph.num_vertices, [=, leader = leader] PROCMAP_LAMBDA(Edge v) {
      leader[v] = static_cast<Vertex>(v);
      matched[v] = 0;
      partner[v] = no_vertex;
    });
    Edge num_open = graph.num_vertices;
    for (int round = 0; round < rules.rounds && num_open > 1; ++round) {
      ex.checkpoint();
      num_open = ex.select(
          graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) { return !matched[v]; },
          [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, open);
      find_partners(ex, matched, open, num_open, hash(seed, static_cast<std::uint64_t>(round)), partner);
      Edge const newly_matched = join_partners(ex, open, num_open, partner, matched);
      if (newly_matched == 0) break;
      num_open -= newly_matched;
    }
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void find_partners(Exec& ex, char const* matched, Vertex const* open, Edge num_open,
                                      std::uint64_t round_seed, Vertex* partner) const {
    ex.for_each_in_group(num_open, DegreeOfListed{graph, open},
                         [=, &graph = graph, &limits = limits] PROCMAP_LAMBDA(Edge i, auto group) {
                           Vertex const wanted = preferred_partner(graph, limits, matched, open[i], round_seed, group);
                           if (group.rank() == 0) partner[open[i]] = wanted;
                         });
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Edge join_partners(Exec& ex, Vertex const* open, Edge num_open, Vertex const* partner,
                                      char* matched) const {
    return ex.sum(num_open, [=, leader = leader] PROCMAP_LAMBDA(Edge i) -> Weight {
      Vertex const v = open[i];
      Vertex const u = partner[v];
      if (u == no_vertex || partner[u] != v) return 0;
      leader[v] = u < v ? u : v;
      matched[v] = 1;  // each end writes its own entries only
      return 1;
    });
  }

  /// Returns false, and does nothing, if few enough vertices are alone.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT bool match_two_hops(Exec& ex, TwoHop kind, char* matched) const {
    auto const n = graph.num_vertices;
    Weight const left = ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return matched[v] ? 0 : 1; });
    if (static_cast<double>(left) <= rules.two_hop_above * static_cast<double>(n)) return false;
    two_hop_pairs(ex, graph, limits, {kind, rules.max_matchmaker_degree, seed}, Unmatched{matched, leader}, leader);
    ex.for_each(n, [=, leader = leader] PROCMAP_LAMBDA(Edge v) {
      if (leader[v] != static_cast<Vertex>(v)) {  // the other end's entry too: both agree on 1
        racy_store(&matched[v], 1);
        racy_store(&matched[leader[v]], 1);
      }
    });
    return true;
  }

  template <class Exec>
  std::size_t scratch_bytes() const {
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const of_neighbours = 2 * Exec::template scratch_bytes<Vertex>(n) + Exec::pass_bytes(n);
    return Exec::template scratch_bytes<char>(n) + std::max(of_neighbours, two_hop_bytes<Exec>(graph.num_vertices));
  }
};

template <>
struct KernelTraits<Matching> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// Matches as above, with all rounds in one go.
template <HostExecutor Exec>
void match(Exec& ex, CsrView graph, PairLimits limits, CoarseningConfig const& config, std::uint64_t seed,
           Vertex* leader) {
  MatchingRules const rules{config.matching_rounds, config.two_hop_above, config.max_matchmaker_degree};
  Matching const matching{graph, limits, rules, seed, leader};
  ex.resident({graph.num_vertices, matching.template scratch_bytes<Exec>(), 0}, matching);
}

}  // namespace procmap
