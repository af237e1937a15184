// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "coarsening/two_hop.hpp"
#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/csr_view.hpp"
#include "procmap/config.hpp"

namespace procmap {

/// Clusters while they form. A cluster is named after its leader, a member that stays as long as
/// the cluster has others; leader[v] == v for leaders. weight and size are kept per leader.
struct ClustersView {
  Vertex* leader = nullptr;
  Weight* weight = nullptr;
  Vertex* size = nullptr;
  Vertex* wish = nullptr;    // cluster a vertex wants to join in this sub-round, or no_vertex
  Weight* gained = nullptr;  // weight that wants to join a cluster in this sub-round

  PROCMAP_HD bool leads_others(Vertex v) const { return leader[v] == v && size[v] > 1; }
  PROCMAP_HD bool alone(Vertex v) const { return leader[v] == v && size[v] == 1; }
};

/// Pairs clusters of one vertex, as matching does.
struct LeftoverPairs {
  CsrView graph;
  ClustersView clusters;
  PairLimits limits;
  TwoHop kind = TwoHop::leaves;
  std::uint64_t seed = 0;

  struct Alone {
    ClustersView clusters;
    PROCMAP_HD bool operator()(Vertex v) const { return clusters.alone(v); }
  };

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("pair leftovers");
    Edge const any_degree = graph.num_arcs;
    two_hop_pairs(ex, graph, limits, {kind, any_degree, seed}, Alone{clusters}, clusters.leader);
  }
};

template <>
struct KernelTraits<LeftoverPairs> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// Rule: the cluster v joins best within the weight limit; no_vertex if its own is at least as good.
struct PreferredCluster {
  CsrView graph;
  ClustersView clusters;
  PairLimits limits;
  std::uint64_t seed;

  template <class Group, class Table>
  PROCMAP_HD Vertex operator()(Vertex v, Group group, Table& table) const {
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size())
      if (limits.joins(graph.heads[e], v)) table.add(clusters.leader[graph.heads[e]], graph.arc_weight(e));
    group.sync();

    Weight const load = graph.vertex_weight(v);
    Vertex const own = clusters.leader[v];
    auto const noise_seed = hash(seed, static_cast<std::uint64_t>(v));
    Favourite best;
    table.for_each(group, [&](Vertex cluster, Weight weight) {
      if (cluster == own || clusters.weight[cluster] + load > limits.max_weight) return;
      double const rating = pair_rating(weight, clusters.weight[cluster], load);
      if (rating < best.rating) return;
      Favourite const other{rating, hash(noise_seed, static_cast<std::uint64_t>(cluster)), cluster};
      if (other.better_than(best)) best = other;
    });
    best = group.best(best, BetterFavourite{});
    if (best.id != no_vertex && clusters.size[own] > 1 &&
        pair_rating(table.get(own), clusters.weight[own], load) >= best.rating)
      return no_vertex;
    return best.id;
  }
};

/// Rule: may v follow its wish? Not into a cluster whose leader leaves in the same sub-round, except
/// that of two who want each other the higher one joins the lower.
PROCMAP_HD inline bool wish_is_safe(ClustersView const& clusters, Vertex v) {
  Vertex const target = clusters.wish[v];
  if (target == no_vertex) return false;
  Vertex const next = clusters.wish[target];
  return next == no_vertex || (next == v && v > target);
}

/// Size-constrained label propagation in hashed sub-rounds (algorithm: Raghavan et al.; constraint and
/// use for coarsening: Meyerhenke, Sanders, Schulz 2014). Only one class of vertices moves at a time, so
/// few decisions are made against each other; movers into a cluster that would become too heavy are
/// admitted in hashed order.
template <HostExecutor Exec>
class ClusteringPass {
 public:
  ClusteringPass(Exec& ex, CsrView graph, PairLimits limits, CoarseningConfig const& config, std::uint64_t seed,
                 Vertex* leader)
      : ex_(ex),
        graph_(graph),
        limits_(limits),
        config_(config),
        seed_(seed),
        weight_(ex.template buffer<Weight>(static_cast<std::size_t>(graph.num_vertices))),
        gained_(ex.template buffer<Weight>(static_cast<std::size_t>(graph.num_vertices))),
        size_(ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices))),
        wish_(ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices))),
        movers_(ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices))),
        joiners_(ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices))),
        clusters_{leader, weight_.data(), size_.data(), wish_.data(), gained_.data()},
        num_clusters_(graph.num_vertices) {}

  void run() {
    start();
    Edge const isolated = pair_isolated();
    auto const n = static_cast<double>(graph_.num_vertices - isolated);
    Edge const left = num_clusters_ - (graph_.num_vertices - isolated);  // of the isolated ones
    auto const wanted = left + static_cast<Edge>(std::ceil(n / config_.shrink_factor));
    auto const enough = static_cast<Edge>(static_cast<double>(wanted) * (1 + config_.shrink_tolerance));
    for (int round = 0; round < config_.clustering_rounds; ++round) {
      Edge const before = num_clusters_;
      for (int part = 0; part < config_.clustering_subrounds; ++part) {
        if (num_clusters_ <= enough) return;
        subround(round, part, num_clusters_ - wanted);
      }
      if (static_cast<double>(before - num_clusters_) < config_.min_shrink * n) break;
    }
    if (num_clusters_ > enough) pair_leftovers();
  }

  // Public because nvcc does not admit device lambdas in private members.

  void start() {
    auto const graph = graph_;
    auto const c = clusters_;
    ex_.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
      auto const v = static_cast<Vertex>(i);
      c.leader[v] = v;
      c.weight[v] = graph.vertex_weight(v);
      c.size[v] = 1;
      c.wish[v] = no_vertex;
      c.gained[v] = 0;
    });
  }

  void subround(int round, int part, Edge to_remove) {
    ex_.run().checkpoint();
    auto const c = clusters_;
    auto* const movers = movers_.data();
    auto const round_seed = hash(seed_, static_cast<std::uint64_t>(round));
    Edge const num_movers = collect_wishes(round_seed, part);
    Edge const num_joiners = thin_out(collect_joiners(num_movers), round_seed, to_remove);
    respect_limit(num_joiners, round_seed);
    apply(num_joiners);
    ex_.for_each(num_movers, [=] PROCMAP_LAMBDA(Edge i) { c.wish[movers[i]] = no_vertex; });
  }

  /// wish[v] for every vertex of this sub-round's class that may move; lists them in movers_.
  Edge collect_wishes(std::uint64_t round_seed, int part) {
    auto const graph = graph_;
    auto const c = clusters_;
    auto* const movers = movers_.data();
    auto const parts = static_cast<std::uint64_t>(config_.clustering_subrounds);
    auto const mine = static_cast<std::uint64_t>(part);
    Edge const count = ex_.select(
        graph.num_vertices,
        [=] PROCMAP_LAMBDA(Edge v) {
          return hash(round_seed, static_cast<std::uint64_t>(v)) % parts == mine &&
                 !c.leads_others(static_cast<Vertex>(v));
        },
        [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, movers);
    PreferredCluster const preferred{graph, c, limits_, hash(round_seed, mine)};
    ex_.for_each_with_table(
        count, [=] PROCMAP_LAMBDA(Edge i) { return graph.degree(movers[i]); }, graph.num_vertices,
        [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
          Vertex const target = preferred(movers[i], group, table);
          if (group.rank() == 0) c.wish[movers[i]] = target;
        });
    return count;
  }

  Edge collect_joiners(Edge num_movers) {
    auto const c = clusters_;
    auto const* const movers = movers_.data();
    return ex_.select(
        num_movers, [=] PROCMAP_LAMBDA(Edge i) { return wish_is_safe(c, movers[i]); },
        [=] PROCMAP_LAMBDA(Edge i) { return movers[i]; }, joiners_.data());
  }

  /// Lets only about `to_remove` of the joiners that would dissolve a cluster go on, so that a level
  /// does not shrink more than asked.
  Edge thin_out(Edge num_joiners, std::uint64_t round_seed, Edge to_remove) {
    auto const c = clusters_;
    auto* const joiners = joiners_.data();
    Edge const dissolving =
        ex_.sum(num_joiners, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return c.leader[joiners[i]] == joiners[i]; });
    if (dissolving <= to_remove) return num_joiners;
    auto const share = static_cast<std::uint64_t>((static_cast<double>(to_remove) / static_cast<double>(dissolving)) *
                                                  static_cast<double>(std::uint64_t{1} << 32));
    auto* const movers = spare_list();
    Edge const kept = ex_.select(
        num_joiners,
        [=] PROCMAP_LAMBDA(Edge i) {
          return (hash(round_seed, static_cast<std::uint64_t>(joiners[i]), 1) >> 32) <= share;
        },
        [=] PROCMAP_LAMBDA(Edge i) { return joiners[i]; }, movers);
    ex_.copy(movers, kept, joiners);
    return kept;
  }

  /// Takes the wish, in hashed order, of joiners that would make a cluster too heavy: it becomes no_vertex.
  void respect_limit(Edge num_joiners, std::uint64_t round_seed) {
    auto const graph = graph_;
    auto const c = clusters_;
    auto const max_weight = limits_.max_weight;
    auto* const joiners = joiners_.data();
    ex_.for_each(num_joiners, [=] PROCMAP_LAMBDA(Edge i) {
      atomic_add(&c.gained[c.wish[joiners[i]]], graph.vertex_weight(joiners[i]));
    });
    auto const contested = [=] PROCMAP_LAMBDA(Edge i) {
      Vertex const target = c.wish[joiners[i]];
      return c.weight[target] + c.gained[target] > max_weight;
    };
    Edge const num_contested =
        ex_.sum(num_joiners, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return contested(i) ? 1 : 0; });
    if (num_contested > 0) admit_in_order(num_joiners, num_contested, round_seed, contested);
  }

  struct Applicant {
    Vertex target;
    Vertex vertex;
    std::uint64_t order;
  };

  template <class Contested>
  void admit_in_order(Edge num_joiners, Edge num_contested, std::uint64_t round_seed, Contested contested) {
    auto const graph = graph_;
    auto const c = clusters_;
    auto const max_weight = limits_.max_weight;
    auto const* const joiners = joiners_.data();
    auto applicant_buffer = ex_.template buffer<Applicant>(static_cast<std::size_t>(num_contested));
    auto weight_buffer = ex_.template buffer<Edge>(static_cast<std::size_t>(num_contested) + 1);
    auto* const applicants = applicant_buffer.data();
    auto* const weight_before = weight_buffer.data();
    ex_.select(
        num_joiners, contested,
        [=] PROCMAP_LAMBDA(Edge i) {
          return Applicant{c.wish[joiners[i]], joiners[i], hash(round_seed, static_cast<std::uint64_t>(joiners[i]), 2)};
        },
        applicants);
    ex_.sort(applicants, num_contested, [] PROCMAP_LAMBDA(Applicant const& a, Applicant const& b) {
      if (a.target != b.target) return a.target < b.target;
      if (a.order != b.order) return a.order < b.order;
      return a.vertex < b.vertex;
    });
    ex_.scan(
        num_contested, [=] PROCMAP_LAMBDA(Edge i) { return graph.vertex_weight(applicants[i].vertex); }, weight_before);
    // gained[] of a contested target is no longer needed; it now holds the scan value of its first applicant.
    ex_.for_each(num_contested, [=] PROCMAP_LAMBDA(Edge i) {
      if (i == 0 || applicants[i].target != applicants[i - 1].target) c.gained[applicants[i].target] = weight_before[i];
    });
    ex_.for_each(num_contested, [=] PROCMAP_LAMBDA(Edge i) {
      Vertex const target = applicants[i].target;
      if (c.weight[target] + weight_before[i + 1] - c.gained[target] > max_weight)
        c.wish[applicants[i].vertex] = no_vertex;
    });
    ex_.for_each(num_contested, [=] PROCMAP_LAMBDA(Edge i) { racy_store(&c.gained[applicants[i].target], 0); });
  }

  void apply(Edge num_joiners) {
    auto const graph = graph_;
    auto const c = clusters_;
    auto const* const joiners = joiners_.data();
    num_clusters_ -= ex_.sum(num_joiners, [=] PROCMAP_LAMBDA(Edge i) -> Weight {
      Vertex const v = joiners[i];
      return c.wish[v] != no_vertex && c.leader[v] == v;
    });
    ex_.for_each(num_joiners, [=] PROCMAP_LAMBDA(Edge i) {
      Vertex const v = joiners[i];
      Vertex const to = c.wish[v];
      if (to == no_vertex) return;
      Vertex const from = c.leader[v];
      Weight const load = graph.vertex_weight(v);
      atomic_add(&c.weight[from], -load);
      atomic_add(&c.size[from], -1);
      atomic_add(&c.weight[to], load);
      atomic_add(&c.size[to], 1);
      racy_store(&c.gained[to], 0);
      c.leader[v] = to;
    });
  }

  /// Vertices that found no cluster: pair those with a common favourite neighbour, leaves and isolated
  /// ones, as in matching. Without this a hub whose cluster is full would stop the coarsening.
  void pair_leftovers() {
    auto const c = clusters_;
    auto const n = graph_.num_vertices;
    for (auto const kind : {TwoHop::leaves, TwoHop::twins, TwoHop::relatives}) {
      Weight const left =
          ex_.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return c.alone(static_cast<Vertex>(v)) ? 1 : 0; });
      if (static_cast<double>(left) <= config_.two_hop_above * static_cast<double>(n)) return;
      pair_alone(kind);
    }
  }

  /// Pairs vertices that are alone; of a pair the lower one leads.
  void pair_alone(TwoHop kind) {
    auto const graph = graph_;
    auto const c = clusters_;
    auto const n = graph.num_vertices;
    ex_.resident({n, two_hop_bytes<Exec>(n), 0}, LeftoverPairs{graph, c, limits_, kind, seed_});
    ex_.for_each(n, [=] PROCMAP_LAMBDA(Edge i) {
      auto const v = static_cast<Vertex>(i);
      if (c.leader[v] == v || c.size[v] != 1) return;
      c.size[c.leader[v]] = 2;  // of a pair only the higher vertex comes here
      c.size[v] = 0;
      c.weight[c.leader[v]] += graph.vertex_weight(v);
    });
  }

  /// Pairs isolated vertices where there are many, and returns how many there are then, else 0. Nobody wants to join
  /// them, so all others would have to merge in their place until the level is small enough.
  Edge pair_isolated() {
    auto const graph = graph_;
    auto const n = graph.num_vertices;
    Edge const isolated =
        ex_.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return graph.degree(static_cast<Vertex>(v)) == 0 ? 1 : 0; });
    constexpr Edge few = 64;  // one of so many vertices
    if (isolated * few <= n) return 0;
    pair_alone(TwoHop::isolated);
    auto const c = clusters_;
    num_clusters_ =
        ex_.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return c.leader[v] == static_cast<Vertex>(v) ? 1 : 0; });
    return isolated;
  }

 private:
  Vertex* spare_list() {
    if (spare_.size() == 0) spare_ = ex_.template buffer<Vertex>(static_cast<std::size_t>(graph_.num_vertices));
    return spare_.data();
  }

  Exec& ex_;
  CsrView graph_;
  PairLimits limits_;
  CoarseningConfig const& config_;
  std::uint64_t seed_;
  Buffer<Exec, Weight> weight_, gained_;
  Buffer<Exec, Vertex> size_, wish_, movers_, joiners_, spare_;
  ClustersView clusters_;
  Edge num_clusters_;
};

/// Clusters the vertices: leader[v] is the leader of v's cluster.
template <HostExecutor Exec>
void cluster(Exec& ex, CsrView graph, PairLimits limits, CoarseningConfig const& config, std::uint64_t seed,
             Vertex* leader) {
  Phase phase(ex.run(), "clustering");
  ClusteringPass<Exec>(ex, graph, limits, config, seed, leader).run();
}

}  // namespace procmap
