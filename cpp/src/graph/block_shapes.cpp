// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/atomic.hpp"
#include "core/disjoint_sets.hpp"
#include "core/index.hpp"
#include "graph/chunks.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

namespace {

void check_blocks(Graph const& graph, std::span<Block const> blocks, Block num_blocks) {
  if (blocks.size() != index(graph.num_vertices()))
    throw std::invalid_argument("blocks has " + std::to_string(blocks.size()) + " entries, expected " +
                                std::to_string(graph.num_vertices()));
  auto const outside = std::ranges::find_if(blocks, [=](Block b) { return b < 0 || b >= num_blocks; });
  if (outside != blocks.end())
    throw std::invalid_argument("blocks[" + std::to_string(outside - blocks.begin()) + "] = " +
                                std::to_string(*outside) + " is outside [0, " + std::to_string(num_blocks) + ")");
}

/// Calls f(head) for every neighbour with traffic.
template <class F>
void for_each_neighbour(Graph const& graph, Vertex v, F f) {
  auto const weights = graph.arc_weights();
  for (Edge e = graph.offsets()[index(v)]; e < graph.offsets()[index(v) + 1]; ++e)
    if (weights.empty() || weights[index(e)] > 0) f(graph.heads()[index(e)]);
}

std::vector<std::int64_t> volumes(Graph const& graph, std::span<Block const> blocks, Block num_blocks, int threads) {
  std::vector<std::int64_t> volume(index(num_blocks));
  RowChunks const chunks(graph.offsets());
  for_each_chunk(chunks.size(), resolve_threads(threads), [&](int chunk) {
    std::vector<Block> others;
    auto const [first, last] = chunks.rows(chunk);
    for (Vertex v = first; v < last; ++v) {
      auto const own = blocks[index(v)];
      others.clear();
      for_each_neighbour(graph, v, [&](Vertex u) {
        if (blocks[index(u)] != own) others.push_back(blocks[index(u)]);
      });
      if (others.empty()) continue;
      std::ranges::sort(others);
      // clang 14 rejects std::ranges::unique of g++ 12's library.
      auto const different = static_cast<std::int64_t>(std::unique(others.begin(), others.end()) - others.begin());
      atomic_add(&volume[index(own)], different);
    }
  });
  return volume;
}

std::vector<Vertex> component_counts(Graph const& graph, std::span<Block const> blocks, Block num_blocks) {
  DisjointSets components(graph.num_vertices());
  for (Vertex v = 0; v < graph.num_vertices(); ++v)
    for_each_neighbour(graph, v, [&](Vertex u) {
      if (u < v && blocks[index(u)] == blocks[index(v)]) components.join(u, v);
    });
  std::vector<Vertex> counts(index(num_blocks));
  for (Vertex v = 0; v < graph.num_vertices(); ++v) counts[index(blocks[index(v)])] += components.root(v) == v;
  return counts;
}

}  // namespace

BlockShapes block_shapes(Graph const& graph, std::span<Block const> blocks, Block num_blocks, int threads) {
  check_blocks(graph, blocks, num_blocks);
  return {volumes(graph, blocks, num_blocks, threads), component_counts(graph, blocks, num_blocks)};
}

}  // namespace procmap
