// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "coarsening/admission.hpp"
#include "coarsening/clusters.hpp"
#include "coarsening/coarsening_plan.hpp"
#include "coarsening/skew.hpp"
#include "coarsening/two_hop.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/degrees.hpp"
#include "procmap/config.hpp"

namespace procmap {

struct ClusteringRules {
  int rounds = 0;
  int subrounds = 1;
  double shrink_factor = 1;
  double shrink_tolerance = 0;
  double min_shrink = 0;
  double two_hop_above = 0;  // share of vertices left alone
  Skew skew = {};
};

struct HeavierArc {
  PROCMAP_HD bool operator()(Weight a, Weight b) const { return a > b; }
};

/// Size-constrained label propagation in hashed sub-rounds (algorithm: Raghavan et al.; constraint and
/// use for coarsening: Meyerhenke, Sanders, Schulz 2014). Only one class of vertices moves at a time, so
/// few decisions are made against each other; movers into a cluster that would become too heavy are
/// admitted in hashed order. leader[v] becomes the leader of v's cluster.
struct Clustering {
  CsrView graph;
  PairLimits limits;
  ClusteringRules rules;
  std::uint64_t seed = 0;
  Vertex* leader = nullptr;

  /// How many clusters there are, and how many there are to be.
  struct Progress {
    Edge clusters = 0;
    Edge wanted = 0;
    Edge enough = 0;
    double movable = 0;  // vertices
  };

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("clustering");
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const weight = ex.template buffer<Weight>(n);
    auto const size = ex.template buffer<Vertex>(n);
    ClustersView const clusters{leader, weight.data(), size.data()};
    auto const heaviest = ex.template buffer<Weight>(rules.skew.of_arcs ? n : 0);
    if (rules.skew.of_arcs) find_heaviest(ex, heaviest.data());
    UnevenClusters const uneven{size.data(), least_load(ex), heaviest.data()};
    auto progress = start(ex, clusters);
    propagate(ex, clusters, progress, uneven);
    if (progress.clusters > progress.enough) pair_leftovers(ex, clusters);
  }

  /// Everybody is alone, but for isolated vertices where there are many: they are paired. Nobody wants to join them, so
  /// all others would have to merge in their place until the level is small enough.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Progress start(Exec& ex, ClustersView const& clusters) const {
    auto const n = graph.num_vertices;
    auto const c = clusters;
    Edge isolated = ex.sum(n, [=, &graph = graph] PROCMAP_LAMBDA(Edge i) -> Weight {
      auto const v = static_cast<Vertex>(i);
      c.leader[v] = v;
      c.weight[v] = graph.vertex_weight(v);
      c.size[v] = 1;
      return graph.degree(v) == 0 ? 1 : 0;
    });
    Edge num_clusters = n;
    constexpr Edge few = 64;  // one of so many vertices
    if (isolated * few <= n) {
      isolated = 0;
    } else {
      pair_alone(ex, clusters, TwoHop::isolated);
      num_clusters =
          ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return c.leader[v] == static_cast<Vertex>(v) ? 1 : 0; });
    }
    Edge const others = n - isolated;
    auto const movable = static_cast<double>(others);
    Edge const wanted = num_clusters - others + static_cast<Edge>(std::ceil(movable / rules.shrink_factor));
    auto const enough = static_cast<Edge>(static_cast<double>(wanted) * (1 + rules.shrink_tolerance));
    return {num_clusters, wanted, enough, movable};
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void propagate(Exec& ex, ClustersView const& clusters, Progress& progress,
                                  UnevenClusters const& uneven) const {
    typename Exec::ScratchScope const scope(ex);
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const wish = ex.template buffer<Vertex>(n);
    auto const gained = ex.template buffer<Weight>(n);
    auto const movers = ex.template buffer<Vertex>(n);
    auto const joiners = ex.template buffer<Vertex>(n);
    WishesView wishes{wish.data(), gained.data(), movers.data(), joiners.data()};
    ex.for_each_ahead(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) {
      wishes.wish[v] = no_vertex;
      wishes.gained[v] = 0;
    });
    for (int round = 0; round < rules.rounds; ++round) {
      Edge const before = progress.clusters;
      auto const rule = rule_of_round(uneven, round);
      for (int part = 0; part < rules.subrounds; ++part) {
        if (progress.clusters <= progress.enough) return;
        progress.clusters -= subround(ex, clusters, wishes, round, part, progress.clusters - progress.wanted, rule);
        wishes = wishes.with_lists_swapped();
      }
      bool const anything_will_do = !rule.heaviest;
      bool const has_removed_few =
          static_cast<double>(before - progress.clusters) < rules.min_shrink * progress.movable;
      if (anything_will_do && has_removed_few) return;
    }
  }

  /// Half of the heaviest arc of a leader, in the next round a quarter, and so on; anything in the last round.
  PROCMAP_HD UnevenClusters rule_of_round(UnevenClusters rule, int round) const {
    constexpr double share = 0.5;
    if (!rules.skew.of_arcs || round + 1 >= rules.rounds) {
      rule.heaviest = nullptr;
      return rule;
    }
    rule.share = share;
    for (int i = 0; i < round; ++i) rule.share *= share;
    return rule;
  }

  /// Where few vertices carry much of the weight, light ones would merge with many others before heavy ones merge at
  /// all, and a level would hold what is most of the graph in a few large pieces. So none counts as less than average.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT double least_load(Exec& ex) const {
    if (!rules.skew.of_vertices || graph.num_vertices == 0) return 0;
    Weight const total = ex.sum(graph.num_vertices, [=, &graph = graph] PROCMAP_LAMBDA(Edge v) -> Weight {
      return graph.vertex_weight(static_cast<Vertex>(v));
    });
    return static_cast<double>(total) / static_cast<double>(graph.num_vertices);
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void find_heaviest(Exec& ex, Weight* heaviest) const {
    ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=, &graph = graph] PROCMAP_LAMBDA(Edge i, auto group) {
      auto const v = static_cast<Vertex>(i);
      Weight most = 0;
      for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
        Weight const weight = graph.arc_weight(e);
        most = weight > most ? weight : most;
      }
      most = group.best(most, HeavierArc{});
      if (group.rank() == 0) heaviest[v] = most;
    });
  }

  /// Returns how many clusters it dissolved, not many more than `to_remove`.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Edge subround(Exec& ex, ClustersView const& clusters, WishesView const& wishes, int round, int part,
                                 Edge to_remove, UnevenClusters const& rule) const {
    ex.checkpoint();
    auto const w = wishes;
    auto const round_seed = hash(seed, static_cast<std::uint64_t>(round));
    Edge const num_movers = collect_wishes(ex, clusters, wishes, round_seed, part, rule);
    Edge const num_safe = ex.collect(  // the order of lists means nothing here
        num_movers, [=] PROCMAP_LAMBDA(Edge i) { return wish_is_safe(w.wish, w.movers[i]); },
        [=] PROCMAP_LAMBDA(Edge i) { return w.movers[i]; }, w.joiners);
    Admission const admission{graph, limits.max_weight, clusters, wishes, round_seed};
    Edge const num_joiners = admission.decide(ex, num_safe, to_remove);
    Edge const dissolved = join(ex, clusters, wishes, num_joiners);
    // Seen after the next barrier. Before it nobody reads a wish, and the next movers are listed where joiners are now.
    ex.for_each_ahead(num_movers, [=] PROCMAP_LAMBDA(Edge i) { w.wish[w.movers[i]] = no_vertex; });
    return dissolved;
  }

  /// wish[v] for every vertex of this sub-round's class that may move; lists them in `movers` and returns how many.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Edge collect_wishes(Exec& ex, ClustersView const& clusters, WishesView const& wishes,
                                       std::uint64_t round_seed, int part, UnevenClusters const& rule) const {
    auto const w = wishes;
    auto const parts = static_cast<std::uint64_t>(rules.subrounds);
    auto const mine = static_cast<std::uint64_t>(part);
    bool const is_power = std::has_single_bit(parts);  // usually so, and a division takes as long as all the rest
    Edge const count = ex.collect(
        graph.num_vertices,
        [=, c = clusters] PROCMAP_LAMBDA(Edge v) {
          auto const drawn = hash(round_seed, static_cast<std::uint64_t>(v));
          bool const is_mine = (is_power ? drawn & (parts - 1) : drawn % parts) == mine;
          return both(is_mine, !c.leads_others(static_cast<Vertex>(v)));
        },
        [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, w.movers);
    auto const wish_seed = hash(round_seed, mine);
    if (rules.skew.any())
      choose(ex, clusters, w, count, wish_seed, rule);
    else
      choose(ex, clusters, w, count, wish_seed, AnyCluster{});
    return count;
  }

  /// Each of the first `count` movers looks for its best cluster. Nearly all graphs ask for no more than weights, which
  /// is worth a text of its own: on a netlist clustering takes 0.7 of the time.
  template <ResidentExecutor Exec, class Rule>
  PROCMAP_RESIDENT void choose(Exec& ex, ClustersView const& clusters, WishesView w, Edge count,
                               std::uint64_t wish_seed, Rule rule) const {
    ex.for_each_with_table(
        count, DegreeOfListed{graph, w.movers}, graph.num_vertices,
        [=, &graph = graph, &limits = limits, &clusters] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
          Vertex const v = w.movers[i];
          Vertex const target = preferred_cluster(graph, clusters, limits, v, wish_seed, group, table, rule);
          if (group.rank() == 0) w.wish[v] = target;
        });
  }

  /// Fulfils the wishes that are left; returns how many clusters end.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT Edge join(Exec& ex, ClustersView const& clusters, WishesView const& wishes, Edge num_joiners) const {
    auto const w = wishes;
    return ex.sum(num_joiners, [=, c = clusters, &graph = graph] PROCMAP_LAMBDA(Edge i) -> Weight {
      Vertex const v = w.joiners[i];
      Vertex const to = w.wish[v];
      if (to == no_vertex) return 0;
      Vertex const from = c.leader[v];
      Weight const load = graph.vertex_weight(v);
      atomic_add(&c.weight[to], load);
      atomic_add(&c.size[to], 1);
      racy_store(&w.gained[to], 0);
      c.leader[v] = to;
      if (from == v) {  // it was alone, and nobody joins a cluster whose leader leaves
        c.weight[v] = 0;
        c.size[v] = 0;
        return 1;
      }
      atomic_add(&c.weight[from], -load);
      atomic_add(&c.size[from], -1);
      return 0;
    });
  }

  /// Vertices that found no cluster: pair those with a common favourite neighbour, leaves and isolated
  /// ones, as in matching. Without this a hub whose cluster is full would stop the coarsening.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void pair_leftovers(Exec& ex, ClustersView const& clusters) const {
    auto const n = graph.num_vertices;
    for (auto const kind : {TwoHop::leaves, TwoHop::twins, TwoHop::relatives}) {
      Weight const left = ex.sum(
          n, [=, c = clusters] PROCMAP_LAMBDA(Edge v) -> Weight { return c.alone(static_cast<Vertex>(v)) ? 1 : 0; });
      if (static_cast<double>(left) <= rules.two_hop_above * static_cast<double>(n)) return;
      pair_alone(ex, clusters, kind);
    }
  }

  struct Alone {
    ClustersView clusters;
    PROCMAP_HD bool operator()(Vertex v) const { return clusters.alone(v); }
  };

  /// Pairs vertices that are alone; of a pair the lower one leads.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void pair_alone(Exec& ex, ClustersView const& clusters, TwoHop kind) const {
    auto const c = clusters;
    Edge const any_degree = graph.num_arcs;
    two_hop_pairs(ex, graph, limits, {kind, any_degree, seed}, Alone{clusters}, c.leader);
    ex.for_each(graph.num_vertices, [=, &graph = graph] PROCMAP_LAMBDA(Edge i) {
      auto const v = static_cast<Vertex>(i);
      if (c.leader[v] == v || c.size[v] != 1) return;
      c.size[c.leader[v]] = 2;  // of a pair only the higher vertex comes here
      c.size[v] = 0;
      c.weight[c.leader[v]] += graph.vertex_weight(v);
    });
  }

  template <class Exec>
  std::size_t scratch_bytes() const {
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const of_arcs = rules.skew.of_arcs ? Exec::template scratch_bytes<Weight>(n) : 0;
    auto const of_clusters =
        of_arcs + Exec::template scratch_bytes<Weight>(n) + Exec::template scratch_bytes<Vertex>(n);
    auto const of_wishes = Exec::template scratch_bytes<Weight>(n) + 3 * Exec::template scratch_bytes<Vertex>(n);
    auto const of_subround = std::max(Exec::pass_bytes(n), Admission::scratch_bytes<Exec>(n));
    return of_clusters + std::max(of_wishes + of_subround, two_hop_bytes<Exec>(graph.num_vertices));
  }
};

template <>
struct KernelTraits<Clustering> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// Clusters the vertices as above, with all rounds in one go.
template <HostExecutor Exec>
void cluster(Exec& ex, CsrView graph, PairLimits limits, CoarseningConfig const& config, std::uint64_t seed,
             Vertex* leader, CoarseningGoal const& goal = {}) {
  ClusteringRules const rules{config.clustering_rounds,
                              config.clustering_subrounds,
                              config.shrink_factor,
                              config.shrink_tolerance,
                              config.min_shrink,
                              config.two_hop_above,
                              goal.skew};
  Clustering const clustering{graph, limits, rules, seed, leader};
  ResidentNeeds needs{graph.num_vertices, clustering.template scratch_bytes<Exec>(), graph.num_vertices,
                      graph.num_arcs};
  needs.table_keys = largest_degree(ex, graph);
  ex.resident(needs, clustering);
}

}  // namespace procmap
