// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "refinement/flow/pair_classes.hpp"
#include "refinement/flow/pair_queue.hpp"

namespace procmap {

/// Rule: slots for pairs of blocks that hold `vertices` and `arcs` together at most. All of them share as much memory as
/// two copies of a small graph; on a larger one a band that reaches far finds no room.
inline BandSlots band_slots(Edge num_blocks, Edge vertices, Edge arcs) {
  constexpr Edge small = Edge{64} << 20;   // bytes
  constexpr Edge most = Edge{256} << 20;
  constexpr Edge vertex_bytes = 73;
  constexpr Edge arc_bytes = 28;
  constexpr Edge usual_share = 3;  // a band has less than one of so many arcs
  constexpr Edge few = 8;
  Edge const wanted = std::max<Edge>(1, num_blocks / 2);  // a pair has two blocks for itself
  BandSlots slots{wanted, vertices + vertices / 4, arcs + arcs / 4};
  if (slots.count * (vertex_bytes * slots.vertices + arc_bytes * slots.arcs) > small) slots.arcs /= usual_share;
  slots.count = std::min(slots.count, most / (vertex_bytes * slots.vertices + arc_bytes * slots.arcs + 1));
  if (slots.count < std::min(wanted, few)) slots.count = 0;
  return slots;
}

/// Makes room for the bands of a level.
template <HostExecutor Exec>
BandSlots make_slots(Exec& ex, FlowRun<Exec>& run) {
  auto const graph = run.problem.graph;
  Block const num_blocks = run.problem.blocks.num_blocks;
  auto arcs_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(num_blocks));
  auto* const arcs = arcs_buffer.data();
  auto const* const block = run.state.block;
  auto const* const size = run.state.block_size;
  ex.fill(arcs, num_blocks, Edge{0});
  ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    auto const v = static_cast<Vertex>(i);
    atomic_add(&arcs[block[v]], graph.degree(v));
  });
  Edge const most_vertices = ex.max(num_blocks, [=] PROCMAP_LAMBDA(Edge b) -> Weight { return size[b]; });
  Edge const most_arcs = ex.max(num_blocks, [=] PROCMAP_LAMBDA(Edge b) -> Weight { return arcs[b]; });
  auto const slots = band_slots(num_blocks, std::min<Edge>(2 * most_vertices, graph.num_vertices),
                                std::min<Edge>(2 * most_arcs, graph.num_arcs));
  run.arrays.make_vertices(ex, static_cast<std::size_t>(slots.count * slots.vertices));
  run.arrays.make_arcs(ex, static_cast<std::size_t>(slots.count * slots.arcs));
  return slots;
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
  }
  team.sync();
  if (Edge{state.block_size[pair.a]} + state.block_size[pair.b] > slots.vertices) return false;
  auto const band = arrays.band_of(work, problem.block, team.counters(work.counts));
  grow_band(problem, pair, work, band, team, band_share(problem.config, 0));
  Edge arcs = 0;
  team_for(team, work.size, [&](Vertex j) { arcs += problem.graph.degree(band.vertices.items[j]); });
  arcs = team.sum(arcs);
  if (arcs > slots.arcs) {
    clear_band(band, team);
    return false;
  }
  if (team.rank() == 0) work.arcs = arcs;
  team.sync();
  cut_and_settle(problem, objective, arrays, state, pair, work, team);
  return true;
}

/// The turns that found no room, and those that had to wait for them.
struct LeftOut {
  std::vector<BlockPair> pairs;
  std::vector<std::size_t> begin = {0};  // of colour classes
};

template <HostExecutor Exec>
LeftOut left_out_of(Exec& ex, TeamTurn const* turns, std::vector<BlockPair> const& pairs,
                    std::vector<std::size_t> const& begin) {
  std::vector<TeamTurn> turn(pairs.size());
  ex.download(turns, static_cast<Edge>(pairs.size()), turn.data());
  LeftOut left;
  for (std::size_t colour = 0; colour + 1 < begin.size(); ++colour) {
    for (std::size_t i = begin[colour]; i < begin[colour + 1]; ++i)
      if (turn[i].left_out) left.pairs.push_back(pairs[i]);
    if (left.pairs.size() > left.begin.back()) left.begin.push_back(left.pairs.size());
  }
  return left;
}

/// One cut for every pair, each by one team as soon as its blocks are free, all of them in one launch; class c of the
/// colouring starts at begin[c]. What a cut does, and what it changes, depends on its two blocks alone where all
/// distances are equal; so the outcome is the same as if one class came after the other. What finds no room in a slot,
/// and what waits for it, is cut by classes afterwards.
template <TeamQueueExecutor Exec, class Objective>
FlowResult cut_queued_pairs(Exec& ex, FlowRun<Exec>& run, Objective objective, std::vector<BlockPair> const& pairs,
                            std::vector<std::size_t> const& begin) {
  if (run.slots.count < 0) run.slots = make_slots(ex, run);
  if (run.slots.count == 0) return cut_classes(ex, run, objective, pairs, begin);
  FlowResult result{static_cast<std::int64_t>(pairs.size()), 0};
  auto turns_buffer = ex.template buffer<TeamTurn>(pairs.size());
  auto* const turns = turns_buffer.data();
  {
    Phase phase(ex.run(), "flow: cuts");
    auto const num_pairs = static_cast<Edge>(pairs.size());
    auto pairs_buffer = ex.template buffer<BlockPair>(pairs.size());
    auto work_buffer = ex.template buffer<PairState>(pairs.size());
    ex.upload(pairs.data(), num_pairs, pairs_buffer.data());
    ex.upload(turns_of(pairs, run.problem.blocks.num_blocks).data(), num_pairs, turns);
    auto const problem = run.problem;
    auto const arrays = run.arrays.view();
    auto const state = run.state;
    auto const slots = run.slots;
    auto const* const pair = pairs_buffer.data();
    auto* const work = work_buffer.data();
    Edge const arcs = usual_band_arcs(problem.graph, problem.graph.num_vertices) / problem.blocks.num_blocks * 2;
    ex.for_each_team_in_order({turns, num_pairs, slots.count, arcs}, [=] PROCMAP_LAMBDA(Edge i, Edge slot, auto team) {
      return cut_in_slot(problem, objective, arrays, state, pair[i], work[i], slots, slot, team);
    });
    constexpr Weight one_left_out = Weight{1} << 32;
    Weight const counts = ex.sum(num_pairs, [=] PROCMAP_LAMBDA(Edge i) -> Weight {
      return turns[i].left_out ? one_left_out : work[i].cut_short;
    });
    result.cut_short = counts % one_left_out;
    if (counts < one_left_out) return result;
  }
  auto const left = left_out_of(ex, turns, pairs, begin);
  result.cut_short += cut_classes(ex, run, objective, left.pairs, left.begin).cut_short;
  return result;
}

}  // namespace procmap
