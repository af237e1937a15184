// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "coarsening/two_hop.hpp"
#include "core/atomic.hpp"
#include "exec/executor.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// How a graph was coarsened: into which cluster every vertex of every level went. Recorded by one coarsening, which
/// may have started on a coarse graph where another ended, and repeated by others of the same graph, between them
/// rewind(). Where vertices must not be merged any more, a cluster is split; so a vertex of the new hierarchy is always
/// a part of one of the old, and the history holds on every level.
template <HostExecutor Exec>
class ClusterHistory {
 public:
  /// From now on, coarsening starts with the clusters recorded so far.
  void rewind() {
    recording_ = false;
    level_ = 0;
    origin_ = {};
  }

  /// Finds the clusters of the next level: leader[v] is the lowest vertex of v's cluster, as after cluster(). False if
  /// there is no such level, or a cluster is too heavy by now; that ends the history.
  bool repeat(Exec& ex, CsrView graph, PairLimits limits, Vertex* leader) {
    if (recording_ || level_ == steps_.size()) return false;
    Phase phase(ex.run(), "repeat clusters");
    cluster_ = ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices));
    find_clusters(ex, graph.num_vertices);
    lead_clusters(ex, graph.num_vertices, leader);
    if (limits.scope || limits.fixed) split_clusters(ex, graph.num_vertices, limits, leader);
    if (within_limit(ex, graph, limits.max_weight, leader)) return true;
    level_ = steps_.size();
    return false;
  }

  /// A level was made, by repeat() or otherwise: vertex v went to coarse_of[v].
  void advance(Exec& ex, Vertex n, Vertex const* coarse_of, Vertex num_coarse) {
    if (recording_) {
      steps_.push_back({ex.template buffer<Vertex>(static_cast<std::size_t>(n)), num_coarse});
      ex.copy(coarse_of, n, steps_.back().coarse_of.data());
    } else if (level_ < steps_.size()) {
      note_origins(ex, n, coarse_of, num_coarse);
      cluster_ = {};
      first_ = {};
      ++level_;
    }
  }

  // Public because nvcc does not admit device lambdas in private members.

  /// cluster_[v] is the coarse vertex of the history that v goes to.
  void find_clusters(Exec& ex, Vertex n) {
    auto const* const coarse_of = steps_[level_].coarse_of.data();
    auto const* const origin = level_ > 0 ? origin_.data() : nullptr;
    auto* const cluster = cluster_.data();
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { cluster[v] = coarse_of[origin ? origin[v] : v]; });
  }

  void lead_clusters(Exec& ex, Vertex n, Vertex* leader) {
    auto const num_clusters = steps_[level_].num_coarse;
    first_ = ex.template buffer<Vertex>(static_cast<std::size_t>(num_clusters));
    auto const* const cluster = cluster_.data();
    auto* const first = first_.data();
    ex.fill(first, num_clusters, std::numeric_limits<Vertex>::max());
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { atomic_min(&first[cluster[v]], static_cast<Vertex>(v)); });
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { leader[v] = first[cluster[v]]; });
  }

  /// Leaders keep those they may be merged with; the lowest of the others leads next, and so on.
  void split_clusters(Exec& ex, Vertex n, PairLimits limits, Vertex* leader) {
    auto strays_buffer = ex.template buffer<Vertex>(static_cast<std::size_t>(n));
    auto rest_buffer = ex.template buffer<Vertex>(static_cast<std::size_t>(n));
    auto* strays = strays_buffer.data();
    auto* rest = rest_buffer.data();
    auto const* const cluster = cluster_.data();
    auto* const first = first_.data();
    Edge count = ex.select(
        n, [=] PROCMAP_LAMBDA(Edge v) { return !limits.compatible(static_cast<Vertex>(v), leader[v]); },
        [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, strays);
    while (count > 0) {
      ex.run().checkpoint();
      ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) {
        racy_store(&first[cluster[strays[i]]], std::numeric_limits<Vertex>::max());
      });
      ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) { atomic_min(&first[cluster[strays[i]]], strays[i]); });
      ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) { leader[strays[i]] = first[cluster[strays[i]]]; });
      count = ex.select(
          count, [=] PROCMAP_LAMBDA(Edge i) { return !limits.compatible(strays[i], leader[strays[i]]); },
          [=] PROCMAP_LAMBDA(Edge i) { return strays[i]; }, rest);
      std::swap(strays, rest);
    }
  }

  /// Is no cluster of several vertices too heavy?
  bool within_limit(Exec& ex, CsrView graph, Weight max_weight, Vertex const* leader) {
    auto buffer = ex.template buffer<Weight>(static_cast<std::size_t>(graph.num_vertices));
    auto* const weight = buffer.data();
    ex.fill(weight, graph.num_vertices, Weight{0});
    ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) {
      atomic_add(&weight[leader[v]], graph.vertex_weight(static_cast<Vertex>(v)));
    });
    return ex.sum(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) -> Weight {
      return leader[v] != static_cast<Vertex>(v) && weight[leader[v]] > max_weight;
    }) == 0;
  }

  /// origin_[c] is the coarse vertex of the history that c is a part of.
  void note_origins(Exec& ex, Vertex n, Vertex const* coarse_of, Vertex num_coarse) {
    origin_ = ex.template buffer<Vertex>(static_cast<std::size_t>(num_coarse));
    auto const* const cluster = cluster_.data();
    auto* const origin = origin_.data();
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { racy_store(&origin[coarse_of[v]], cluster[v]); });
  }

 private:
  struct Step {
    Buffer<Exec, Vertex> coarse_of;
    Vertex num_coarse = 0;
  };

  std::vector<Step> steps_;
  bool recording_ = true;
  std::size_t level_ = 0;         // of the history that comes next
  Buffer<Exec, Vertex> origin_;   // per vertex of the level: the vertex of the history it is a part of
  Buffer<Exec, Vertex> cluster_;  // ... and where that went
  Buffer<Exec, Vertex> first_;    // per cluster: its next leader
};

}  // namespace procmap
