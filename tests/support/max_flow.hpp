// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "support/graphs.hpp"

// Minimum cuts by definition and by the oldest algorithm: what flow refinement must reproduce.

namespace procmap::test {

/// Undirected edges between vertices, and arcs from the source and to the sink.
struct FlowCase {
  struct Link {
    Vertex u, v;
    Weight capacity;
  };
  std::vector<Weight> from_source, to_sink;  // per vertex
  std::vector<Link> links;                   // u != v

  Vertex num_vertices() const { return static_cast<Vertex>(from_source.size()); }
};

/// A minimum cut's capacity, and the vertices on the least source side and on the least sink side.
struct ExtremeCuts {
  Weight value = 0;
  std::vector<bool> source_side, sink_side;

  bool operator==(ExtremeCuts const&) const = default;
};

/// By enumeration of all cuts: the least source side is the intersection of all minimum ones.
inline ExtremeCuts enumerated_cuts(FlowCase const& flow) {
  auto const n = flow.from_source.size();
  ExtremeCuts best{std::numeric_limits<Weight>::max(), {}, {}};
  for (std::uint64_t side = 0; side < std::uint64_t{1} << n; ++side) {  // bit v: on the source side
    auto const in = [&](std::size_t v) { return ((side >> v) & 1) != 0; };
    Weight value = 0;
    for (std::size_t v = 0; v < n; ++v) value += in(v) ? flow.to_sink[v] : flow.from_source[v];
    for (auto const& link : flow.links)
      if (in(static_cast<std::size_t>(link.u)) != in(static_cast<std::size_t>(link.v))) value += link.capacity;
    if (value > best.value) continue;
    if (value < best.value) best = {value, std::vector<bool>(n, true), std::vector<bool>(n, true)};
    for (std::size_t v = 0; v < n; ++v) {
      best.source_side[v] = best.source_side[v] && in(v);
      best.sink_side[v] = best.sink_side[v] && !in(v);
    }
  }
  return best;
}

/// Edmonds and Karp: shortest augmenting paths in a matrix of residual capacities.
class AugmentingPaths {
 public:
  explicit AugmentingPaths(FlowCase const& flow)
      : n_(flow.from_source.size()), residual_(n_ + 2, std::vector<Weight>(n_ + 2, 0)) {
    for (std::size_t v = 0; v < n_; ++v) {
      residual_[source()][v] = flow.from_source[v];
      residual_[v][sink()] = flow.to_sink[v];
    }
    for (auto const& link : flow.links) {
      residual_[static_cast<std::size_t>(link.u)][static_cast<std::size_t>(link.v)] += link.capacity;
      residual_[static_cast<std::size_t>(link.v)][static_cast<std::size_t>(link.u)] += link.capacity;
    }
  }

  ExtremeCuts solve() {
    ExtremeCuts cuts;
    while (Weight const sent = augment()) cuts.value += sent;
    auto const reached = search([&](std::size_t u, std::size_t v) { return residual_[u][v]; }, source());
    auto const reaching = search([&](std::size_t u, std::size_t v) { return residual_[v][u]; }, sink());
    for (std::size_t v = 0; v < n_; ++v) {
      cuts.source_side.push_back(reached[v] != none);
      cuts.sink_side.push_back(reaching[v] != none);
    }
    return cuts;
  }

 private:
  static constexpr auto none = std::numeric_limits<std::size_t>::max();
  std::size_t source() const { return n_; }
  std::size_t sink() const { return n_ + 1; }

  /// Breadth first from `start` over arcs with open(u, v) > 0: the predecessor of every vertex, none if not met.
  template <class Open>
  std::vector<std::size_t> search(Open open, std::size_t start) const {
    std::vector<std::size_t> predecessor(n_ + 2, none), queue{start};
    predecessor[start] = start;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (std::size_t v = 0; v < n_ + 2; ++v)
        if (predecessor[v] == none && open(queue[i], v) > 0) {
          predecessor[v] = queue[i];
          queue.push_back(v);
        }
    return predecessor;
  }

  Weight augment() {
    auto const predecessor = search([&](std::size_t u, std::size_t v) { return residual_[u][v]; }, source());
    if (predecessor[sink()] == none) return 0;
    auto amount = std::numeric_limits<Weight>::max();
    for (auto v = sink(); v != source(); v = predecessor[v]) amount = std::min(amount, residual_[predecessor[v]][v]);
    for (auto v = sink(); v != source(); v = predecessor[v]) {
      residual_[predecessor[v]][v] -= amount;
      residual_[v][predecessor[v]] += amount;
    }
    return amount;
  }

  std::size_t n_;
  std::vector<std::vector<Weight>> residual_;
};

/// The graph's edges as links, some vertices tied to a terminal.
inline FlowCase flow_case(Csr const& csr, Weight max_capacity, std::uint64_t seed) {
  FlowCase flow;
  for (Vertex v = 0; v < csr.num_vertices(); ++v) {
    auto const id = static_cast<std::uint64_t>(v);
    bool const near_source = random_below(3, seed, id, 1) == 0;
    bool const near_sink = random_below(3, seed, id, 2) == 0;
    flow.from_source.push_back(near_source ? random_below(max_capacity + 1, seed, id, 3) : 0);
    flow.to_sink.push_back(near_sink ? random_below(max_capacity + 1, seed, id, 4) : 0);
    for (auto e = csr.offsets[id]; e < csr.offsets[id + 1]; ++e)
      if (auto const u = csr.heads[static_cast<std::size_t>(e)]; u > v)
        flow.links.push_back({v, u, 1 + random_below(max_capacity, seed + 1, id, static_cast<std::uint64_t>(u))});
  }
  return flow;
}

}  // namespace procmap::test
