// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/build_network.hpp"
#include "refinement/flow/choose_cut.hpp"
#include "refinement/flow/extreme_cuts.hpp"
#include "refinement/flow/narrow.hpp"
#include "refinement/flow/scratch.hpp"

namespace procmap {

/// Computes the minimum cuts of the band of a pair and, while a cheaper one exists but fits no capacity, of narrower
/// bands. Returns the choice.
template <class Group, class Objective>
PROCMAP_HD CutChoice cut_narrower_bands(FlowProblem const& problem, Objective const& objective, BlockPair const& pair,
                                        PairState const& state, BandView const& band, FlowNetwork const& network,
                                        Group group) {
  auto const cost = build_network(problem.graph, objective, problem.anchors, band, pair, network, group);
  Weight saved = cost.current - cost.certain;  // at most
  auto ends = whole_band(state.size);
  Vertex left = state.size;
  for (int attempt = 0;; ++attempt) {
    saved = maximum_preflow(network, group, saved);
    mark_source_side(network, group);
    auto const choice = choose_cut(problem, pair, band, network, group, saved > 0);
    if (saved == 0 || choice != CutChoice::none || attempt == problem.config.retries) return choice;
    auto const narrower = ends_within(problem.graph, band, pair, state.growth, state.size, group,
                                      band_limits(problem, pair, attempt + 1), problem.seed);
    Vertex const contracted = list_contracted(band, pair, network, group, ends, narrower, problem.seed);
    ends = narrower;
    left -= contracted;
    if (left < 2) return CutChoice::none;
    saved -= contract_listed(network, group, contracted);
  }
}

/// Cuts the band of a pair. The choice stands in state and network.
template <class Group, class Objective>
PROCMAP_HD void cut_pair(FlowProblem const& problem, Objective const& objective, BlockPair const& pair,
                         PairState& state, FlowArrays const& arrays, Group group) {
  if (state.size < 2) return;
  auto* const counters = group.counters(state.counts);
  auto const band = arrays.band_of(state, problem.block, counters);
  auto network = arrays.network_of(state, counters);
  network.move_to(group.fast_memory());
  allot_rows(problem.graph, band, network, group, &state.used_arcs);
  auto const choice = cut_narrower_bands(problem, objective, pair, state, band, network, group);
  if (group.rank() == 0) state.choice = choice;
  if (choice != CutChoice::none)
    team_for(group, network.num_vertices,
             [&](Vertex i) { network.near_source[i] = !is_in_b(network, group, choice, i); });
  group.sync();
}

}  // namespace procmap
