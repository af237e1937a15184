// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/build_network.hpp"
#include "refinement/flow/choose_cut.hpp"
#include "refinement/flow/extreme_cuts.hpp"
#include "refinement/flow/halves.hpp"
#include "refinement/flow/narrow.hpp"
#include "refinement/flow/packed_flow.hpp"
#include "refinement/flow/scratch.hpp"

namespace procmap {

/// Finds minimum cuts of a network: in fast memory if the team has some and the network fits, else where it lies.
template <class Group>
class CutSolver {
 public:
  /// For a network of up to so many arcs, which takes all of the memory and forgets what it holds.
  PROCMAP_HD CutSolver(FlowNetwork const& network, [[maybe_unused]] Edge arcs, FastMemory memory) : network_(network) {
    if constexpr (has_lanes) has_room_ = packed_.take(memory, network.num_vertices, arcs);
    network_.move_to(memory);
  }
  /// The network, in its new place.
  PROCMAP_HD FlowNetwork network() const { return network_; }

  /// A maximum preflow and the two extreme cuts; as maximum_preflow. If the network is `parted` into its halves,
  /// `capacity` is that of the cut between them, and it is one network in the end unless nothing is missing.
  PROCMAP_HD Weight solve(Weight capacity, Group group, bool parted) {
    if constexpr (has_lanes) {
      is_packed_ = has_room_ && pack(network_, packed_, group, parted);
      if (is_packed_) {
        Weight const missing = solve_packed(packed_, network_, group, capacity, parted);
        show_sides(packed_, network_, group);
        return missing;
      }
    }
    PROCMAP_LOOP
    for (bool solved = false;; solved = true) {
      capacity = maximum_preflow(network_, group, capacity, solved);
      if (!parted || solved) break;
      if (capacity > 0) join_halves(network_, group);
      note_ways(network_, group, capacity > 0);
      if (capacity == 0) return 0;
    }
    mark_source_side(network_, group, parted);
    return capacity;
  }
  /// Puts the preflow where the network lies.
  PROCMAP_HD void put_back([[maybe_unused]] Group group) const {
    if constexpr (has_lanes)
      if (is_packed_) unpack(packed_, network_, group);
  }

 private:
  static constexpr bool has_lanes = Group::size() > 1;

  FlowNetwork network_;  // a copy: of what a pointer leads to a compiler forgets everything with each store
  PackedNetwork packed_;
  bool has_room_ = false;
  bool is_packed_ = false;
};

/// Looks at the extreme cuts of the band of a pair and, while a cheaper one exists but fits no capacity, at those of
/// narrower bands. solve(attempt) shows them in `network` and returns what they save; narrow(attempt) makes the band
/// narrower and returns how many vertices it loses. Notes in `state` what is chosen, what it saves, and whether that
/// settles the pair.
template <class Group, class Solve, class Narrow>
PROCMAP_HD void cut_narrower_bands(FlowProblem const& problem, BlockPair const& pair, PairState& state,
                                   BandView const& band, FlowNetwork const& network, Group group, Solve solve,
                                   Narrow narrow) {
  auto choice = CutChoice::none;
  Weight saved = 0;
  Vertex left = state.size;
  PROCMAP_LOOP
  for (int attempt = 0; left >= 2; ++attempt) {
    saved = solve(attempt);
    if (attempt == 0 && group.rank() == 0) state.is_settled = saved == 0;
    choice = choose_cut(problem, pair, band, network, group, saved > 0);
    if (saved == 0 || choice != CutChoice::none || attempt == problem.config.retries) break;
    left -= narrow(attempt + 1);
  }
  if (group.rank() != 0) return;
  state.choice = choice;
  state.saved = saved;
}

/// cut_narrower_bands for a network that is parted and of whose present cut at most `most` can be saved.
template <class Group>
PROCMAP_HD void cut_with(CutSolver<Group>& solver, FlowProblem const& problem, BlockPair const& pair, PairState& state,
                         BandView const& band, Group group, Weight most) {
  auto const network = solver.network();
  auto ends = whole_band(state.size);
  auto const solve = [&](int attempt) { return most = solver.solve(most, group, attempt == 0); };
  auto const narrow = [&](int attempt) {
    solver.put_back(group);
    auto const narrower = ends_within(problem.graph, band, pair, state.growth, state.size, group,
                                      band_limits(problem, pair, attempt), problem.seed);
    Vertex const contracted = list_contracted(band, pair, network, group, ends, narrower, problem.seed);
    ends = narrower;
    most -= contract_listed(network, group, contracted);
    return contracted;
  };
  cut_narrower_bands(problem, pair, state, band, network, group, solve, narrow);
}

/// Marks the source side of the cut that is chosen.
template <class Group>
PROCMAP_HD void show_chosen(FlowNetwork const& network, PairState const& state, Group group) {
  team_for(group, network.num_vertices,
           [&](Vertex i) { network.near_source[i] = !is_in_b(network, group, state.choice, i); });
}

/// Cuts the band of a pair. The choice stands in state and network.
template <class Group, class Objective>
PROCMAP_HD void cut_pair(FlowProblem const& problem, Objective const& objective, BlockPair const& pair,
                         PairState& state, FlowArrays const& arrays, Group group) {
  if (state.size < 2) return;
  auto* const counters = group.counters(state.counts);
  auto band = arrays.band_of(state, problem.block, counters);
  auto memory = group.fast_memory();
  band.take_room(memory);
  CutSolver<Group> solver(arrays.network_of(state, counters), state.arcs, memory);
  auto const network = solver.network();
  allot_rows(problem.graph, band, network, group, &state.used_arcs);
  auto const cost = build_network(problem.graph, objective, problem.anchors, band, pair, network, group);
  cut_with(solver, problem, pair, state, band, group, cost.current - cost.certain);
  group.sync();
  if (state.choice != CutChoice::none) show_chosen(network, state, group);
  group.sync();
}

}  // namespace procmap
