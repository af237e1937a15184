// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/rating.hpp"
#include "coarsening/two_hop.hpp"
#include "core/both.hpp"
#include "core/hash.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// Clusters while they form. A cluster is named after its leader, a member that stays as long as
/// the cluster has others; leader[v] == v for leaders. weight and size are kept per leader.
struct ClustersView {
  Vertex* leader = nullptr;
  Weight* weight = nullptr;
  Vertex* size = nullptr;

  PROCMAP_HD bool leads_others(Vertex v) const { return both(leader[v] == v, size[v] > 1); }
  PROCMAP_HD bool alone(Vertex v) const { return leader[v] == v && size[v] == 1; }
};

/// Where vertices want to go in a sub-round.
struct WishesView {
  Vertex* wish = nullptr;    // cluster a vertex wants to join, or no_vertex
  Weight* gained = nullptr;  // weight that wants to join a cluster
  Vertex* movers = nullptr;  // the vertices of the sub-round's class that may move
  Vertex* joiners = nullptr;  // those of them whose wish may be followed

  PROCMAP_HD WishesView with_lists_swapped() const { return {wish, gained, joiners, movers}; }
};

/// Rule: every cluster may be joined, and counts as what it weighs.
struct AnyCluster {
  PROCMAP_HD bool allows(Vertex, Weight) const { return true; }
  PROCMAP_HD double load(Vertex, Weight weight) const { return rated_load(weight); }
};

/// Rule: what few heavy vertices or arcs ask for.
struct UnevenClusters {
  Vertex const* size = nullptr;
  double average = 0;                // load that a vertex counts as at least, however light it is
  Weight const* heaviest = nullptr;  // arc of every vertex; null: anything will do
  double share = 0;                  // of the heaviest arc of the leader, that a vertex has to send to the cluster

  PROCMAP_HD bool allows(Vertex cluster, Weight weight) const {
    return !heaviest || static_cast<double>(weight) >= share * static_cast<double>(heaviest[cluster]);
  }
  PROCMAP_HD double load(Vertex cluster, Weight weight) const {
    double const own = rated_load(weight), least = average * static_cast<double>(size[cluster]);
    return own > least ? own : least;
  }
};

/// Rule: the cluster v joins best within the weight limit, of those that `rule` allows; no_vertex if its own is at
/// least as good.
template <class Rule, class Group, class Table>
PROCMAP_HD Vertex preferred_cluster(CsrView const& graph, ClustersView const& clusters, PairLimits const& limits,
                                    Vertex v, std::uint64_t seed, Group group, Table& table, Rule rule) {
  table.fill([&](auto& sums) {
    graph.with_arc_weights([&](auto weight) {
      for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size())
        if (limits.joins(graph.heads[e], v)) sums.add(clusters.leader[graph.heads[e]], weight(e));
    });
  });
  group.sync();

  Weight const load = graph.vertex_weight(v);
  Vertex const own = clusters.leader[v];
  auto const noise_seed = hash(seed, static_cast<std::uint64_t>(v));
  Favourite best;
  table.for_each(group, [&](Vertex cluster, Weight weight) {
    if (cluster == own || clusters.weight[cluster] + load > limits.max_weight || !rule.allows(cluster, weight)) return;
    double const rating = pair_rating(weight, rule.load(cluster, clusters.weight[cluster]), rated_load(load));
    if (rating < best.rating) return;
    Favourite const other{rating, hash(noise_seed, static_cast<std::uint64_t>(cluster)), cluster};
    if (other.better_than(best)) best = other;
  });
  best = group.best(best, BetterFavourite{});
  if (best.id != no_vertex && clusters.size[own] > 1 &&
      pair_rating(table.get(own), rule.load(own, clusters.weight[own]), rated_load(load)) >= best.rating)
    return no_vertex;
  return best.id;
}

/// Rule: may v follow its wish? Not into a cluster whose leader leaves in the same sub-round, except
/// that of two who want each other the higher one joins the lower.
PROCMAP_HD inline bool wish_is_safe(Vertex const* wish, Vertex v) {
  Vertex const target = wish[v];
  if (target == no_vertex) return false;
  Vertex const next = wish[target];
  return next == no_vertex || (next == v && v > target);
}

}  // namespace procmap
