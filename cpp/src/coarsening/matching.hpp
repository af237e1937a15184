// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/two_hop.hpp"
#include "core/atomic.hpp"
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

/// Matches vertices in pairs: leader[v] is the lower vertex of v's pair, v itself if alone.
template <Executor Exec>
void match(Exec& ex, CsrView graph, PairLimits limits, CoarseningConfig const& config, std::uint64_t seed,
           Vertex* leader) {
  Phase phase(ex.run(), "matching");
  Vertex const n = graph.num_vertices;
  auto const size = static_cast<std::size_t>(n);
  auto matched_buffer = ex.template buffer<char>(size);
  auto partner_buffer = ex.template buffer<Vertex>(size);
  auto open_buffer = ex.template buffer<Vertex>(size);
  auto* const matched = matched_buffer.data();
  auto* const partner = partner_buffer.data();
  auto* const open = open_buffer.data();
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) {
    leader[v] = static_cast<Vertex>(v);
    matched[v] = 0;
    partner[v] = no_vertex;
  });

  auto const unmatched = [=] PROCMAP_LAMBDA(Edge v) { return !matched[v]; };
  auto const identity = [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); };
  Edge num_open = n;
  for (int round = 0; round < config.matching_rounds && num_open > 1; ++round) {
    ex.run().checkpoint();
    num_open = ex.select(n, unmatched, identity, open);
    auto const round_seed = hash(seed, static_cast<std::uint64_t>(round));
    auto const degree = [=] PROCMAP_LAMBDA(Edge i) { return graph.degree(open[i]); };
    ex.for_each_in_group(num_open, degree, [=] PROCMAP_LAMBDA(Edge i, auto group) {
      Vertex const wanted = preferred_partner(graph, limits, matched, open[i], round_seed, group);
      if (group.rank() == 0) partner[open[i]] = wanted;
    });
    Edge const newly_matched = ex.sum(num_open, [=] PROCMAP_LAMBDA(Edge i) -> Weight {
      Vertex const v = open[i];
      Vertex const u = partner[v];
      if (u == no_vertex || partner[u] != v) return 0;
      leader[v] = u < v ? u : v;
      matched[v] = 1;  // each end writes its own entries only
      return 1;
    });
    if (newly_matched == 0) break;
    num_open -= newly_matched;
  }

  auto const alone = [=] PROCMAP_LAMBDA(Vertex v) { return leader[v] == v && !matched[v]; };
  for (auto const kind : {TwoHop::leaves, TwoHop::twins, TwoHop::relatives}) {
    Weight const left = ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return matched[v] ? 0 : 1; });
    if (static_cast<double>(left) <= config.two_hop_above * static_cast<double>(n)) break;
    two_hop_pairs(ex, graph, limits, kind, config.max_matchmaker_degree, seed, alone, leader);
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) {
      if (leader[v] != static_cast<Vertex>(v)) {  // the other end's entry too: both agree on 1
        racy_store(&matched[v], 1);
        racy_store(&matched[leader[v]], 1);
      }
    });
  }
}

}  // namespace procmap
