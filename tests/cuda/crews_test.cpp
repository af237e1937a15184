// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/atomic.hpp"
#include "core/hash.hpp"
#include "refinement/flow/pairwise.hpp"
#include "refinement/jet/jet.hpp"
#include "support/block_pairs.hpp"
#include "support/refinement.hpp"

// What only a GPU has: composites that crews run at the same time, and teams that wait for each other.

namespace procmap::test {
namespace {

/// Counts, collects and sorts the numbers [first, first + n) of a crew.
struct SortedNumbers {
  Edge first, n;
  Weight* sum;
  Weight* sorted;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("sort numbers");
    auto const from = first;
    auto* const out = sorted + first;
    Edge const even = ex.collect(
        n, [=] PROCMAP_LAMBDA(Edge i) { return (from + i) % 2 == 0; },
        [=] PROCMAP_LAMBDA(Edge i) { return static_cast<Weight>(hash(3, static_cast<std::uint64_t>(from + i)) >> 1); },
        out);
    ex.sort(out, even, [] PROCMAP_LAMBDA(Weight a, Weight b) { return a < b; });
    Weight const all = ex.sum(n, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return from + i; });
    ex.for_each(1, [=, sum = sum] PROCMAP_LAMBDA(Edge) { *sum = all; });
  }
};

struct ManyNumbers {
  Edge const* first;
  Weight* sum;
  Weight* sorted;

  PROCMAP_HD SortedNumbers of(Edge i) const { return {first[i], first[i + 1] - first[i], sum + i, sorted}; }
};

TEST(Crews, EachRunsItsOwnComposite) {
  for (std::size_t const count : {1, 2, 5, 40, 700}) {  // crews of 16 blocks to a single one
    Backend backend;
    std::vector<Edge> first{0};
    std::vector<ResidentNeeds> needs;
    for (std::size_t i = 0; i < count; ++i) {
      auto const n = static_cast<Edge>(hash(1, i) % 3000);
      first.push_back(first.back() + n);
      needs.push_back({n, scratch_bytes_of<Weight>(static_cast<std::size_t>(n)), 0, n});
    }
    auto const on_device = backend.put(first);
    auto const sum = backend.make<Weight>(count);
    auto const sorted = backend.make<Weight>(static_cast<std::size_t>(first.back()) + 1);

    backend.ex.resident_parts(needs, ManyNumbers{on_device.data(), sum.data(), sorted.data()});

    auto const sums = backend.get(sum), values = backend.get(sorted);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Weight> expected;
      for (Edge j = first[i]; j < first[i + 1]; ++j)
        if (j % 2 == 0) expected.push_back(static_cast<Weight>(hash(3, static_cast<std::uint64_t>(j)) >> 1));
      std::sort(expected.begin(), expected.end());
      auto const begin = values.begin() + first[i];
      ASSERT_EQ(std::vector<Weight>(begin, begin + static_cast<Edge>(expected.size())), expected) << count << ", " << i;
      ASSERT_EQ(sums[i], (first[i + 1] - first[i]) * (first[i] + first[i + 1] - 1) / 2) << count << ", " << i;
    }
  }
}

/// When an item was at work, in ticks of one clock, and in which slot.
struct Ticks {
  std::int32_t begin, end, slot, padding;
};

/// Runs the items of a queue but for the one that is to fail.
template <class Exec>
void note_ticks(Exec& ex, TeamQueue const& queue, Edge fails, std::int32_t* clock, Ticks* ticks) {
  ex.for_each_team_in_order(queue, [=] PROCMAP_LAMBDA(Edge i, Edge slot, auto team) {
    if (i == fails) return false;
    if (team.rank() == 0) ticks[i] = {fetch_add(clock, 1), 0, static_cast<std::int32_t>(slot), 0};
    team.sync();
    Weight const busy = team.sum(Weight{1});
    if (team.rank() == 0) ticks[i].end = fetch_add(clock, busy > 0 ? 1 : 0);
    return true;
  });
}

/// Whether each item waits for that one, directly or not.
std::vector<bool> dependents(std::vector<TeamTurn> const& turns, Edge of) {
  std::vector<bool> depends(turns.size(), false);
  for (std::size_t i = 0; i < turns.size(); ++i)
    if (static_cast<Edge>(i) == of || depends[i])
      for (Edge const next : turns[i].next)
        if (next >= 0) depends[static_cast<std::size_t>(next)] = true;
  return depends;
}

TEST(TeamsInOrder, WaitForWhatComesBefore) {
  for (Edge const work : {Edge{0}, Edge{1} << 30})  // small and large teams
    for (Edge const slots : {1, 3, 200})
      for (Block const num_blocks : {2, 7, 300})
        for (Edge const fails : {-1, 5}) {
          Backend backend;
          auto const pairs = random_pairs(num_blocks, 500, 4);
          auto const turns = turns_of(pairs, num_blocks);
          auto const on_device = backend.put(turns);
          auto const clock = backend.put(std::vector<std::int32_t>{0});
          auto const noted = backend.put(std::vector<Ticks>(turns.size(), Ticks{-1, -1, -1, 0}));

          note_ticks(backend.ex, {on_device.data(), static_cast<Edge>(turns.size()), slots, work}, fails, clock.data(),
                     noted.data());

          auto const ticks = backend.get(noted);
          auto const after = backend.get(on_device);
          auto const depends = dependents(turns, fails);
          for (std::size_t i = 0; i < turns.size(); ++i) {
            bool const left_out = static_cast<Edge>(i) == fails || depends[i];
            ASSERT_EQ(after[i].left_out != 0, left_out) << i;
            ASSERT_EQ(ticks[i].begin < 0, left_out) << i;
            if (left_out) continue;
            ASSERT_LT(ticks[i].slot, slots);
            for (Edge const next : turns[i].next)
              if (next >= 0 && ticks[static_cast<std::size_t>(next)].begin >= 0)
                ASSERT_LT(ticks[i].end, ticks[static_cast<std::size_t>(next)].begin) << i << " and " << next;
          }
          for (std::size_t i = 0; i < turns.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
              if (ticks[i].begin >= 0 && ticks[j].begin >= 0 && ticks[i].slot == ticks[j].slot)
                ASSERT_TRUE(ticks[i].end < ticks[j].begin || ticks[j].end < ticks[i].begin) << i << " and " << j;
        }
}

/// Arcs of row i: none, few, and more than the lanes of a tile or of a warp take at a time.
PROCMAP_HD inline Edge arcs_of_row(Edge i) {
  constexpr Edge lengths[] = {0, 1, 7, 40, 255, 257, 3000};
  return lengths[i % 7];
}

/// What the lanes of one team find out together.
struct Findings {
  Weight lanes, largest, arcs, counted, listed, in_fast_memory;

  bool operator==(Findings const&) const = default;
};

/// Every item is looked at by a team with all of its verbs, twice, so that shared memory is used again.
template <class Exec>
void look_with_teams(Exec& ex, TeamQueue const& queue, Vertex rows, Weight* of_row, Findings* found) {
  ex.for_each_team_in_order(queue, [=] PROCMAP_LAMBDA(Edge i, Edge, auto team) {
    Vertex own[num_team_counters];
    auto* const counter = team.counters(own);
    for (int time = 0; time < 2; ++time) {
      auto fast = team.fast_memory();
      Vertex* list = nullptr;
      fast.take(list, rows);
      if (team.rank() < num_team_counters) counter[team.rank()] = 0;
      team.sync();
      Weight mine = 0;
      auto const size = [](Vertex row) { return arcs_of_row(row); };
      team.for_rows(rows, size, [&](Vertex row, auto lanes) {
        Weight arcs = 0;
        for (Edge e = lanes.rank(); e < size(row); e += lanes.size()) ++arcs;
        mine += arcs;
        Weight const all = lanes.sum(arcs);
        if (lanes.rank() != 0) return;
        of_row[i * rows + row] = all;
        atomic_add(&counter[1], static_cast<Vertex>(all));
        team.item(list, fetch_add(&counter[2], 1)) = row;
      });
      mine = team.sum(mine);
      Weight const each_once = team.sum(Weight{team.rank()});
      Weight const largest = team.best(Weight{team.rank()}, [](Weight a, Weight b) { return a > b; });
      Weight listed = 0;
      for (Vertex j = team.rank(); j < rows; j += team.size()) listed += team.item(list, j);
      listed = team.sum(listed);
      Weight const seen = counter[1];
      team.sync();
      if (team.rank() + 1 == team.size())
        found[i] = {each_once - largest * (largest + 1) / 2 + 1,
                    largest + 1 == team.size(),
                    mine,
                    seen,
                    listed,
                    list != nullptr};
    }
    return true;
  });
}

TEST(TeamsInOrder, OfAnySizeFindTheSame) {
  constexpr Vertex rows = 1500;
  constexpr Edge items = 20;
  std::vector<Weight> expected;
  for (Edge i = 0; i < items; ++i)
    for (Vertex row = 0; row < rows; ++row) expected.push_back(arcs_of_row(row));
  auto const arcs = std::accumulate(expected.begin(), expected.begin() + rows, Weight{0});
  for (Edge const slots : {1, 3, 200})  // large teams share several processors while few are at work
    for (Edge const work : {Edge{0}, Edge{1} << 30}) {
      Backend backend;
      auto const turns = backend.put(std::vector<TeamTurn>(items));
      auto const of_row = backend.put(std::vector<Weight>(items * rows, -1));
      auto const found = backend.put(std::vector<Findings>(items));

      look_with_teams(backend.ex, {turns.data(), items, slots, work}, rows, of_row.data(), found.data());

      EXPECT_EQ(backend.get(of_row), expected);
      Findings const all{1, 1, arcs, arcs, Weight{rows} * (rows - 1) / 2, 1};
      EXPECT_EQ(backend.get(found), std::vector<Findings>(items, all)) << slots << ", " << work;
    }
}

/// One round of flow with slots of that size.
std::vector<Block> cut_with(Problem const& problem, BandSlots slots) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  RefinementConfig jet;
  jet.rounds = 2;
  refine(backend.ex, stage.problem(), stage.scratch, stage.state.block, {jet, 0, 1});
  FlowConfig config;
  config.band = 0.3;
  auto run = begin_flow(backend.ex, stage.problem(), stage.scratch, stage.state.block, config, 1);
  auto border = find_borders(backend.ex, run, stage.scratch.active.data());
  run.problem.border = border.entries.data();
  run.largest = border.largest_block;
  make_slots(backend.ex, run, slots);
  auto const result = cut_all_pairs(backend.ex, run, stage.problem().objective, border.pairs);
  EXPECT_EQ(result.cuts, static_cast<std::int64_t>(border.pairs.size()));
  return stage.per_vertex(stage.state.block);
}

TEST(QueuedPairs, WhatFindsNoRoomIsCutInWiderSlots) {
  for (auto const seed : each_seed(3)) {
    auto const problem =
        random_problem({grid2d(30, 31), star(600), random_geometric(900, seed), rmat(9, 3000, seed)}, 6, 8, seed);
    auto const expected = cut_with(problem, {8, problem.graph.num_vertices(), problem.graph.num_arcs()});

    for (auto const& slots : {BandSlots{3, 2000, 20000}, BandSlots{2, 300, 1500}, BandSlots{1, 200, 300}, BandSlots{}})
      EXPECT_EQ(cut_with(problem, slots), expected) << slots.vertices;
  }
}

TEST(QueuedPairs, LargeOnesAreCutAlikeByOneProcessorAndBySeveral) {
  for (auto const seed : each_seed(2)) {
    std::vector<Graph> scopes{random_geometric(40000, seed), grid2d(200, 201)};
    auto const few = random_problem(scopes, 2, 2, seed);  // by several processors
    scopes.insert(scopes.end(), 20, grid2d(5, 6));
    auto const many = random_problem(scopes, 2, 2, seed);
    auto const n = few.graph.num_vertices();
    auto const arcs = few.graph.num_arcs();

    auto const by_several = cut_with(few, {2, n, arcs});

    auto by_one = cut_with(many, {22, n, arcs});
    by_one.resize(by_several.size());
    EXPECT_EQ(by_several, by_one);
  }
}

}  // namespace
}  // namespace procmap::test
