// SPDX-License-Identifier: MIT
#include "coarsening/coarsen.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/run.hpp"
#include "core/stopwatch.hpp"
#include "support/backend.hpp"
#include "support/clusters.hpp"
#include "support/contraction.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t coarsen_seeds[] = {1, 2, 3};

struct HostLevel {
  Csr graph;
  std::vector<Vertex> coarse_of;
  std::vector<Block> scope;
};

std::vector<HostLevel> coarsen_on(Backend& backend, Csr const& csr, std::vector<Block> const& scope,
                                  CoarseningGoal goal, CoarseningConfig const& config, std::uint64_t seed) {
  auto const graph = backend.put(csr);
  auto const device_scope = backend.put(scope);
  auto const levels = coarsen(backend.ex, graph.view(), {device_scope.data()}, {goal, config, seed});
  std::vector<HostLevel> host;
  for (auto const& level : levels)
    host.push_back({backend.get(level.graph), backend.get(level.coarse_of), backend.get(level.scope)});
  return host;
}

CoarseningConfig with(CoarseningAlgorithm algorithm) {
  CoarseningConfig config;
  config.algorithm = algorithm;
  return config;
}

constexpr CoarseningAlgorithm algorithms[] = {CoarseningAlgorithm::matching, CoarseningAlgorithm::clustering};

std::string trace(std::string const& shape, CoarseningAlgorithm algorithm, std::uint64_t seed) {
  return shape + (algorithm == CoarseningAlgorithm::matching ? ", matching" : ", clustering") + ", seed " +
         std::to_string(seed);
}

/// Every level is the contraction of the one before, within limit and scope, and worth its while.
void expect_valid_levels(Csr fine, std::vector<Block> scope, std::vector<HostLevel> const& levels, CoarseningGoal goal,
                         CoarseningConfig const& config) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    SCOPED_TRACE("level " + std::to_string(i));
    auto const& level = levels[i];
    auto const num_coarse = level.graph.num_vertices();
    EXPECT_GT(fine.num_vertices(), goal.target_vertices);
    EXPECT_LE(num_coarse, (1 - config.min_shrink) * fine.num_vertices());
    ASSERT_EQ(level.coarse_of.size(), at(fine.num_vertices()));
    expect_onto(level.coarse_of, num_coarse);
    expect_contraction(fine, level.graph, level.coarse_of);
    std::vector<Vertex> members(at(num_coarse), 0);
    for (auto const c : level.coarse_of) ++members[at(c)];
    for (Vertex c = 0; c < num_coarse; ++c)
      ASSERT_TRUE(members[at(c)] == 1 || vertex_weight(level.graph, c) <= goal.max_weight) << "coarse vertex " << c;
    ASSERT_EQ(level.scope.size(), scope.empty() ? 0 : at(num_coarse));
    for (std::size_t v = 0; v < scope.size(); ++v) ASSERT_EQ(level.scope[at(level.coarse_of[v])], scope[v]) << v;
    fine = level.graph;
    scope = level.scope;
  }
}

TEST(Coarsen, MakesValidLevels) {
  for (auto const seed : each_seed(coarsen_seeds))
    for (auto const algorithm : algorithms)
      for (Block const num_scopes : {1, 5})
        for (auto const& [shape, graph] : all_shapes(seed)) {
          SCOPED_TRACE(trace(shape, algorithm, seed) + ", " + std::to_string(num_scopes) + " scopes");
          auto const csr = to_csr(graph);
          auto const scope = scopes_for(csr, num_scopes);
          auto const inside = scope.empty() ? csr : without_cross_arcs(csr, scope);
          CoarseningGoal const goal{10, 1 + graph.total_vertex_weight() / 10};
          Backend backend;

          auto const levels = coarsen_on(backend, inside, scope, goal, with(algorithm), seed);

          expect_valid_levels(inside, scope, levels, goal, with(algorithm));
        }
}

TEST(Coarsen, ReachesItsTargetWhereNothingStandsInTheWay) {
  for (auto const seed : each_seed(coarsen_seeds))
    for (auto const algorithm : algorithms)
      for (auto const& [shape, graph] : large_shapes(seed)) {
        SCOPED_TRACE(trace(shape, algorithm, seed));
        auto const csr = to_csr(graph);
        CoarseningGoal const goal{200, graph.total_vertex_weight()};
        Backend backend;

        auto const levels = coarsen_on(backend, csr, {}, goal, with(algorithm), seed);

        ASSERT_FALSE(levels.empty());
        auto const before = levels.size() > 1 ? levels[levels.size() - 2].graph.num_vertices() : csr.num_vertices();
        EXPECT_LE(levels.back().graph.num_vertices(), 200);
        EXPECT_GT(before, 200) << "one level too many";
      }
}

TEST(Coarsen, EndsWithoutLevelsAtOrBelowItsTarget) {
  for (auto const algorithm : algorithms) {
    auto const csr = to_csr(grid2d(10, 10));
    Backend backend;

    EXPECT_TRUE(coarsen_on(backend, csr, {}, {100, 100}, with(algorithm), 1).empty());
    EXPECT_FALSE(coarsen_on(backend, csr, {}, {99, 100}, with(algorithm), 1).empty());
  }
}

TEST(Coarsen, EndsWhenVerticesMayNotGetHeavier) {
  for (auto const seed : each_seed(coarsen_seeds))
    for (auto const algorithm : algorithms) {
      SCOPED_TRACE(trace("grid2d", algorithm, seed));
      auto const csr = to_csr(grid2d(40, 40));
      Backend backend;

      EXPECT_TRUE(coarsen_on(backend, csr, {}, {10, 1}, with(algorithm), seed).empty());
      auto const levels = coarsen_on(backend, csr, {}, {10, 4}, with(algorithm), seed);
      ASSERT_FALSE(levels.empty());
      expect_valid_levels(csr, {}, levels, {10, 4}, with(algorithm));
      // At most 4 vertices each; the coarse graphs end where few pairs fit any more.
      EXPECT_GE(levels.back().graph.num_vertices(), 400);
      EXPECT_LE(levels.back().graph.num_vertices(), 800);
    }
}

TEST(Coarsen, KeepsAtLeastOneVertexPerScope) {
  for (auto const algorithm : algorithms) {
    auto const csr = to_csr(no_edges(300));
    auto const scope = scopes_for(csr, 30);
    Backend backend;

    auto const levels = coarsen_on(backend, csr, scope, {1, 1000}, with(algorithm), 1);

    ASSERT_FALSE(levels.empty());
    EXPECT_GE(levels.back().graph.num_vertices(), 30);
    expect_valid_levels(csr, scope, levels, {1, 1000}, with(algorithm));
  }
}

TEST(Coarsen, IsTheSameOnAnyNumberOfThreads) {
  for (auto const algorithm : algorithms)
    for (auto const& [shape, graph] : large_shapes(1)) {
      auto const csr = to_csr(graph);
      CoarseningGoal const goal{200, graph.total_vertex_weight() / 100};
      std::vector<HostLevel> first;
      for (int const threads : Backend::thread_counts()) {
        SCOPED_TRACE(trace(shape, algorithm, 1) + ", " + std::to_string(threads) + " threads");
        Backend backend(threads);

        auto levels = coarsen_on(backend, csr, {}, goal, with(algorithm), 1);

        if (first.empty()) first = levels;
        ASSERT_EQ(levels.size(), first.size());
        for (std::size_t i = 0; i < levels.size(); ++i) {
          ASSERT_EQ(levels[i].coarse_of, first[i].coarse_of) << "level " << i;
          ASSERT_EQ(levels[i].graph.vertex_weights, first[i].graph.vertex_weights) << "level " << i;
          ASSERT_EQ(sorted_arcs(levels[i].graph), sorted_arcs(first[i].graph)) << "level " << i;
        }
      }
    }
}

// "No result may depend on the order of arcs in a row": the coarse rows of two backends differ in it.
TEST(Coarsen, DoesNotDependOnTheOrderOfTheArcs) {
  for (auto const seed : each_seed(coarsen_seeds))
    for (auto const algorithm : algorithms)
      for (auto const& [shape, graph] : all_shapes(seed)) {
        auto const csr = to_csr(graph);
        auto const reversed = with_reversed_rows(csr);
        CoarseningGoal const goal{10, 1 + graph.total_vertex_weight() / 10};
        Backend backend;

        auto const levels = coarsen_on(backend, csr, {}, goal, with(algorithm), seed);
        auto const others = coarsen_on(backend, reversed, {}, goal, with(algorithm), seed);

        ASSERT_EQ(levels.size(), others.size()) << trace(shape, algorithm, seed);
        for (std::size_t i = 0; i < levels.size(); ++i)
          ASSERT_EQ(levels[i].coarse_of, others[i].coarse_of) << trace(shape, algorithm, seed) << ", level " << i;
      }
}

TEST(Coarsen, PhasesOfManyLeftoversNeverTakeLongerThanTheWhole) {
  auto const csr = to_csr(star(50'000));
  for (auto const algorithm : algorithms) {
    SCOPED_TRACE(trace("star", algorithm, 1));
    Backend backend;
    auto const graph = backend.put(csr);
    backend.wait();
    Stopwatch const watch;

    coarsen(backend.ex, graph.view(), {}, {{100, 10'000}, with(algorithm), 1});

    backend.wait();
    auto const whole = watch.seconds();
    double in_phases = 0;
    for (auto const& phase : backend.phases()) in_phases += phase.seconds;
    EXPECT_GT(in_phases, 0);
    EXPECT_LE(in_phases, whole);
  }
}

}  // namespace
}  // namespace procmap::test
