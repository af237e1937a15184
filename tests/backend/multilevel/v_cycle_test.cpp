// SPDX-License-Identifier: MIT
#include "multilevel/v_cycle.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

VCyclePlan plan(Vertex target, Weight max_weight, std::uint64_t seed) {
  VCyclePlan plan;
  plan.coarsening = {{target, max_weight}, {}, seed};
  plan.stage.name = "v-cycle";
  plan.stage.filter_fine = 0.25;
  plan.stage.filter_coarse = 0.75;
  plan.stage.seed = seed;
  return plan;
}

/// What holds single vertices; empty vectors hold nobody.
struct Anchoring {
  std::vector<Block> fixed, home;
  std::vector<Weight> pull;
};

template <class Case>
std::vector<Block> improve(Problem const& problem, Case const& objective, std::vector<Block> const& label,
                           VCyclePlan const& how, int threads = 2, Anchoring const& anchoring = {}) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  auto const labels = backend.put(label);
  auto const fixed = backend.put(anchoring.fixed);
  auto const home = backend.put(anchoring.home);
  auto const pull = backend.put(anchoring.pull);
  auto const finest = stage.problem({fixed.data(), home.data(), pull.data()});
  v_cycle(backend.ex, finest, stage.scratch, how, labels.data(), stage.state.block);
  return stage.per_vertex(stage.state.block);
}

/// Every block in two halves: labels may be finer than blocks.
std::vector<Block> halves_of(Problem const& problem) {
  auto label = problem.block;
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = 2 * label[v] + static_cast<Block>(v % 2);
  return label;
}

template <class Case>
void expect_no_worse(Problem const& problem, Case const& objective, std::uint64_t seed) {
  auto const before = costs_of(problem, objective, problem.block);
  auto const heavy_before = overloads_of(problem, problem.block);
  for (auto const& label : {problem.block, halves_of(problem)}) {
    auto const where = objective.name() + ", seed " + std::to_string(seed);

    auto const block = improve(problem, objective, label, plan(40, 30, seed));

    auto const after = costs_of(problem, objective, block);
    auto const heavy_after = overloads_of(problem, block);
    for (std::size_t s = 0; s < before.size(); ++s) {
      EXPECT_LE(heavy_after[s], heavy_before[s]) << where << ", scope " << s;
      EXPECT_TRUE(heavy_after[s] < heavy_before[s] || after[s] <= before[s]) << where << ", scope " << s;
    }
    for (std::size_t v = 0; v < block.size(); ++v)
      ASSERT_EQ(scope_of(problem, block[v]), scope_of(problem, problem.block[v])) << where << ", vertex " << v;
  }
}

TEST(VCycle, NeverMakesAMappingWorse) {
  for (auto const seed : each_seed(5))
    for_each_objective([&](auto const& objective) {
      auto const problem = random_problem({random_geometric(400, seed)}, objective.num_blocks(), 10, seed);
      expect_no_worse(problem, objective, seed);
    });
}

TEST(VCycle, NeverMakesAnyOfManyScopesWorse) {
  for (auto const seed : each_seed(5)) {
    auto const problem =
        random_problem({grid2d(12, 15), power_law(200, seed), star(60), no_edges(9), empty()}, 3, 10, seed);
    expect_no_worse(problem, CutCase{problem.num_blocks()}, seed);
  }
}

TEST(VCycle, FindsWhatRefinementOfTheFinestGraphDoesNot) {
  // Stripes of eight columns, alternately in two blocks: no single vertex wants to leave its stripe.
  auto problem = random_problem({grid2d(64, 64)}, 2, 3, 0);
  for (std::size_t v = 0; v < problem.block.size(); ++v) problem.block[v] = static_cast<Block>(v % 64 / 8 % 2);
  auto shallow = plan(64 * 64, 1, 3);
  auto deep = plan(30, 200, 3);

  auto const refined = improve(problem, CutCase{2}, problem.block, shallow);
  auto const improved = improve(problem, CutCase{2}, problem.block, deep);

  EXPECT_LT(2 * costs_of(problem, CutCase{2}, improved)[0], costs_of(problem, CutCase{2}, refined)[0]);
  EXPECT_EQ(overloads_of(problem, improved)[0], 0);
}

TEST(VCycle, GivesTheSameBytesOnAnyNumberOfThreads) {
  auto const problem = random_problem({random_geometric(2500, 4), rmat(10, 3000, 4)}, 4, 5, 4);
  auto const expected = improve(problem, CutCase{8}, problem.block, plan(300, 50, 1), 1);
  for (int const threads : Backend::thread_counts())
    EXPECT_EQ(improve(problem, CutCase{8}, problem.block, plan(300, 50, 1), threads), expected) << threads;
}

TEST(CoarsenWithin, MergesOnlyEqualLabelsAndKeepsTheArcsBetweenThem) {
  for (auto const seed : each_seed(5))
    for (auto const algorithm : {CoarseningAlgorithm::matching, CoarseningAlgorithm::clustering}) {
      auto const problem = random_problem({random_geometric(600, seed), star(80)}, 3, 10, seed);
      Backend backend;
      auto const graph = backend.put(problem.graph);
      auto const label = backend.put(problem.block);
      auto how = plan(20, 1000, seed);
      how.coarsening.config.algorithm = algorithm;

      auto const levels = coarsen(backend.ex, graph.view(), {label.data(), nullptr, true}, how.coarsening);

      ASSERT_FALSE(levels.empty());
      auto fine_label = problem.block;
      auto fine = to_csr(problem.graph);
      for (auto const& level : levels) {
        auto const coarse_of = backend.get(level.coarse_of);
        auto const coarse_label = backend.get(level.scope);
        auto const coarse = backend.get(level.graph);
        Weight crossing = 0;
        for (Vertex v = 0; v < fine.num_vertices(); ++v) {
          ASSERT_EQ(coarse_label[at(coarse_of[at(v)])], fine_label[at(v)]);
          for (Edge e = fine.offsets[at(v)]; e < fine.offsets[at(v) + 1]; ++e)
            if (coarse_of[at(v)] != coarse_of[at(fine.heads[at(e)])])
              crossing += fine.arc_weights.empty() ? 1 : fine.arc_weights[at(e)];
        }
        EXPECT_EQ(std::accumulate(coarse.arc_weights.begin(), coarse.arc_weights.end(), Weight{0}), crossing);
        fine_label = coarse_label;
        fine = coarse;
      }
    }
}

/// f(problem with 5 blocks, description) for all shapes.
template <class F>
void for_each_cut_problem(F f) {
  for (auto const seed : each_seed(5))
    for (auto const& [name, graph] : all_shapes(seed))
      f(random_problem({graph}, 5, 10, seed), name + ", seed " + std::to_string(seed));
}

TEST(VCycle, LeavesFixedVerticesWhereTheyAre) {
  for_each_cut_problem([](Problem const& problem, std::string const& where) {
    Anchoring anchoring{std::vector<Block>(problem.block.size(), no_block), {}, {}};
    for (std::size_t v = 0; v < problem.block.size(); v += 3) anchoring.fixed[v] = problem.block[v];

    auto const block = improve(problem, CutCase{5}, problem.block, plan(20, 30, 1), 2, anchoring);

    for (std::size_t v = 0; v < block.size(); v += 3) ASSERT_EQ(block[v], problem.block[v]) << where << ", " << v;
  });
}

TEST(VCycle, CountsWhatLeavingHomeCosts) {
  for_each_cut_problem([](Problem const& problem, std::string const& where) {
    if (overloads_of(problem, problem.block)[0] > 0) return;
    CutCase const cut{5};
    Anchoring const anchoring{{}, problem.block, std::vector<Weight>(problem.block.size(), 2)};

    auto const block = improve(problem, cut, problem.block, plan(20, 30, 1), 2, anchoring);

    Weight migration = 0;
    for (std::size_t v = 0; v < block.size(); ++v) migration += block[v] == problem.block[v] ? 0 : 4;
    EXPECT_LE(costs_of(problem, cut, block)[0] + migration, costs_of(problem, cut, problem.block)[0]) << where;
  });
}

TEST(VCycle, BringsVerticesHomeThatSeeNobodyThere) {
  // Two cliques; one vertex of the first is away, and its home is an empty block.
  auto problem = random_problem({side_by_side({complete(6), complete(6)})}, 3, 100, 0);
  problem.block = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  std::vector<Block> const home{0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 1};
  auto const label = home;
  auto const block_of_five = [&](Weight pull) {
    return improve(problem, CutCase{3}, label, plan(20, 30, 0), 2, {{}, home, std::vector<Weight>(12, pull)})[5];
  };

  EXPECT_EQ(block_of_five(4), 0) << "five arcs hold it";
  EXPECT_EQ(block_of_five(6), 2);
}

TEST(VCycle, WithAnchorsGivesTheSameBytesOnAnyNumberOfThreads) {
  auto const objective = machine("4:2", "1:10");
  auto const problem = random_problem({with_weights(random_geometric(6000, 2), 2, 3, 9)}, 8, 10, 1);
  Anchoring const anchoring{{}, problem.block, std::vector<Weight>(problem.block.size(), 5)};
  auto const expected = improve(problem, objective, problem.block, plan(200, 100, 1), 1, anchoring);
  for (int const threads : Backend::thread_counts())
    EXPECT_EQ(improve(problem, objective, problem.block, plan(200, 100, 1), threads, anchoring), expected) << threads;
}

}  // namespace
}  // namespace procmap::test
