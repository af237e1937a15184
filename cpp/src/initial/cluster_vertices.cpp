// SPDX-License-Identifier: MIT
#include "initial/cluster_vertices.hpp"

#include <algorithm>
#include <numeric>

#include "coarsening/rating.hpp"

namespace procmap::initial {

namespace {

class Clusterer {
 public:
  Clusterer(Bisection const& work, Weight max_weight)
      : work_(work),
        max_weight_(max_weight),
        leader_(static_cast<std::size_t>(work.graph.num_vertices)),
        size_(leader_.size(), 1),
        weight_(work.graph.vertex_weights, work.graph.vertex_weights + leader_.size()),
        joined_(leader_.size(), 0) {
    std::iota(leader_.begin(), leader_.end(), 0);
  }

  Clusters run(Vertex wanted) {
    auto const n = work_.graph.num_vertices;
    std::vector<std::uint64_t> order(work_.tie.begin(), work_.tie.begin() + n);
    std::ranges::sort(order);
    Vertex left = n;
    for (auto const tie : order) {
      if (left <= wanted) break;
      if (join(static_cast<Vertex>(tie & 0xffff'ffff))) --left;
    }
    return numbered();
  }

 private:
  /// Whether `v`, which was alone, is with others now.
  bool join(Vertex v) {
    if (leader_[v] != v || size_[v] > 1) return false;
    Vertex const to = favourite_of(v);
    if (to == no_vertex) return false;
    leader_[v] = to;
    size_[to] += 1;
    weight_[to] += weight_[v];
    return true;
  }

  Vertex favourite_of(Vertex v) {
    adjacent_.clear();
    for (auto const [weight, u] : work_.graph.arcs(v)) {
      Vertex const cluster = leader_[u];
      if (joined_[cluster] == 0) adjacent_.push_back(cluster);
      joined_[cluster] += weight;
    }
    Favourite best;
    for (Vertex const cluster : adjacent_) {
      Favourite const found{pair_rating(joined_[cluster], weight_[v], weight_[cluster]), work_.tie[cluster], cluster};
      if (may_join(v, cluster) && found.better_than(best)) best = found;
      joined_[cluster] = 0;
    }
    return best.id;
  }

  bool may_join(Vertex v, Vertex cluster) const {
    if (!work_.pinned.empty() && work_.pinned[v] != work_.pinned[cluster]) return false;
    return weight_[v] + weight_[cluster] <= max_weight_;
  }

  Clusters numbered() {
    Clusters clusters{std::move(leader_), 0};
    auto& number = size_;  // which nobody needs any more
    for (std::size_t v = 0; v < number.size(); ++v)
      if (clusters.of[v] == static_cast<Vertex>(v)) number[v] = clusters.count++;
    for (auto& cluster : clusters.of) cluster = number[cluster];
    return clusters;
  }

  Bisection const& work_;
  Weight max_weight_;
  std::vector<Vertex> leader_;
  std::vector<Vertex> size_;    // of the cluster, at its leader
  std::vector<Weight> weight_;  // of the cluster, at its leader
  std::vector<Weight> joined_;  // weight of the arcs between the vertex looked at and a cluster
  std::vector<Vertex> adjacent_;
};

}  // namespace

Clusters cluster_vertices(Bisection const& work, Vertex wanted, Weight max_weight) {
  return Clusterer(work, max_weight).run(wanted);
}

}  // namespace procmap::initial
