// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/apply_cuts.hpp"

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
  Edge const steps = most_steps(problem.config.max_depth, problem.graph.num_vertices);
  run.arrays.make_steps(ex, pairs.count * steps);
  auto const arrays = run.arrays.view();
  ex.for_each_team(pairs.count, usual_band_arcs(problem.graph, vertices), [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto& state = work[i];
    if (group.rank() == 0) {
      state = PairState{};
      state.first_vertex = first[i];
      state.first_step = i * steps;
    }
    group.sync();
    auto const band = arrays.band_of(state, problem.block, group.counters(state.counts));
    grow_band(problem, pairs.pair[i], state, band, group);
    Edge const arcs = band_arcs(problem.graph, state, band, group);
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

/// One cut for every pair, one colour class after the other; class c starts at begin[c].
template <HostExecutor Exec, class Objective>
FlowResult cut_classes(Exec& ex, FlowRun<Exec>& run, Objective objective, std::vector<BlockPair> const& pairs,
                       std::vector<std::size_t> const& begin) {
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
  auto const* const changed = run.state.changed.scope;
  Weight const scopes =
      ex.sum(run.problem.blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) -> Weight { return changed[s]; });
  FlowResult result{num_pairs};
  note_outcomes(result, pairs, outcomes_of(ex, num_pairs, work_buffer.data()));
  result.changed = scopes > 0;  // some were taken back
  return result;
}

}  // namespace procmap
