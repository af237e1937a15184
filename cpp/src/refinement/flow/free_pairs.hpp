// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "exec/serial_group.hpp"
#include "refinement/flow/apply_cuts.hpp"
#include "refinement/flow/pair_queue.hpp"

namespace procmap {

/// Cuts one pair and carries out what comes of it. Nobody else looks at what its two blocks hold meanwhile.
template <HostExecutor Exec, class Objective>
PairState cut_alone(Exec& ex, FlowRun<Exec> const& run, Objective const& objective, BlockPair const& pair,
                    FlowScratch<Exec>& scratch) {
  auto const& problem = run.problem;
  auto const& state = run.state;
  SerialGroup const group;
  PairState work;
  Edge const most = Edge{state.block_size[pair.a]} + state.block_size[pair.b];
  scratch.make_bands(ex, static_cast<std::size_t>(most));
  scratch.make_steps(ex, most_steps(problem.config.max_depth, most));
  auto const arrays_with_place = [&] {
    auto arrays = scratch.view();
    arrays.place = run.arrays.place.data();
    return arrays;
  };
  auto const band = arrays_with_place().band_of(work, problem.block, work.counts);
  grow_band(problem, pair, work, band, group);
  work.arcs = band_arcs(problem.graph, work, band, group);
  scratch.make_networks(ex, static_cast<std::size_t>(work.size));  // far fewer than both blocks have
  scratch.make_arcs(ex, static_cast<std::size_t>(work.arcs));
  cut_and_settle(problem, objective, arrays_with_place(), state, pair, work, group);
  return work;
}

struct CutOutcome {
  std::int32_t cut_short = 0;
  bool has_moved = false;
};

/// Cuts free pairs until none is left.
template <HostExecutor Exec, class Objective>
void cut_from_queue(Exec& ex, FlowRun<Exec>& run, Objective const& objective, std::vector<BlockPair> const& pairs,
                    PairQueue& queue, std::vector<CutOutcome>& outcome) {
  try {
    while (true) {
      ex.run().checkpoint();
      auto const turn = queue.take();
      if (turn.pair < 0) return;
      auto const i = static_cast<std::size_t>(turn.pair);
      auto const work = cut_alone(ex, run, objective, pairs[i], run.scratch[static_cast<std::size_t>(turn.team)]);
      outcome[i] = {work.growth.cut_short, work.choice != CutChoice::none};
      queue.give_back(turn);
    }
  } catch (...) {
    queue.close();
    throw;
  }
}

/// One cut for every pair, each on one thread as soon as its blocks are free, in the order of the colour classes. What
/// a cut does, and what it changes, depends on its two blocks alone where all distances are equal; so the outcome is
/// the same as if one class came after the other.
template <HostExecutor Exec, class Objective>
FlowResult cut_free_pairs(Exec& ex, FlowRun<Exec>& run, Objective const& objective,
                          std::vector<BlockPair> const& pairs) {
  Phase phase(ex.run(), "flow: cuts");
  PairQueue queue(pairs, run.problem.blocks.num_blocks, ex.threads());
  run.scratch.resize(static_cast<std::size_t>(ex.threads()));
  std::vector<CutOutcome> outcome(pairs.size());
  // More threads would only wait, and may be wanted elsewhere.
  Edge const most_at_once = std::max<Edge>(run.problem.blocks.num_blocks / 2, 1);
  ex.for_each_job(std::min(most_at_once, static_cast<Edge>(pairs.size())),
                  [&](Edge) { cut_from_queue(ex, run, objective, pairs, queue, outcome); });
  FlowResult result{static_cast<std::int64_t>(pairs.size()), 0, false};
  for (auto const& one : outcome) {
    result.cut_short += one.cut_short;
    result.changed |= one.has_moved;
  }
  return result;
}

}  // namespace procmap
