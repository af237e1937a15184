// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "objective/objective.hpp"
#include "refinement/flow/apply_cuts.hpp"
#include "refinement/flow/border.hpp"
#include "refinement/flow/edge_colouring.hpp"
#include "refinement/flow/free_pairs.hpp"

namespace procmap {

/// first[i] = what comes before item i, and room for all of it. Returns how much that is, or about, if nobody needs to
/// know and wait.
template <HostExecutor Exec, class Term, class MakeRoom>
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
template <HostExecutor Exec>
Edge grow_bands(Exec& ex, FlowRun<Exec>& run, PairClass pairs) {
  Phase phase(ex.run(), "flow: bands");
  auto const problem = run.problem;
  auto const* const block_size = run.state.block_size;
  auto* const work = pairs.work;
  auto first_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(pairs.count) + 1);
  auto* const first = first_buffer.data();
  Edge const vertices = share_out(
      ex, run.holds_all, pairs.count,
      [=] PROCMAP_LAMBDA(Edge i) -> Edge { return block_size[pairs.pair[i].a] + block_size[pairs.pair[i].b]; }, first,
      problem.graph.num_vertices, [&](std::size_t n) { run.arrays.make_vertices(ex, n); });
  auto const arrays = run.arrays.view();
  ex.for_each_team(pairs.count, usual_band_arcs(problem.graph, vertices), [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto& state = work[i];
    if (group.rank() == 0) {
      state = PairState{};
      state.first_vertex = first[i];
    }
    group.sync();
    auto const band = arrays.band_of(state, problem.block, group.counters(state.counts));
    grow_band(problem, pairs.pair[i], state, band, group, band_share(problem.config, 0));
    Edge arcs = 0;
    team_for(group, state.size, [&](Vertex j) { arcs += problem.graph.degree(band.vertices.items[j]); });
    arcs = group.sum(arcs);
    if (group.rank() == 0) state.arcs = arcs;
  });
  Edge const arcs = share_out(
      ex, run.holds_all, pairs.count, [=] PROCMAP_LAMBDA(Edge i) -> Edge { return work[i].arcs; }, first,
      usual_band_arcs(problem.graph, vertices), [&](std::size_t m) { run.arrays.make_arcs(ex, m); });
  ex.for_each(pairs.count, [=] PROCMAP_LAMBDA(Edge i) { work[i].first_arc = first[i]; });
  return arcs;
}

/// Cuts the bands of a colour class.
template <HostExecutor Exec, class Objective>
void cut_bands(Exec& ex, FlowRun<Exec> const& run, Objective objective, PairClass pairs, Edge arcs) {
  Phase phase(ex.run(), "flow: cuts");
  auto const problem = run.problem;
  auto const arrays = run.arrays.view();
  auto* const work = pairs.work;
  ex.for_each_team(pairs.count, arcs, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    cut_pair(problem, objective, pairs.pair[i], work[i], arrays, group);
  });
}

/// One cut for every pair, one colour class after the other.
template <HostExecutor Exec, class Objective>
FlowResult cut_all_pairs(Exec& ex, FlowRun<Exec>& run, Objective objective, std::vector<BlockPair> pairs) {
  auto const begin = colour_pairs(pairs);
  auto const num_pairs = static_cast<Edge>(pairs.size());
  auto pairs_buffer = ex.template buffer<BlockPair>(pairs.size());
  auto work_buffer = ex.template buffer<PairState>(pairs.size());
  ex.upload(pairs.data(), num_pairs, pairs_buffer.data());
  for (std::size_t colour = 0; colour + 1 < begin.size(); ++colour) {
    PairClass const members{pairs_buffer.data() + begin[colour], work_buffer.data() + begin[colour],
                            static_cast<Edge>(begin[colour + 1] - begin[colour])};
    Edge const arcs = grow_bands(ex, run, members);
    cut_bands(ex, run, objective, members, arcs);
    apply_cuts(ex, run, objective, members, arcs);
  }
  auto const* const work = work_buffer.data();
  Weight const short_ones = ex.sum(num_pairs, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return work[i].cut_short; });
  return {num_pairs, short_ones};
}

/// Pairwise flow refinement of all scopes at once: every two adjacent blocks of a scope exchange vertices along a
/// minimum cut of the band around their border (Sanders and Schulz, "Engineering multilevel graph partitioning
/// algorithms", section 4), the pairs of a colour class of the scopes' quotient graphs at once (Holtgrewe, Sanders,
/// Schulz, "Engineering a scalable high quality graph partitioner"). Follows refine(): expects the scopes' best
/// mappings in `block` and their states in `scratch`, and updates both. No scope gets worse, no block exceeds its
/// capacity, and scopes with an overloaded block stay as they are. Fixed vertices do not move.
template <HostExecutor Exec, class Objective>
FlowResult refine_pairs(Exec& ex, RefinementProblem<Objective> const& refined, RefinementScratch<Exec>& scratch,
                        Block* block, FlowConfig const& config, std::uint64_t seed) {
  auto const& [graph, objective, blocks, anchors, copies] = refined;
  constexpr bool by_class = !Exec::has_small_teams || !ObjectiveTraits<Objective>::all_equal;
  FlowRun<Exec> run(ex, graph, blocks, by_class);
  run.problem = {graph,  blocks, block,  scratch.block_weight.data(), run.block_loads.data(), nullptr,
                 config, seed,   anchors};
  run.state = {block,
               scratch.previous.data(),
               scratch.block_weight.data(),
               run.block_loads.data(),
               run.block_size.data(),
               {run.changed_block.data(), run.changed_scope.data(), run.changed_vertex.data()},
               run.scope_change.data(),
               scratch.scope.data()};
  start_flow(ex, run);

  FlowResult result;
  for (int round = 0; round < config.rounds; ++round) {
    auto border = find_borders(ex, run, scratch.active.data());
    std::erase_if(border.pairs, [](BlockPair const& pair) { return pair.changed == 0; });
    if (border.pairs.empty()) break;
    fill_changes(ex, run, 0);
    run.problem.border = border.entries.data();
    run.problem.seed = hash(seed, static_cast<std::uint64_t>(round));
    auto const cuts = [&] {  // clang 14 lets lambdas capture no structured binding
      if constexpr (by_class)
        return cut_all_pairs(ex, run, refined.objective, std::move(border.pairs));
      else
        return cut_free_pairs(ex, run, refined.objective, std::move(border.pairs));
    }();
    result.cuts += cuts.cuts;
    result.cut_short += cuts.cut_short;
    auto const* const changed = run.state.changed.scope;
    if (ex.sum(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) -> Weight { return changed[s]; }) == 0) break;
  }
  return result;
}

}  // namespace procmap
