// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "procmap/graph.hpp"
#include "support/traced.hpp"

// Seeded graphs for all tests. Everything is integer arithmetic on hash(), so a seed gives the same graph on
// every machine.

namespace procmap::test {

using EdgeList = std::vector<std::pair<Vertex, Vertex>>;

/// CSR arrays that can still be spoiled before they become a Graph.
struct Csr {
  std::vector<Edge> offsets{0};
  std::vector<Vertex> heads;
  std::vector<Weight> arc_weights;
  std::vector<Weight> vertex_weights;

  Vertex num_vertices() const { return static_cast<Vertex>(offsets.size()) - 1; }
  CsrArrays arrays() const { return {offsets, heads, arc_weights, vertex_weights}; }
  Graph graph(int threads = 0) const { return Graph::from_csr(arrays(), threads); }
};

inline Csr to_csr(Graph const& graph) {
  auto const copy = [](auto span) { return std::vector(span.begin(), span.end()); };
  return {copy(graph.offsets()), copy(graph.heads()), copy(graph.arc_weights()), copy(graph.vertex_weights())};
}

/// Unit weights and sorted rows; repeated edges and self-loops are left out.
inline Csr csr_from_edges(Vertex n, EdgeList const& edges) {
  EdgeList arcs;
  for (auto const& [u, v] : edges)
    if (u != v) arcs.insert(arcs.end(), {{u, v}, {v, u}});
  std::ranges::sort(arcs);
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());  // clang 14 rejects std::ranges::unique
  Csr csr;
  csr.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  for (auto const& [u, v] : arcs) {
    ++csr.offsets[static_cast<std::size_t>(u) + 1];
    csr.heads.push_back(v);
  }
  for (std::size_t v = 1; v < csr.offsets.size(); ++v) csr.offsets[v] += csr.offsets[v - 1];
  return csr;
}

inline Graph graph_from_edges(Vertex n, EdgeList const& edges) { return csr_from_edges(n, edges).graph(); }

/// A number in [0, bound) that depends on seed, a and b only.
inline std::int64_t random_below(std::int64_t bound, std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0) {
  return static_cast<std::int64_t>(hash(seed, a, b) % static_cast<std::uint64_t>(bound));
}

inline Graph empty() { return {}; }
inline Graph no_edges(Vertex n) { return graph_from_edges(n, {}); }
inline Graph single_vertex() { return no_edges(1); }

inline Graph path(Vertex n) {
  EdgeList edges;
  for (Vertex v = 1; v < n; ++v) edges.emplace_back(v - 1, v);
  return graph_from_edges(n, edges);
}

inline Graph cycle(Vertex n) {
  EdgeList edges;
  for (Vertex v = 0; v < n; ++v) edges.emplace_back(v, (v + 1) % n);
  return graph_from_edges(n, edges);
}

/// Vertex 0 is the centre of n - 1 leaves.
inline Graph star(Vertex n) {
  EdgeList edges;
  for (Vertex v = 1; v < n; ++v) edges.emplace_back(0, v);
  return graph_from_edges(n, edges);
}

inline Graph complete(Vertex n) {
  EdgeList edges;
  for (Vertex u = 0; u < n; ++u)
    for (Vertex v = u + 1; v < n; ++v) edges.emplace_back(u, v);
  return graph_from_edges(n, edges);
}

/// Vertex x + width * (y + height * z) has up to six neighbours.
inline Graph grid3d(Vertex width, Vertex height, Vertex depth) {
  EdgeList edges;
  auto const n = width * height * depth;
  for (Vertex v = 0; v < n; ++v) {
    if (v % width + 1 < width) edges.emplace_back(v, v + 1);
    if (v / width % height + 1 < height) edges.emplace_back(v, v + width);
    if (v / width / height + 1 < depth) edges.emplace_back(v, v + width * height);
  }
  return graph_from_edges(n, edges);
}

inline Graph grid2d(Vertex width, Vertex height) { return grid3d(width, height, 1); }

/// A chain of n / 4 crossings, each with a dead end of three vertices: long, thin and full of leaves, as roads are.
inline Graph caterpillar(Vertex n) {
  EdgeList edges;
  for (Vertex v = 1; v < n; ++v) edges.emplace_back(v % 4 == 0 ? v - 4 : v - 1, v);
  return graph_from_edges(n, edges);
}

/// Points of a square, joined when closer than gives `average_degree` on average.
inline Graph random_geometric(Vertex n, std::uint64_t seed, std::int64_t average_degree = 8) {
  constexpr std::int64_t side = 1 << 20;
  auto const radius2 = std::min(side * side / n * average_degree * 113 / 355, side * side);  // 355 / 113: pi
  std::int64_t cells = 1;
  while ((side / (cells + 1)) * (side / (cells + 1)) > radius2) ++cells;
  auto const cell_side = side / cells + 1;

  std::vector<std::array<std::int64_t, 2>> points(static_cast<std::size_t>(n));
  std::vector<std::vector<Vertex>> members(static_cast<std::size_t>(cells * cells));
  auto const cell = [&](std::int64_t x, std::int64_t y) { return static_cast<std::size_t>(y * cells + x); };
  for (Vertex v = 0; v < n; ++v) {
    auto const id = static_cast<std::uint64_t>(v);
    auto const& [x, y] = points[id] = {random_below(side, seed, id, 0), random_below(side, seed, id, 1)};
    members[cell(x / cell_side, y / cell_side)].push_back(v);
  }
  EdgeList edges;
  for (Vertex u = 0; u < n; ++u) {
    auto const& [x, y] = points[static_cast<std::size_t>(u)];
    for (auto cy = std::max<std::int64_t>(y / cell_side - 1, 0); cy <= std::min(y / cell_side + 1, cells - 1); ++cy)
      for (auto cx = std::max<std::int64_t>(x / cell_side - 1, 0); cx <= std::min(x / cell_side + 1, cells - 1); ++cx)
        for (auto const v : members[cell(cx, cy)]) {
          auto const dx = points[static_cast<std::size_t>(v)][0] - x, dy = points[static_cast<std::size_t>(v)][1] - y;
          if (u < v && dx * dx + dy * dy <= radius2) edges.emplace_back(u, v);
        }
  }
  return graph_from_edges(n, edges);
}

/// Every pair is an edge with probability p (Erdos-Renyi).
inline Graph random_graph(Vertex n, double p, std::uint64_t seed) {
  constexpr std::int64_t parts = 1 << 30;
  auto const threshold = static_cast<std::int64_t>(p * static_cast<double>(parts));
  EdgeList edges;
  for (Vertex u = 0; u < n; ++u)
    for (Vertex v = u + 1; v < n; ++v)
      if (random_below(parts, seed, static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v)) < threshold)
        edges.emplace_back(u, v);
  return graph_from_edges(n, edges);
}

/// 2^scale vertices with a power-law degree: R-MAT with probabilities 57, 19, 19, 5 %. At most `num_edges` edges,
/// because repeated ones and self-loops are left out.
inline Graph rmat(int scale, Edge num_edges, std::uint64_t seed) {
  EdgeList edges;
  for (Edge e = 0; e < num_edges; ++e) {
    Vertex u = 0, v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      auto const percent = random_below(100, seed, static_cast<std::uint64_t>(e), static_cast<std::uint64_t>(bit));
      u = 2 * u + (percent >= 76);
      v = 2 * v + ((percent >= 57 && percent < 76) || percent >= 95);
    }
    edges.emplace_back(u, v);
  }
  return graph_from_edges(Vertex{1} << scale, edges);
}

inline Graph power_law(Vertex n, std::uint64_t seed) {
  int scale = 1;
  while ((Vertex{1} << scale) < n) ++scale;
  return rmat(scale, Edge{n} * 4, seed);
}

/// k components without an edge between them: grids of 5 x (5 + i).
inline Graph disconnected(int k) {
  EdgeList edges;
  Vertex n = 0;
  for (int i = 0; i < k; ++i) {
    auto const part = grid2d(5, 5 + i);
    for (Vertex v = 0; v < part.num_vertices(); ++v)
      for (auto e = part.offsets()[static_cast<std::size_t>(v)]; e < part.offsets()[static_cast<std::size_t>(v) + 1];
           ++e)
        edges.emplace_back(n + v, n + part.heads()[static_cast<std::size_t>(e)]);
    n += part.num_vertices();
  }
  return graph_from_edges(n, edges);
}

/// Gives vertices a weight in [1, max_vertex_weight] and edges one in [1, max_edge_weight].
inline Graph with_weights(Graph const& graph, std::uint64_t seed, Weight max_vertex_weight, Weight max_edge_weight) {
  auto csr = to_csr(graph);
  csr.arc_weights.clear();
  csr.vertex_weights.clear();
  for (Vertex u = 0; u < csr.num_vertices(); ++u) {
    auto const id = static_cast<std::uint64_t>(u);
    csr.vertex_weights.push_back(1 + random_below(max_vertex_weight, seed, id));
    for (auto e = csr.offsets[id]; e < csr.offsets[id + 1]; ++e) {
      auto const v = csr.heads[static_cast<std::size_t>(e)];
      auto const low = static_cast<std::uint64_t>(std::min(u, v)), high = static_cast<std::uint64_t>(std::max(u, v));
      csr.arc_weights.push_back(1 + random_below(max_edge_weight, seed + 1, low, high));
    }
  }
  return csr.graph();
}

/// One vertex (of a graph that has any) weighs `weight`, the others what they did.
inline Graph with_heavy_vertex(Graph const& graph, Vertex heavy, Weight weight) {
  auto csr = to_csr(graph);
  csr.vertex_weights.resize(static_cast<std::size_t>(csr.num_vertices()), 1);
  csr.vertex_weights[static_cast<std::size_t>(heavy)] = weight;
  return csr.graph();
}

/// About half of the vertices and half of the edges weigh nothing.
inline Graph with_zero_weights(Graph const& graph, std::uint64_t seed) {
  auto csr = to_csr(with_weights(graph, seed, 2, 2));
  for (auto& weight : csr.arc_weights) --weight;
  for (auto& weight : csr.vertex_weights) --weight;
  return csr.graph();
}

/// All vertices and all edges weigh nothing.
inline Graph with_all_zero_weights(Graph const& graph) {
  auto csr = to_csr(graph);
  csr.arc_weights.assign(csr.heads.size(), 0);
  csr.vertex_weights.assign(static_cast<std::size_t>(csr.num_vertices()), 0);
  return csr.graph();
}

struct Shape {
  std::string name;
  Graph graph;
};

inline Traced<Shape> traced_shapes(std::vector<Shape> shapes, std::uint64_t seed, std::source_location where) {
  auto const name = [seed](Shape const& shape) { return shape.name + ", seed " + std::to_string(seed); };
  return {std::move(shapes), name, where};
}

/// Small graphs of every kind, the degenerate ones first: what each phase must survive.
inline Traced<Shape> all_shapes(std::uint64_t seed, std::source_location where = std::source_location::current()) {
  std::vector<Shape> shapes = {
      {"empty", empty()},
      {"single_vertex", single_vertex()},
      {"two_vertices", path(2)},
      {"no_edges", no_edges(50)},
      {"path", path(100)},
      {"cycle", cycle(101)},
      {"star", star(200)},
      {"complete", complete(20)},
      {"caterpillar", caterpillar(203)},
      {"grid2d", grid2d(20, 20)},
      {"grid3d", grid3d(7, 6, 5)},
      {"disconnected", disconnected(3)},
      {"random_geometric", random_geometric(400, seed)},
      {"random_graph", random_graph(150, 0.05, seed)},
      {"rmat", rmat(8, 1000, seed)},
      {"weighted_geometric", with_weights(random_geometric(300, seed), seed, 10, 100)},
      {"weighted_rmat", with_weights(rmat(7, 600, seed), seed, 5, 1000)},
      {"heavy_weights", with_weights(grid2d(10, 12), seed, Weight{1} << 40, Weight{1} << 40)},
      {"heavy_vertex", with_heavy_vertex(grid2d(12, 12), 7, 10000)},
      {"zero_weights", with_zero_weights(random_geometric(200, seed), seed)},
      {"all_zero_weights", with_all_zero_weights(grid2d(8, 8))},
  };
  return traced_shapes(std::move(shapes), seed, where);
}

}  // namespace procmap::test
