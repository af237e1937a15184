// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "coarsening/repeated_clusters.hpp"
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
    cluster_ = ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices));
    auto too_heavy = ex.template buffer<Weight>(1);
    auto const& step = steps_[level_];
    RepeatedClusters const repeated{
        graph,           limits, step.coarse_of.data(), level_ > 0 ? origin_.data() : nullptr,
        step.num_coarse, leader, cluster_.data(),       too_heavy.data()};
    ex.resident({graph.num_vertices, repeated.template scratch_bytes<Exec>(), 0, graph.num_arcs}, repeated);
    if (ex.read(too_heavy.data()) == 0) return true;
    level_ = steps_.size();
    return false;
  }

  /// A level above `graph` was made, by repeat() or otherwise: vertex v went to coarse_of[v].
  void advance(Exec& ex, CsrView graph, Vertex const* coarse_of, Vertex num_coarse) {
    Vertex const n = graph.num_vertices;
    if (recording_) {
      steps_.push_back({ex.template buffer<Vertex>(static_cast<std::size_t>(n)), num_coarse, graph.num_arcs});
      ex.copy(coarse_of, n, steps_.back().coarse_of.data());
    } else if (level_ < steps_.size()) {
      note_origins(ex, n, coarse_of, num_coarse);
      cluster_ = {};
      ++level_;
    }
  }

  /// Arcs of the finest recorded level with at most so many vertices; 0 if there is none that was coarsened further.
  Edge arcs_of_level(Vertex most_vertices) const {
    for (std::size_t i = 1; i < steps_.size(); ++i)
      if (steps_[i - 1].num_coarse <= most_vertices) return steps_[i].arcs;
    return 0;
  }

  /// The same where `to` runs, for a coarsening that goes on there: what is still to be repeated, or nothing yet.
  template <HostExecutor To>
  ClusterHistory<To> rest(Exec& ex, To& to) const {
    ClusterHistory<To> rest;
    rest.recording_ = recording_;
    rest.level_ = level_;
    if (recording_) return rest;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      auto const& step = steps_[i];
      auto const n = i < level_ ? 0 : step.coarse_of.size();
      rest.steps_.push_back({to.template buffer<Vertex>(n), step.num_coarse, step.arcs});
      ex.download(step.coarse_of.data(), static_cast<Edge>(n), rest.steps_.back().coarse_of.data());
    }
    rest.origin_ = to.template buffer<Vertex>(origin_.size());
    ex.download(origin_.data(), static_cast<Edge>(origin_.size()), rest.origin_.data());
    return rest;
  }

  /// Takes over what was recorded elsewhere, by a coarsening that went on where this one had ended.
  template <HostExecutor From>
  void append(Exec& ex, ClusterHistory<From> const& rest) {
    if (!recording_) return;
    for (auto const& step : rest.steps_) {
      auto const n = step.coarse_of.size();
      steps_.push_back({ex.template buffer<Vertex>(n), step.num_coarse, step.arcs});
      ex.upload(step.coarse_of.data(), static_cast<Edge>(n), steps_.back().coarse_of.data());
    }
  }

  // Public because nvcc does not admit device lambdas in private members.

  /// origin_[c] is the coarse vertex of the history that c is a part of.
  void note_origins(Exec& ex, Vertex n, Vertex const* coarse_of, Vertex num_coarse) {
    origin_ = ex.template buffer<Vertex>(static_cast<std::size_t>(num_coarse));
    auto const* const cluster = cluster_.data();
    auto* const origin = origin_.data();
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { racy_store(&origin[coarse_of[v]], cluster[v]); });
  }

 private:
  template <HostExecutor Other>
  friend class ClusterHistory;

  struct Step {
    Buffer<Exec, Vertex> coarse_of;
    Vertex num_coarse = 0;
    Edge arcs = 0;  // of the graph that went there
  };

  std::vector<Step> steps_;
  bool recording_ = true;
  std::size_t level_ = 0;         // of the history that comes next
  Buffer<Exec, Vertex> origin_;   // per vertex of the level: the vertex of the history it is a part of
  Buffer<Exec, Vertex> cluster_;  // ... and where that went
};

}  // namespace procmap
