// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "refinement/flow/apply_cuts.hpp"
#include "refinement/flow/pair_queue.hpp"

namespace procmap {

inline constexpr Edge usual_share = 3;  // a band has less than one of so many arcs of its pair

/// Rule: slots for up to `wanted` pairs at a time within `room` bytes, at least one, each for a pair with `needs`.
inline BandSlots slots_within(Edge room, Edge wanted, BandNeeds needs) {
  Edge const bytes = band_vertex_bytes * needs.vertices + band_arc_bytes * needs.arcs;
  return {std::clamp<Edge>(room / std::max<Edge>(bytes, 1), 1, wanted), needs.vertices, needs.arcs};
}

/// Rule: slots to begin with, for pairs of blocks that have `most` vertices and arcs together. On small graphs they
/// hold every band. On larger ones they leave out a band with more arcs than usual, before it would leave no room for
/// a few pairs at the same time.
inline BandSlots first_slots(Edge room, Edge num_blocks, BandNeeds most) {
  constexpr Edge few = 8;
  Edge const wanted = std::max<Edge>(1, num_blocks / 2);  // a pair has two blocks for itself
  most.vertices += most.vertices / 16;  // blocks may grow
  Edge const of_vertices = band_vertex_bytes * most.vertices;
  if (wanted * (of_vertices + band_arc_bytes * most.arcs) > small_bands) {
    Edge const for_few = room / std::min(wanted, few) - of_vertices;
    most.arcs = std::min(most.arcs / usual_share, std::max<Edge>(0, for_few) / band_arc_bytes);
  }
  return slots_within(room, wanted, most);
}

/// Bytes for all slots: about what the bands of one colour class would take, if that is much.
inline Edge room_for_slots(CsrView graph) {
  constexpr Edge least = Edge{256} << 20;
  return std::max(least, band_vertex_bytes * graph.num_vertices + band_arc_bytes * graph.num_arcs / usual_share);
}

template <HostExecutor Exec>
void make_slots(Exec& ex, FlowRun<Exec>& run, BandSlots const& slots) {
  run.arrays.make_vertices(ex, static_cast<std::size_t>(slots.count * slots.vertices));
  run.arrays.make_arcs(ex, static_cast<std::size_t>(slots.count * slots.arcs));
  run.arrays.make_steps(ex, slots.count * most_steps(run.problem.config.max_depth, slots.vertices));
  run.slots = slots;
}

/// Makes room for the bands of a level.
template <HostExecutor Exec>
void make_first_slots(Exec& ex, FlowRun<Exec>& run) {
  auto const graph = run.problem.graph;
  make_slots(ex, run,
             first_slots(room_for_slots(graph), run.problem.blocks.num_blocks,
                         {std::min<Edge>(2 * run.largest.vertices, graph.num_vertices),
                          std::min<Edge>(2 * run.largest.arcs, graph.num_arcs)}));
}

/// Cuts the pair of one turn in `slot`. Returns whether there was room.
template <class Team, class Objective>
PROCMAP_HD bool cut_in_slot(FlowProblem const& problem, Objective const& objective, FlowArrays const& arrays,
                            FlowState const& state, BlockPair const& pair, PairState& work, BandSlots const& slots,
                            Edge slot, Team team) {
  if (team.rank() == 0) {
    work = PairState{};
    work.first_vertex = slot * slots.vertices;
    work.first_arc = slot * slots.arcs;
    work.first_step = slot * most_steps(problem.config.max_depth, slots.vertices);
  }
  team.sync();
  if (Edge{state.block_size[pair.a]} + state.block_size[pair.b] > slots.vertices) return false;
  auto const band = arrays.band_of(work, problem.block, team.counters(work.counts));
  grow_band(problem, pair, work, band, team);
  Edge const arcs = band_arcs(problem.graph, work, band, team);
  if (team.rank() == 0) work.arcs = arcs;
  if (arcs > slots.arcs) {
    clear_band(band, team);
    return false;
  }
  team.sync();
  cut_and_settle(problem, objective, arrays, state, pair, work, team);
  return true;
}

/// One launch for all pairs, each cut by one team as soon as its blocks are free.
template <TeamQueueExecutor Exec, class Objective>
void cut_in_slots(Exec& ex, FlowRun<Exec> const& run, Objective const& objective, BlockPair const* pair, Edge num_pairs,
                  TeamTurn* turns, PairState* work) {
  auto const problem = run.problem;
  auto const arrays = run.arrays.view();
  auto const state = run.state;
  auto const slots = run.slots;
  ex.fill(work, num_pairs, PairState{});
  Edge const arcs = usual_band_arcs(problem.graph, problem.graph.num_vertices) / problem.blocks.num_blocks * 2;
  ex.for_each_team_in_order({turns, num_pairs, slots.count, arcs}, [=] PROCMAP_LAMBDA(Edge i, Edge slot, auto team) {
    return cut_in_slot(problem, objective, arrays, state, pair[i], work[i], slots, slot, team);
  });
}

/// Gives the pairs that were left out slots that hold all those that asked for one, and returns them: those that found
/// no room, and those that had to wait for them.
template <HostExecutor Exec>
std::vector<BlockPair> widen_slots(Exec& ex, FlowRun<Exec>& run, std::vector<BlockPair> const& pairs,
                                   std::vector<PairOutcome> const& outcomes, BlockPair const* pair,
                                   TeamTurn const* turns, PairState const* work) {
  auto const num_pairs = static_cast<Edge>(pairs.size());
  auto const* const size = run.state.block_size;
  Edge const vertices = ex.max(num_pairs, [=] PROCMAP_LAMBDA(Edge i) -> Weight {
    return turns[i].left_out ? Weight{size[pair[i].a]} + size[pair[i].b] : 0;
  });
  Edge const arcs =
      ex.max(num_pairs, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return turns[i].left_out ? work[i].arcs : 0; });
  std::vector<BlockPair> left;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (outcomes[i].left_out != 0) left.push_back(pairs[i]);
  make_slots(ex, run,
             slots_within(room_for_slots(run.problem.graph), static_cast<Edge>(left.size()),
                          {std::max(vertices, run.slots.vertices), std::max(arcs, run.slots.arcs)}));
  return left;
}

/// One cut for every pair; of two that share a block, the earlier one is cut first. What a cut does, and what it
/// changes, depends on its two blocks alone where all distances are equal; so the outcome is the same as if one pair
/// came after the other. What finds no room in a slot, and what waits for it, is cut by another launch with wider ones.
template <TeamQueueExecutor Exec, class Objective>
FlowResult cut_queued_pairs(Exec& ex, FlowRun<Exec>& run, Objective const& objective, std::vector<BlockPair> pairs) {
  Phase phase(ex.run(), "flow: cuts");
  FlowResult result{static_cast<std::int64_t>(pairs.size())};
  if (run.slots.count == 0) make_first_slots(ex, run);
  auto pairs_buffer = ex.template buffer<BlockPair>(pairs.size());
  auto turns_buffer = ex.template buffer<TeamTurn>(pairs.size());
  auto work_buffer = ex.template buffer<PairState>(pairs.size());
  auto const* const turns = turns_buffer.data();
  auto const* const work = work_buffer.data();
  while (!pairs.empty()) {
    auto const num_pairs = static_cast<Edge>(pairs.size());
    ex.upload(pairs.data(), num_pairs, pairs_buffer.data());
    ex.upload(turns_of(pairs, run.problem.blocks.num_blocks).data(), num_pairs, turns_buffer.data());
    cut_in_slots(ex, run, objective, pairs_buffer.data(), num_pairs, turns_buffer.data(), work_buffer.data());
    auto const outcomes = outcomes_of(ex, num_pairs, work, turns);
    note_outcomes(result, pairs, outcomes);
    if (std::ranges::none_of(outcomes, [](PairOutcome const& one) { return one.left_out != 0; })) break;
    pairs = widen_slots(ex, run, pairs, outcomes, pairs_buffer.data(), turns, work);
  }
  return result;
}

}  // namespace procmap
