// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/flow_problem.hpp"
#include "refinement/flow/network.hpp"

namespace procmap {

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

/// The better balanced one of the two extreme cuts that fits and is worth it: it costs less, or the same with more room
/// in the fuller block.
template <class Group>
PROCMAP_HD CutChoice choose_cut(FlowProblem const& problem, BlockPair const& pair, BandView const& band,
                                FlowNetwork const& network, Group group, bool costs_less) {
  PairLoads const now{problem.block_weight[pair.a], problem.block_weight[pair.b]};
  Weight room = costs_less ? -1 : now.room(problem, pair);
  auto chosen = CutChoice::none;
  PROCMAP_LOOP
  for (auto const choice : {CutChoice::source_side_least, CutChoice::sink_side_least}) {
    auto const loads = loads_after(problem, pair, band, network, group, choice);
    if (Weight const after = loads.room(problem, pair); after >= 0 && after > room) {
      if (problem.graph.num_loads > 0 && !keeps_limits(problem, pair, band, network, group, choice)) continue;
      room = after;
      chosen = choice;
    }
  }
  return chosen;
}

}  // namespace procmap
