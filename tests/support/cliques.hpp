// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {

/// Complete graphs of these sizes without an edge between them.
inline Graph cliques(std::vector<Vertex> const& sizes) {
  EdgeList edges;
  Vertex n = 0;
  for (Vertex const size : sizes) {
    for (Vertex u = 0; u < size; ++u)
      for (Vertex v = u + 1; v < size; ++v) edges.emplace_back(n + u, n + v);
    n += size;
  }
  return graph_from_edges(n, edges);
}

/// Two complete graphs, joined by an edge.
inline Graph joined_cliques(Vertex first, Vertex second) {
  EdgeList edges{{0, first}};
  for (Vertex u = 0; u < first + second; ++u)
    for (Vertex v = u + 1; v < (u < first ? first : first + second); ++v) edges.emplace_back(u, v);
  return graph_from_edges(first + second, edges);
}

/// How many of them are not in one block.
inline int cut_cliques(std::vector<Vertex> const& sizes, std::vector<Block> const& blocks) {
  int cut = 0;
  auto first = blocks.begin();
  for (auto const size : sizes) {
    cut += std::any_of(first, first + size, [&](Block b) { return b != *first; }) ? 1 : 0;
    first += size;
  }
  return cut;
}

}  // namespace procmap::test
