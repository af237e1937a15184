// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/config.hpp"
#include "refinement/flow/band.hpp"
#include "refinement/state/anchors.hpp"
#include "refinement/state/blocks.hpp"

namespace procmap {

/// What a flow refinement reads; nothing of it changes while a colour class is cut.
struct FlowProblem {
  CsrView graph;
  BlocksView blocks;
  Block const* block = nullptr;
  Weight const* block_weight = nullptr;
  Weight const* block_loads = nullptr;  // of several weights, [block * graph.num_loads + i]
  KeyedId const* border = nullptr;
  FlowConfig config;
  std::uint64_t seed = 0;
  AnchorsView anchors = {};
};

/// Rule: whether v is a hub with more arcs than blocks have on average, which cuts leave where it is: most of its arcs
/// are cut wherever that is, and every pair of its block would look at all of them.
PROCMAP_HD inline bool exceeds_blocks(CsrView const& graph, BlocksView const& blocks, Vertex v) {
  constexpr Edge few = 1024;
  Edge const arcs = graph.degree(v);
  return arcs > few && arcs > graph.num_arcs / blocks.num_blocks;
}

/// Rule: the share of a block that a band may take in attempt t: less and less, at last only what fits into
/// the other block anyway.
PROCMAP_HD inline double band_share(FlowConfig const& config, int attempt) {
  if (attempt >= config.retries) return 0;
  double share = config.band;
  for (int t = 0; t < attempt; ++t) share *= config.band_shrink;
  return share;
}

/// Rule: how far the band reaches into block `own`: the free room of the other block, and `share` of a block
/// beyond it, but never more than half of what is there.
PROCMAP_HD inline BandLimit band_limit(FlowProblem const& problem, Block own, Block other, double share) {
  Weight const room = problem.blocks.capacity[other] - problem.block_weight[other];
  Weight const half = problem.block_weight[own] / 2;
  auto const beyond = static_cast<Weight>(share * static_cast<double>(problem.blocks.capacity[own]));
  Weight const weight = (room > 0 ? room : 0) + beyond;
  return {weight < half ? weight : half, problem.config.max_band_vertices, problem.config.max_depth};
}

PROCMAP_HD inline BandLimits band_limits(FlowProblem const& problem, BlockPair const& pair, int attempt) {
  double const share = band_share(problem.config, attempt);
  return {band_limit(problem, pair.a, pair.b, share), band_limit(problem, pair.b, pair.a, share)};
}

/// Grows the band of a pair; called by all lanes, like everything below.
template <class Group>
PROCMAP_HD void grow_band(FlowProblem const& problem, BlockPair const& pair, PairState& state, BandView band,
                          Group group) {
  auto memory = group.fast_memory();
  band.take_room(memory);
  band.vertices.clear(group);
  auto const growth =
      grow(problem.graph, band, pair, problem.border, group, band_limits(problem, pair, 0), problem.seed);
  Vertex const size = band.vertices.size(group);
  if (group.rank() == 0) {
    state.size = size;
    state.growth = growth;
  }
  group.sync();
}

}  // namespace procmap
