// SPDX-License-Identifier: MIT
#include "small/finish.hpp"

#include "small/exchanges.hpp"
#include "small/search.hpp"

namespace procmap {
namespace {

constexpr Vertex most_vertices = 64;
constexpr Block most_pes = 64;
constexpr std::size_t most_searched = 16;  // vertices; with more the search never ends in time

}  // namespace

bool is_small(Graph const& graph, Topology const& topology) {
  return graph.num_vertices() <= most_vertices && topology.num_pes() <= most_pes;
}

bool finish_mapping(SmallProblem const& problem, std::uint64_t seed, std::span<Block> blocks) {
  bool better = exchange_vertices(problem, blocks);
  bool best = false;
  if (problem.num_vertices <= most_searched) {
    auto const found = find_best_mapping(problem, blocks);
    better = better || found.replaced;
    best = found.is_best;
  }
  if (!best && kick_vertices(problem, seed, blocks)) better = true;
  return better;
}

}  // namespace procmap
