// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "refinement/flow/apply_cuts.hpp"
#include "refinement/flow/border.hpp"
#include "refinement/flow/edge_colouring.hpp"

namespace procmap {

/// What a flow refinement did.
struct FlowResult {
  std::int64_t cuts = 0;       // networks solved
  std::int64_t cut_short = 0;  // ... whose band hit max_band_vertices
  bool improved = false;
};

/// Buffers and views of one flow refinement.
template <class Exec>
struct FlowTask {
  FlowTask(Exec& ex, CsrView graph, BlocksView blocks)
      : block_size(ex.template buffer<Vertex>(static_cast<std::size_t>(blocks.num_blocks))),
        changed_block(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(blocks.num_blocks))),
        changed_scope(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(blocks.num_scopes()))),
        changed_vertex(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(graph.num_vertices))),
        scope_change(ex.template buffer<Weight>(static_cast<std::size_t>(blocks.num_scopes()))) {
    arrays.place = ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices));
    holds_all = arrays.make_all(ex, graph);
  }

  Buffer<Exec, Vertex> block_size;
  Buffer<Exec, std::uint8_t> changed_block, changed_scope, changed_vertex;
  Buffer<Exec, Weight> scope_change;
  FlowScratch<Exec> arrays;
  bool holds_all = false;  // the arrays have room for any colour class
  FlowProblem problem;
  FlowState state;
};

template <Executor Exec>
void fill_changes(Exec& ex, CsrView graph, BlocksView blocks, FlowChanges changed, std::uint8_t flag) {
  ex.fill(changed.block, blocks.num_blocks, flag);
  ex.fill(changed.scope, blocks.num_scopes(), flag);
  ex.fill(changed.vertex, graph.num_vertices, flag);
}

/// Loads and sizes of the blocks; nobody has a place in a band, and fixed vertices never get one.
template <Executor Exec>
void start_flow(Exec& ex, CsrView graph, BlocksView blocks, AnchorsView anchors, FlowState state, Vertex* place) {
  ex.fill(state.block_weight, blocks.num_blocks, Weight{0});
  ex.fill(state.block_size, blocks.num_blocks, Vertex{0});
  fill_changes(ex, graph, blocks, state.changed, 1);
  ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    auto const v = static_cast<Vertex>(i);
    Block const b = state.block[v];
    state.previous[v] = b;
    place[v] = anchors.holds(v) ? never_placed : no_vertex;
    atomic_add(&state.block_size[b], 1);
    atomic_add(&state.block_weight[b], graph.vertex_weight(v));
  });
}

/// first[i] = what comes before item i, and room for all of it. Returns how much that is, or about, if nobody needs to
/// know and wait.
template <Executor Exec, class Term, class MakeRoom>
Edge share_out(Exec& ex, bool is_enough, Edge n, Term term, Edge* first, Edge about, MakeRoom make_room) {
  if (is_enough) {
    ex.prefix_sums(n, term, first);
    return about;
  }
  Edge const all = ex.scan(n, term, first);
  make_room(static_cast<std::size_t>(all));
  return all;
}

/// About how many arcs the bands of blocks have that hold `vertices` together.
inline Edge usual_band_arcs(CsrView graph, Edge vertices) {
  constexpr Edge share = 8;  // one of so many lies in a band
  return graph.num_arcs / std::max<Edge>(1, graph.num_vertices) * vertices / share;
}

/// Grows the largest bands of a colour class and makes room for their networks. Returns about how many arcs they have.
template <Executor Exec>
Edge grow_bands(Exec& ex, FlowTask<Exec>& task, BlockPair const* pairs, PairState* work, Edge num_pairs) {
  Phase phase(ex.run(), "flow: bands");
  auto const problem = task.problem;
  auto const* const block_size = task.state.block_size;
  auto first_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(num_pairs) + 1);
  auto* const first = first_buffer.data();
  Edge const vertices = share_out(
      ex, task.holds_all, num_pairs,
      [=] PROCMAP_LAMBDA(Edge i) -> Edge { return block_size[pairs[i].a] + block_size[pairs[i].b]; }, first,
      problem.graph.num_vertices, [&](std::size_t n) { task.arrays.make_vertices(ex, n); });
  auto const arrays = task.arrays.view();
  ex.for_each_team(num_pairs, usual_band_arcs(problem.graph, vertices), [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto& state = work[i];
    if (group.rank() == 0) {
      state = PairState{};
      state.first_vertex = first[i];
    }
    group.sync();
    auto const band = arrays.band_of(state, problem.block, group.counters(state.counts));
    grow_band(problem, pairs[i], state, band, group, band_share(problem.config, 0));
    Edge arcs = 0;
    team_for(group, state.size, [&](Vertex j) { arcs += problem.graph.degree(band.vertices.items[j]); });
    arcs = group.sum(arcs);
    if (group.rank() == 0) state.arcs = arcs;
  });
  Edge const arcs = share_out(
      ex, task.holds_all, num_pairs, [=] PROCMAP_LAMBDA(Edge i) -> Edge { return work[i].arcs; }, first,
      usual_band_arcs(problem.graph, vertices), [&](std::size_t m) { task.arrays.make_arcs(ex, m); });
  ex.for_each(num_pairs, [=] PROCMAP_LAMBDA(Edge i) { work[i].first_arc = first[i]; });
  return arcs;
}

/// Cuts the bands of a colour class.
template <Executor Exec, class Objective>
void cut_bands(Exec& ex, Objective objective, FlowTask<Exec> const& task, BlockPair const* pairs, PairState* work,
               Edge num_pairs, Edge arcs) {
  Phase phase(ex.run(), "flow: cuts");
  auto const problem = task.problem;
  auto const arrays = task.arrays.view();
  ex.for_each_team(num_pairs, arcs, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    cut_pair(problem, objective, pairs[i], work[i], arrays, group);
  });
}

/// One cut for every pair, one colour class after the other.
template <Executor Exec, class Objective>
FlowResult cut_all_pairs(Exec& ex, Objective objective, FlowTask<Exec>& task, std::vector<BlockPair> pairs) {
  auto const begin = colour_pairs(pairs);
  auto const num_pairs = static_cast<Edge>(pairs.size());
  auto pairs_buffer = ex.template buffer<BlockPair>(pairs.size());
  auto work_buffer = ex.template buffer<PairState>(pairs.size());
  ex.upload(pairs.data(), num_pairs, pairs_buffer.data());
  for (std::size_t colour = 0; colour + 1 < begin.size(); ++colour) {
    auto const* const members = pairs_buffer.data() + begin[colour];
    auto* const work = work_buffer.data() + begin[colour];
    auto const count = static_cast<Edge>(begin[colour + 1] - begin[colour]);
    Edge const arcs = grow_bands(ex, task, members, work, count);
    cut_bands(ex, objective, task, members, work, count, arcs);
    apply_cuts(ex, task.problem, objective, task.arrays.view(), task.state, members, work, count, arcs);
  }
  auto const* const work = work_buffer.data();
  Weight const short_ones = ex.sum(num_pairs, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return work[i].cut_short; });
  return {num_pairs, short_ones, false};
}

/// Pairwise flow refinement of all scopes at once: every two adjacent blocks of a scope exchange vertices along a
/// minimum cut of the band around their border (Sanders and Schulz, "Engineering multilevel graph partitioning
/// algorithms", section 4), the pairs of a colour class of the scopes' quotient graphs at once (Holtgrewe, Sanders,
/// Schulz, "Engineering a scalable high quality graph partitioner"). Follows refine(): expects the scopes' best
/// mappings in `block` and their states in `scratch`, and updates both. No scope gets worse, no block exceeds its
/// capacity, and scopes with an overloaded block stay as they are. Fixed vertices do not move.
template <Executor Exec, class Objective>
FlowResult refine_pairs(Exec& ex, CsrView graph, Objective objective, BlocksView blocks,
                        RefinementScratch<Exec>& scratch, Block* block, FlowConfig const& config, std::uint64_t seed,
                        AnchorsView anchors = {}) {
  FlowTask<Exec> task(ex, graph, blocks);
  task.state = {block,
                scratch.previous.data(),
                scratch.block_weight.data(),
                task.block_size.data(),
                {task.changed_block.data(), task.changed_scope.data(), task.changed_vertex.data()},
                task.scope_change.data(),
                scratch.scope.data()};
  start_flow(ex, graph, blocks, anchors, task.state, task.arrays.place.data());

  FlowResult result;
  for (int round = 0; round < config.rounds; ++round) {
    auto border = find_borders(ex, graph, blocks, block, scratch.scope.data(), task.state.changed,
                               scratch.accepted.data(), scratch.active.data());
    std::erase_if(border.pairs, [](BlockPair const& pair) { return pair.changed == 0; });
    if (border.pairs.empty()) break;
    fill_changes(ex, graph, blocks, task.state.changed, 0);
    task.problem = {graph,
                    blocks,
                    block,
                    scratch.block_weight.data(),
                    border.entries.data(),
                    config,
                    hash(seed, static_cast<std::uint64_t>(round)),
                    anchors};
    auto const cuts = cut_all_pairs(ex, objective, task, std::move(border.pairs));
    result.cuts += cuts.cuts;
    result.cut_short += cuts.cut_short;
    auto const* const changed = task.state.changed.scope;
    bool const improved = ex.sum(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) -> Weight { return changed[s]; }) > 0;
    result.improved = result.improved || improved;
    if (!improved) break;
  }
  return result;
}

}  // namespace procmap
