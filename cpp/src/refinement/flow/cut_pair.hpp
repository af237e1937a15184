// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/config.hpp"
#include "refinement/flow/build_network.hpp"
#include "refinement/flow/extreme_cuts.hpp"
#include "refinement/flow/scratch.hpp"
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

/// Grows the band of a pair; called by all lanes, like everything below.
template <class Group>
PROCMAP_HD void grow_band(FlowProblem const& problem, BlockPair const& pair, PairState& state, BandView const& band,
                          Group group, double share) {
  BandLimits const limits{band_limit(problem, pair.a, pair.b, share), band_limit(problem, pair.b, pair.a, share)};
  band.vertices.clear(group);
  bool const cut_short = grow(problem.graph, band, pair, problem.border, group, limits, problem.seed);
  Vertex const size = band.vertices.size(group);
  if (group.rank() == 0) {
    state.size = size;
    if (cut_short) state.cut_short = 1;
  }
  group.sync();
}

/// The loads of the two blocks after a cut.
struct PairLoads {
  Weight a = 0;
  Weight b = 0;

  /// What the fuller of the blocks could still take.
  PROCMAP_HD Weight room(FlowProblem const& problem, BlockPair const& pair) const {
    Weight const in_a = problem.blocks.capacity[pair.a] - a;
    Weight const in_b = problem.blocks.capacity[pair.b] - b;
    return in_a < in_b ? in_a : in_b;
  }
};

template <class Group>
PROCMAP_HD bool is_in_b(FlowNetwork const& network, Group group, CutChoice choice, Vertex i) {
  return choice == CutChoice::source_side_least ? network.near_source[i] == 0
                                                : group.item(network.height, i) < network.no_way();
}

/// The loads if the band's vertices went where `choice` puts them.
template <class Group>
PROCMAP_HD PairLoads loads_after(FlowProblem const& problem, BlockPair const& pair, BandView const& band,
                                 FlowNetwork const& network, Group group, CutChoice choice) {
  Weight to_b = 0;
  team_for(group, network.num_vertices, [&](Vertex i) {
    Vertex const v = band.vertices.items[i];
    bool const was_in_b = problem.block[v] == pair.b;
    bool const is_now = is_in_b(network, group, choice, i);
    if (was_in_b != is_now) to_b += is_now ? problem.graph.vertex_weight(v) : -problem.graph.vertex_weight(v);
  });
  to_b = group.sum(to_b);
  return {problem.block_weight[pair.a] - to_b, problem.block_weight[pair.b] + to_b};
}

/// Would the blocks keep what they may hold of several weights if the band's vertices went where `choice` puts them?
/// What exceeds a limit before must not grow.
template <class Group>
PROCMAP_HD bool keeps_limits(FlowProblem const& problem, BlockPair const& pair, BandView const& band,
                             FlowNetwork const& network, Group group, CutChoice choice) {
  int const loads = problem.graph.num_loads;
  bool keeps = true;
  for (int i = 0; i < loads && keeps; ++i) {
    Weight to_b = 0;
    team_for(group, network.num_vertices, [&](Vertex j) {
      Vertex const v = band.vertices.items[j];
      bool const was_in_b = problem.block[v] == pair.b;
      bool const is_now = is_in_b(network, group, choice, j);
      if (was_in_b != is_now) to_b += is_now ? problem.graph.load(v, i) : -problem.graph.load(v, i);
    });
    to_b = group.sum(to_b);
    Block const fuller = to_b > 0 ? pair.b : pair.a;
    Edge const at = Edge{fuller} * loads + i;
    keeps = to_b == 0 || problem.block_loads[at] + (to_b > 0 ? to_b : -to_b) <= problem.blocks.limits[at];
  }
  return keeps;
}

/// A band after its minimum cuts are known.
struct BandCut {
  Weight saved = 0;  // what a minimum cut saves, every edge once; >= 0
  CutChoice choice = CutChoice::none;  // the better balanced one that fits and is worth it
};

/// Computes the minimum cuts of the band and chooses. A cut is worth it if it costs less, or the same with more room
/// in the fuller block.
template <class Group, class Objective>
PROCMAP_HD BandCut cut_band(FlowProblem const& problem, Objective const& objective, BlockPair const& pair,
                            BandView const& band, FlowNetwork const& network, Group group) {
  auto const cost = build_network(problem.graph, objective, problem.anchors, band, pair, network, group);
  BandCut cut{maximum_preflow(network, group, cost.current - cost.certain), CutChoice::none};
  mark_source_side(network, group);

  PairLoads const now{problem.block_weight[pair.a], problem.block_weight[pair.b]};
  Weight room = cut.saved > 0 ? -1 : now.room(problem, pair);
  for (auto const choice : {CutChoice::source_side_least, CutChoice::sink_side_least}) {
    auto const loads = loads_after(problem, pair, band, network, group, choice);
    if (Weight const after = loads.room(problem, pair); after >= 0 && after > room) {
      if (problem.graph.num_loads > 0 && !keeps_limits(problem, pair, band, network, group, choice)) continue;
      room = after;
      cut.choice = choice;
    }
  }
  return cut;
}

/// Cuts the band of a pair, and smaller ones while a cheaper cut exists but fits no capacity: the next band is part
/// of the last one. The choice stands in state and network.
template <class Group, class Objective>
PROCMAP_HD void cut_pair(FlowProblem const& problem, Objective const& objective, BlockPair const& pair,
                         PairState& state, FlowArrays const& arrays, Group group) {
  auto* const counters = group.counters(state.counts);
  auto const band = arrays.band_of(state, problem.block, counters);
  band.vertices.resume(group, state.size);
  for (int attempt = 0; attempt <= problem.config.retries; ++attempt) {
    if (attempt > 0) {
      clear_band(band, group);
      grow_band(problem, pair, state, band, group, band_share(problem.config, attempt));
    }
    if (state.size < 2) return;
    auto network = arrays.network_of(state, counters);
    network.move_to(group.fast_memory());
    allot_rows(problem.graph, band, network, group, &state.used_arcs);
    auto const cut = cut_band(problem, objective, pair, band, network, group);
    if (group.rank() == 0) state.choice = cut.choice;
    if (cut.choice != CutChoice::none)
      team_for(group, network.num_vertices,
               [&](Vertex i) { network.near_source[i] = !is_in_b(network, group, cut.choice, i); });
    group.sync();
    if (cut.saved == 0 || cut.choice != CutChoice::none) return;
  }
}

}  // namespace procmap
