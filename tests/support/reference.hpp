// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "procmap/topology.hpp"
#include "support/graphs.hpp"

// The definitions, on the host and as plainly as possible: what the phases must reproduce.

namespace procmap::test {

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

inline Weight arc_weight(Csr const& csr, Edge e) { return csr.arc_weights.empty() ? 1 : csr.arc_weights[at(e)]; }
inline Weight vertex_weight(Csr const& csr, Vertex v) {
  return csr.vertex_weights.empty() ? 1 : csr.vertex_weights[at(v)];
}

/// f(u, v, weight) for every arc.
template <class F>
void for_each_arc(Csr const& csr, F f) {
  for (Vertex u = 0; u < csr.num_vertices(); ++u)
    for (auto e = csr.offsets[at(u)]; e < csr.offsets[at(u) + 1]; ++e) f(u, csr.heads[at(e)], arc_weight(csr, e));
}

inline Weight total_vertex_weight(Csr const& csr) {
  Weight total = 0;
  for (Vertex v = 0; v < csr.num_vertices(); ++v) total += vertex_weight(csr, v);
  return total;
}

inline Weight total_arc_weight(Csr const& csr) {
  Weight total = 0;
  for_each_arc(csr, [&](Vertex, Vertex, Weight weight) { total += weight; });
  return total;
}

/// J: every edge counts twice.
inline Weight cost_of(Csr const& csr, Topology const& machine, std::vector<Block> const& block) {
  Weight total = 0;
  for_each_arc(
      csr, [&](Vertex u, Vertex v, Weight weight) { total += weight * machine.distance(block[at(u)], block[at(v)]); });
  return total;
}

inline std::vector<Block> random_blocks(Vertex n, Block k, std::uint64_t seed) {
  std::vector<Block> block(at(n));
  for (std::size_t v = 0; v < block.size(); ++v) block[v] = static_cast<Block>(random_below(k, seed, v, 77));
  return block;
}

/// Blocks in stretches of consecutive vertices: neighbours mostly share one, as in a mapping.
inline std::vector<Block> striped_blocks(Vertex n, Block k) {
  std::vector<Block> block(at(n));
  for (Vertex v = 0; v < n; ++v) block[at(v)] = static_cast<Block>(Edge{v} * k / n);
  return block;
}

using Arcs = std::map<std::pair<Vertex, Vertex>, Weight>;

/// The arcs of a graph, or of its contraction by `coarse_of` without loops and arcs of weight 0.
inline Arcs contracted_arcs(Csr const& csr, std::vector<Vertex> const& coarse_of) {
  Arcs arcs;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight weight) {
    auto const a = coarse_of[at(u)], b = coarse_of[at(v)];
    if (a != b && weight != 0) arcs[{a, b}] += weight;
  });
  return arcs;
}

/// The arcs that stay within a part, in their order; the vertices are the same.
inline Csr without_cross_arcs(Csr const& csr, std::vector<Block> const& part) {
  Csr kept;
  kept.vertex_weights = csr.vertex_weights;
  for (Vertex u = 0; u < csr.num_vertices(); ++u) {
    for (auto e = csr.offsets[at(u)]; e < csr.offsets[at(u) + 1]; ++e) {
      auto const v = csr.heads[at(e)];
      if (part[at(u)] != part[at(v)]) continue;
      kept.heads.push_back(v);
      if (!csr.arc_weights.empty()) kept.arc_weights.push_back(arc_weight(csr, e));
    }
    kept.offsets.push_back(static_cast<Edge>(kept.heads.size()));
  }
  return kept;
}

/// The same graph with every row backwards.
inline Csr with_reversed_rows(Csr csr) {
  for (std::size_t v = 0; v + 1 < csr.offsets.size(); ++v) {
    std::reverse(csr.heads.begin() + csr.offsets[v], csr.heads.begin() + csr.offsets[v + 1]);
    if (!csr.arc_weights.empty())
      std::reverse(csr.arc_weights.begin() + csr.offsets[v], csr.arc_weights.begin() + csr.offsets[v + 1]);
  }
  return csr;
}

/// Every row sorted: rows are sets, their order means nothing.
inline std::vector<std::pair<std::pair<Vertex, Vertex>, Weight>> sorted_arcs(Csr const& csr) {
  std::vector<std::pair<std::pair<Vertex, Vertex>, Weight>> arcs;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight weight) { arcs.push_back({{u, v}, weight}); });
  std::ranges::sort(arcs);
  return arcs;
}

/// What the vertices of every part (cluster leader, scope, coarse vertex, block) weigh together.
inline std::vector<Weight> weights_by(Csr const& csr, std::vector<std::int32_t> const& part, std::size_t num_parts) {
  std::vector<Weight> weight(num_parts, 0);
  for (Vertex v = 0; v < csr.num_vertices(); ++v) weight[at(part[at(v)])] += vertex_weight(csr, v);
  return weight;
}

/// Graphs large enough that passes run on several threads and through the hashed tables.
inline Traced<Shape> large_shapes(std::uint64_t seed, std::source_location where = std::source_location::current()) {
  std::vector<Shape> shapes = {
      {"large grid2d", grid2d(150, 140)},
      {"large random_geometric", with_weights(random_geometric(18000, seed), seed, 3, 20)},
      {"large rmat", rmat(13, 40000, seed)},
      {"large star", star(20001)},
      {"large no_edges", no_edges(20000)},
  };
  return traced_shapes(std::move(shapes), seed, where);
}

}  // namespace procmap::test
