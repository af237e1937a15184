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

/// What comes to block b with each of the two cuts.
struct CutShifts {
  Weight source_side_least = 0;
  Weight sink_side_least = 0;

  PROCMAP_HD CutShifts& operator+=(CutShifts const& other) {
    source_side_least += other.source_side_least;
    sink_side_least += other.sink_side_least;
    return *this;
  }
  friend PROCMAP_HD CutShifts operator+(CutShifts x, CutShifts const& y) { return x += y; }
};

template <class Group>
PROCMAP_HD CutShifts shifts_of(FlowProblem const& problem, BlockPair const& pair, BandView const& band,
                               FlowNetwork const& network, Group group) {
  CutShifts shifts;
  team_for(group, network.num_vertices, [&](Vertex i) {
    Vertex const v = band.vertices.items[i];
    bool const was_in_b = problem.block[v] == pair.b;
    Weight const weight = was_in_b ? -problem.graph.vertex_weight(v) : problem.graph.vertex_weight(v);
    if (is_in_b(network, group, CutChoice::source_side_least, i) != was_in_b) shifts.source_side_least += weight;
    if (is_in_b(network, group, CutChoice::sink_side_least, i) != was_in_b) shifts.sink_side_least += weight;
  });
  return group.sum(shifts);
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
  auto const shifts = shifts_of(problem, pair, band, network, group);
  PROCMAP_LOOP
  for (auto const choice : {CutChoice::source_side_least, CutChoice::sink_side_least}) {
    Weight const to_b = choice == CutChoice::source_side_least ? shifts.source_side_least : shifts.sink_side_least;
    PairLoads const loads{now.a - to_b, now.b + to_b};
    if (Weight const after = loads.room(problem, pair); after >= 0 && after > room) {
      if (problem.graph.num_loads > 0 && !keeps_limits(problem, pair, band, network, group, choice)) continue;
      room = after;
      chosen = choice;
    }
  }
  return chosen;
}

}  // namespace procmap
