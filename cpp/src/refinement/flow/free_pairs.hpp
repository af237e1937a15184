// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "exec/serial_group.hpp"
#include "refinement/flow/apply_cuts.hpp"
#include "refinement/flow/pair_queue.hpp"
#include "refinement/flow/two_sides.hpp"

namespace procmap {

/// One pair on a CPU, by one thread, or two if one is idle.
template <HostExecutor Exec, class Objective>
class LonePair {
 public:
  LonePair(Exec& ex, FlowRun<Exec> const& run, Objective const& objective, BlockPair const& pair, TwoSides& sides)
      : ex_(ex), run_(run), objective_(objective), pair_(pair), sides_(sides) {}

  /// Cuts the pair and carries out what comes of it. Nobody else looks at what its two blocks hold meanwhile.
  PairState cut() {
    auto const& state = run_.state;
    auto const& problem = run_.problem;
    Weight const missing = grow_and_solve();
    PairState work;
    work.size = sides_.a.size + sides_.b.size;
    append_band(sides_.a, sides_.b);
    work.growth = sides_.a.growth;
    choose(work, missing);
    FlowArrays arrays;
    arrays.place = place_;
    arrays.band = sides_.a.vertices.data();
    arrays.near_source = sides_.a.network().near_source;
    move_and_settle(problem.graph, arrays, state, pair_, work, SerialGroup{});
    if (work.choice != CutChoice::none) note_saved(problem, state, pair_, work);
    return work;
  }

 private:
  static constexpr Edge shared_from = 128;  // entries of a border, from which on a second thread is worth waking

  /// f(side, is a) for both sides, by another thread if one is idle.
  template <class F>
  void for_sides(F f) {
    bool const is_shared = ex_.threads() > 1 && pair_.last - pair_.first >= shared_from;
    auto const one = [&](Edge i) { f(i == 0 ? sides_.a : sides_.b, i == 0); };
    if (is_shared) return ex_.for_each_job(2, one);
    one(0);
    one(1);
  }

  /// Returns what the flows of both halves fall short of the present cut.
  Weight grow_and_solve() {
    auto const limits = band_limits(run_.problem, pair_, 0);
    Weight missing[2];
    for_sides([&](BandSide& side, bool is_a) {
      Block const own = is_a ? pair_.a : pair_.b;
      SideBuilder<Objective>(run_.problem, objective_, pair_, own, place_, side)
          .run(run_.state.block_size[own], limits);
      missing[is_a ? 0 : 1] = solve_half(side);
    });
    return missing[0] + missing[1];
  }

  /// Of the extreme cuts; the one that is chosen stands in side a in the end.
  void choose(PairState& work, Weight missing) {
    if (work.size < 2) return;
    SerialGroup const group;
    BandView const band{run_.problem.block,    place_, {sides_.a.vertices.data(), nullptr}, nullptr,
                        sides_.a.steps.data(), {}};
    if (missing == 0) {
      for_sides([&](BandSide& side, bool) { global_relabel(side.network(), group); });
      show_halves(sides_);
      work.choice = choose_cut(run_.problem, pair_, band, sides_.a.network(), group, false);
    } else {
      join_sides(sides_, place_);
      CutSolver<SerialGroup> solver(sides_.a.network(), sides_.a.arcs, {});
      cut_narrower_bands(run_.problem, pair_, work, band, solver.network(), solver, group, missing, false);
    }
    if (work.choice != CutChoice::none) show_chosen(sides_.a.network(), work, group);
  }

  Exec& ex_;
  FlowRun<Exec> const& run_;
  Objective const& objective_;
  BlockPair const& pair_;
  TwoSides& sides_;
  Vertex* place_ = run_.arrays.place.data();
};

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
      auto& sides = run.sides[static_cast<std::size_t>(turn.team)];
      auto const work = LonePair<Exec, Objective>(ex, run, objective, pairs[i], sides).cut();
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
  run.sides.resize(static_cast<std::size_t>(ex.threads()));
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
