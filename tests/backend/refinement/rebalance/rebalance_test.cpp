// SPDX-License-Identifier: MIT
#include "refinement/rebalance/rebalance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t noise_seed = 42;
constexpr ScopeMode all_modes[] = {ScopeMode::rebalance_weak, ScopeMode::rebalance_strong, ScopeMode::rebalance_sorted};

struct Move {
  Vertex vertex;
  Block from, to;
  Weight weight;
  bool operator==(Move const&) const = default;
};

/// One rebalancing round with scope s in modes[s].
template <class Case>
std::vector<Move> rebalance(Problem const& problem, Case const& objective, std::vector<ScopeMode> const& modes,
                            int threads = 2) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  stage.start();
  auto states = stage.scopes();
  for (std::size_t s = 0; s < states.size(); ++s) states[s].mode = modes[s];
  stage.write(states, stage.state.scope);
  stage.propose(0, noise_seed);
  ModeCounts counts;
  for (auto const mode : modes) {
    counts.weak += mode == ScopeMode::rebalance_weak;
    counts.strong += mode == ScopeMode::rebalance_strong;
    counts.sorted += mode == ScopeMode::rebalance_sorted;
  }
  auto const result = backend.make<Edge>(1);
  stage.run([refinement = stage.refinement(), objective = stage.objective, list = stage.scratch.active.data(),
             movers = stage.scratch.movers.data(), counts, count = result.data()] PROCMAP_LAMBDA(auto& ex) {
    VertexList moving{movers, 0};
    rebalance(ex, refinement, objective, noise_seed, counts, list, moving);
    *count = moving.count;
  });
  auto const count = backend.get(result)[0];
  auto const proposal = stage.per_vertex(stage.state.proposal);
  std::vector<Move> moves;
  for (Vertex const v : stage.read(stage.scratch.movers.data(), count))
    moves.push_back({v, problem.block[at(v)], proposal[at(v)], view_of(problem.graph).vertex_weight(v)});
  std::ranges::sort(moves, {}, &Move::vertex);  // the order of movers means nothing
  return moves;
}

/// All vertices of a scope lie in its first blocks, so these are overloaded and the others have room.
Problem crowded(std::vector<Graph> const& scopes, Block per_scope, std::uint64_t seed) {
  auto problem = random_problem(scopes, per_scope, 5, seed);
  for (auto& b : problem.block) {
    Block const first = scope_of(problem, b) * per_scope;
    if (b - first > (per_scope - 1) / 2) b = first;
  }
  return problem;
}

template <class F>
void for_each_overloaded(std::uint64_t seed, F f) {
  for (auto const& [name, graph] : all_shapes(seed))
    for_each_objective([&, &shape = graph, &shape_name = name](auto const& objective) {
      f(crowded({shape}, objective.num_blocks(), seed), objective,
        shape_name + ", " + objective.name() + ", seed " + std::to_string(seed));
    });
}

void expect_sound(Problem const& problem, std::vector<Move> const& moves, std::string const& where) {
  auto const load = loads_of(problem.graph, problem.block, problem.num_blocks());
  std::set<Vertex> movers;
  for (auto const& move : moves) {
    auto const message = where + ", vertex " + std::to_string(move.vertex);
    EXPECT_TRUE(movers.insert(move.vertex).second) << message << " moves twice";
    EXPECT_GT(load[at(move.from)], problem.capacity[at(move.from)]) << message;
    EXPECT_GT(move.weight, 0) << message;
    EXPECT_NE(move.to, move.from) << message;
    EXPECT_EQ(scope_of(problem, move.to), scope_of(problem, move.from)) << message;
  }
}

TEST(Rebalance, MovesOnlyOutOfOverloadedBlocksAndNeverOutOfAScopeInEveryMode) {
  for (auto const seed : each_seed(20))
    for_each_overloaded(seed, [](Problem const& problem, auto const& objective, std::string const& where) {
      for (auto const mode : all_modes)
        expect_sound(problem, rebalance(problem, objective, {mode}), where + ", mode " + std::to_string(int(mode)));
    });
}

TEST(Rebalance, NeverOverloadsATargetWhenSortedOrStrong) {
  for (auto const seed : each_seed(20))
    for_each_overloaded(seed, [](Problem const& problem, auto const& objective, std::string const& where) {
      for (auto const mode : {ScopeMode::rebalance_sorted, ScopeMode::rebalance_strong}) {
        auto load = loads_of(problem.graph, problem.block, problem.num_blocks());
        for (auto const& move : rebalance(problem, objective, {mode})) {
          load[at(move.to)] += move.weight;
          EXPECT_LE(load[at(move.to)], problem.capacity[at(move.to)])
              << where << ", mode " << int(mode) << ", vertex " << move.vertex << " to " << move.to;
        }
      }
    });
}

TEST(Rebalance, MovesOnlyToBlocksBelowSigmaWhenWeak) {
  for (auto const seed : each_seed(20))
    for_each_overloaded(seed, [](Problem const& problem, auto const& objective, std::string const& where) {
      auto const load = loads_of(problem.graph, problem.block, problem.num_blocks());
      for (auto const& move : rebalance(problem, objective, {ScopeMode::rebalance_weak}))
        EXPECT_LT(load[at(move.to)], sigma({}, problem.capacity[at(move.to)])) << where << " to " << move.to;
    });
}

/// Unit weights, one overloaded block, and room for its excess in every other block.
template <class Case>
Problem one_full_block(Graph const& graph, Case const& objective, std::uint64_t seed) {
  auto problem = random_problem({graph}, objective.num_blocks(), 0, seed);
  auto const load = loads_of(graph, problem.block, problem.num_blocks());
  problem.capacity.assign(load.size(), 2 * *std::ranges::max_element(load));
  problem.capacity[0] = load[0] * 2 / 3;
  problem.share = problem.capacity;
  return problem;
}

TEST(Rebalance, CoversTheExcessAndNoMoreWhenThereIsRoomInEveryMode) {
  for (auto const seed : each_seed(20))
    for_each_objective([&](auto const& objective) {
      for (auto const& graph : {grid2d(20, 20), random_geometric(400, seed), star(200), no_edges(50)}) {
        auto const problem = one_full_block(graph, objective, seed);
        if (problem.num_blocks() < 2) continue;
        auto const excess = loads_of(graph, problem.block, problem.num_blocks())[0] - problem.capacity[0];
        for (auto const mode : all_modes)
          EXPECT_EQ(static_cast<Weight>(rebalance(problem, objective, {mode}).size()), excess)
              << objective.name() << ", mode " << int(mode) << ", n = " << graph.num_vertices();
      }
    });
}

TEST(Rebalance, DealsOutToBlocksWhoseRoomDoesNotAddUp) {
  // Together the seven other blocks have room for more than 2^63.
  constexpr auto huge = Weight{1} << 62;
  Problem problem{path(30), 8, 1, std::vector<Block>(30, 0), {10, huge, huge, huge, huge, huge, huge, huge}, {}};
  problem.share.assign(8, 4);

  auto const moves = rebalance(problem, CutCase{8}, {ScopeMode::rebalance_strong});

  EXPECT_EQ(moves.size(), 20u);
  for (auto const& move : moves) EXPECT_TRUE(move.to > 0 && move.to < 8) << "vertex " << move.vertex;
}

TEST(Rebalance, MovesTheCheapestVerticesWhenSorted) {
  // Block 0 is the path 0 - 1 - 2 - 3 with two vertices too many; only 3 - 4 leads out of it.
  Problem const problem{path(5), 2, 1, {0, 0, 0, 0, 1}, {2, 3}, {2, 2}};

  auto const moves = rebalance(problem, CutCase{2}, {ScopeMode::rebalance_sorted});

  ASSERT_EQ(moves.size(), 2u);
  // Vertex 3 saves nothing (one edge in, one out), vertex 0 loses 1, vertices 1 and 2 lose 2.
  std::set<Vertex> const movers{moves[0].vertex, moves[1].vertex};
  EXPECT_EQ(movers, (std::set<Vertex>{0, 3}));
}

TEST(Rebalance, TreatsEveryScopeInItsOwnMode) {
  for (auto const seed : each_seed(20)) {
    auto const problem =
        crowded({grid2d(9, 9), star(60), random_geometric(150, seed), grid2d(8, 8), path(70)}, 4, seed);
    std::vector const modes{ScopeMode::rebalance_weak, ScopeMode::propagate, ScopeMode::rebalance_sorted,
                            ScopeMode::rebalance_strong, ScopeMode::done};
    CutCase const objective{problem.num_blocks()};

    auto const together = rebalance(problem, objective, modes);

    expect_sound(problem, together, "seed " + std::to_string(seed));
    for (Block s = 0; s < problem.num_scopes; ++s) {
      auto alone_modes = std::vector(modes.size(), ScopeMode::done);
      alone_modes[at(s)] = modes[at(s)];
      auto expected = together;
      std::erase_if(expected, [&](Move const& move) { return scope_of(problem, move.from) != s; });
      EXPECT_EQ(rebalance(problem, objective, alone_modes), expected) << "scope " << s;
      EXPECT_EQ(expected.empty(), modes[at(s)] <= ScopeMode::propagate) << "scope " << s;
    }
  }
}

TEST(Rebalance, DoesNotDependOnTheNumberOfThreads) {
  for (auto const mode : all_modes)
    for_each_objective([&](auto const& objective) {
      auto const problem = crowded({with_weights(random_geometric(6000, 3), 3, 4, 9)}, objective.num_blocks(), 3);
      auto const expected = rebalance(problem, objective, {mode}, 1);
      for (int const threads : Backend::thread_counts())
        EXPECT_EQ(rebalance(problem, objective, {mode}, threads), expected)
            << objective.name() << ", mode " << int(mode) << ", " << threads << " threads";
    });
}

/// The vertices of overloaded blocks that keep_promising lets pass, given whether the last round moved.
std::vector<Vertex> promising(Problem const& problem, bool moved, std::vector<Weight>& gain) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  stage.start();
  auto states = stage.scopes();
  for (auto& scope : states) {
    scope.mode = ScopeMode::rebalance_sorted;
    scope.moved = moved;
  }
  stage.write(states, stage.state.scope);
  auto* const list = stage.scratch.active.data();
  auto const buckets = backend.make<Weight>(at(stage.blocks.num_blocks * LossHistogram::num_buckets));
  LossHistogram const histogram{buckets.data(), stage.graph, stage.state};
  auto const result = backend.make<Edge>(1);
  stage.run([refinement = stage.refinement(), cut = stage.objective, list, histogram,
             kept = stage.scratch.movers.data(), result = result.data()] PROCMAP_LAMBDA(auto& ex) {
    RenewDestination<EdgeCut> const renew{refinement.graph, cut,       refinement.blocks, refinement.state,
                                          refinement.rules, noise_seed};
    clear_histogram(ex, refinement, histogram);
    auto const candidates = list_candidates(ex, refinement, list);
    renew_gains(ex, refinement.blocks, renew, histogram, candidates);
    *result = keep_promising(ex, refinement, histogram, candidates, kept).count;
  });
  gain = stage.per_vertex(stage.state.gain);
  auto kept = stage.read(stage.scratch.movers.data(), backend.get(result)[0]);
  std::ranges::sort(kept);
  return kept;
}

TEST(KeepPromising, KeepsTheCheapestVerticesOfTwiceTheExcess) {
  for (auto const seed : each_seed(20))
    for (auto const& graph : {grid2d(20, 20), with_weights(grid2d(20, 20), seed, 7, 30)}) {
      auto problem = random_problem({graph}, 5, 0, seed);
      problem.block = striped_blocks(400, 5);  // most vertices lose by leaving, some more than others
      auto const view = view_of(graph);
      auto const load = loads_of(graph, problem.block, 5);
      for (std::size_t b = 0; b < 5; ++b) problem.capacity[b] = load[b] - load[b] * static_cast<Weight>(5 + seed) / 100;
      problem.share.assign(5, 0);
      std::vector<Weight> gain;

      auto const kept = promising(problem, true, gain);
      auto const all = promising(problem, false, gain);

      EXPECT_LT(kept.size(), all.size()) << "the histogram sorts nobody out, seed ";
      for (Block b = 0; b < 5; ++b) {
        if (load[at(b)] <= problem.capacity[at(b)]) continue;
        Weight kept_weight = 0, all_weight = 0, worst_kept = 0, best_dropped = std::numeric_limits<Weight>::max();
        for (Vertex const v : all) {
          if (problem.block[at(v)] != b) continue;
          bool const keeps = std::ranges::binary_search(kept, v);
          auto const bucket = histogram_bucket(loss_bucket(-gain[at(v)], view.vertex_weight(v)));
          all_weight += view.vertex_weight(v);
          kept_weight += keeps ? view.vertex_weight(v) : 0;
          if (keeps)
            worst_kept = std::max<Weight>(worst_kept, bucket);
          else
            best_dropped = std::min<Weight>(best_dropped, bucket);
        }
        EXPECT_GE(kept_weight, std::min(all_weight, 2 * (load[at(b)] - problem.capacity[at(b)]))) << "block " << b;
        EXPECT_LT(worst_kept, best_dropped) << "block " << b;
      }
    }
}

}  // namespace
}  // namespace procmap::test
