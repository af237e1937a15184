// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "exec/serial_group.hpp"
#include "refinement/flow/apply_cuts.hpp"
#include "refinement/flow/pair_queue.hpp"
#include "refinement/flow/two_sides.hpp"

namespace procmap {

/// One pair on a CPU, by one thread, or two if one is idle.
template <HostExecutor Exec, class Objective, class Amount>
class LonePair {
 public:
  LonePair(Exec& ex, FlowRun<Exec> const& run, Objective const& objective, BlockPair const& pair,
           TwoSides<Amount>& sides)
      : ex_(ex), run_(run), objective_(objective), pair_(pair), sides_(sides) {}

  /// Cuts the pair and carries out what comes of it, unless the amounts of its network cannot be told: then nothing
  /// happens. Nobody else looks at what its two blocks hold meanwhile.
  std::optional<PairState> cut() {
    bool const fits = build();
    PairState work;
    work.size = sides_.size();
    append_band(sides_.a, sides_.b);
    work.growth = sides_.a.growth;
    if (fits) choose(work);
    settle(work);
    if (!fits) return std::nullopt;
    if (work.choice != CutChoice::none) note_saved(run_.problem, run_.state, pair_, work);
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

  /// Grows and solves both sides. Returns whether their amounts can be told.
  bool build() {
    auto const limits = band_limits(run_.problem, pair_, 0);
    bool fits[2];
    for_sides([&](BandSide<Amount>& side, bool is_a) {
      Block const own = is_a ? pair_.a : pair_.b;
      SideBuilder<Amount, Objective> builder(run_.problem, objective_, pair_, own, place_, side);
      fits[is_a ? 0 : 1] = builder.run(run_.state.block_size[own], limits);
      if (fits[is_a ? 0 : 1]) solve_half(side);
    });
    return fits[0] && fits[1];
  }

  /// Chooses one of the extreme cuts of the band, or of a narrower one.
  void choose(PairState& work) {
    SerialGroup const group;
    sides_.make_room();
    auto const shown = sides_.shown();
    auto const solve = [&](int) {
      Weight const saved = sides_.middle.solve(sides_.a, sides_.b, place_);
      show_cuts(sides_, place_);
      return saved;
    };
    cut_narrower_bands(run_.problem, pair_, work, whole(), shown, group, solve,
                       [&](int attempt) { return narrow_band(work, attempt); });
    if (work.choice != CutChoice::none) show_chosen(shown, work, group);
  }
  BandView whole() const {
    return {run_.problem.block, place_, {sides_.a.vertices.data(), nullptr}, nullptr, sides_.a.steps.data(), {}};
  }

  /// Makes the band narrower and solves what is left of its halves. Returns how many vertices it lost.
  Vertex narrow_band(PairState const& work, int attempt) {
    auto const& problem = run_.problem;
    auto const ends = ends_within(problem.graph, whole(), pair_, work.growth, work.size, SerialGroup{},
                                  band_limits(problem, pair_, attempt), problem.seed);
    Vertex lost[2];
    for_sides([&](BandSide<Amount>& side, bool is_a) {
      lost[is_a ? 0 : 1] = narrow(side, is_a ? ends.a : ends.b, is_a ? 0 : sides_.a.size(), problem.seed);
    });
    return lost[0] + lost[1];
  }

  /// Moves the vertices of the band to where the cut puts them, and forgets their places.
  void settle(PairState const& work) {
    FlowArrays arrays;
    arrays.place = place_;
    arrays.band = sides_.a.vertices.data();
    arrays.near_source = sides_.near_source.data();
    move_and_settle(run_.problem.graph, arrays, run_.state, pair_, work, SerialGroup{});
  }

  Exec& ex_;
  FlowRun<Exec> const& run_;
  Objective const& objective_;
  BlockPair const& pair_;
  TwoSides<Amount>& sides_;
  Vertex* place_ = run_.arrays.place.data();
};

template <HostExecutor Exec, class Objective>
PairState cut_lone_pair(Exec& ex, FlowRun<Exec> const& run, Objective const& objective, BlockPair const& pair,
                        LentSides& sides) {
  if (auto const work = LonePair(ex, run, objective, pair, sides.narrow).cut()) return *work;
  return LonePair(ex, run, objective, pair, sides.wide).cut().value();
}

/// Cuts free pairs until none is left.
template <HostExecutor Exec, class Objective>
void cut_from_queue(Exec& ex, FlowRun<Exec>& run, Objective const& objective, std::vector<BlockPair> const& pairs,
                    PairQueue& queue, std::vector<PairOutcome>& outcome) {
  try {
    while (true) {
      ex.run().checkpoint();
      auto const turn = queue.take();
      if (turn.pair < 0) return;
      auto const i = static_cast<std::size_t>(turn.pair);
      auto& sides = run.sides[static_cast<std::size_t>(turn.team)];
      auto const work = cut_lone_pair(ex, run, objective, pairs[i], sides);
      outcome[i] = outcome_of(work);
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
  std::vector<PairOutcome> outcome(pairs.size());
  // More threads would only wait, and may be wanted elsewhere.
  Edge const most_at_once = std::max<Edge>(run.problem.blocks.num_blocks / 2, 1);
  ex.for_each_job(std::min(most_at_once, static_cast<Edge>(pairs.size())),
                  [&](Edge) { cut_from_queue(ex, run, objective, pairs, queue, outcome); });
  FlowResult result{static_cast<std::int64_t>(pairs.size())};
  note_outcomes(result, pairs, outcome);
  return result;
}

}  // namespace procmap
