// SPDX-License-Identifier: MIT
#include "multilevel/split/host_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "multilevel/split/overlay.hpp"
#include "support/backend.hpp"
#include "support/clusters.hpp"
#include "support/split.hpp"

namespace procmap::test {
namespace {

using History = ClusterHistory<Backend::Exec>;

// No level, the coarsest ones, and all levels of the graphs below.
constexpr Edge host_arcs_to_try[] = {0, 400, 1500, 1'000'000};

/// What a level was, but for its time.
using Shown = std::tuple<int, Vertex, Edge, int, int, std::int64_t, Weight>;

struct Outcome {
  std::vector<Block> block;
  std::vector<Shown> levels;
  bool operator==(Outcome const&) const = default;
};

Outcome outcome_of(Backend& backend, Backend::Exec::Buffer<Block> const& block) {
  Outcome outcome{backend.get(block), {}};
  for (auto const& level : backend.run().stats().levels)
    outcome.levels.emplace_back(level.level, level.vertices, level.arcs, level.members, level.rounds, level.flow_cuts,
                                level.cost);
  return outcome;
}

Problem problem_of(std::uint64_t seed) {
  return random_problem({grid2d(15, 16), random_geometric(300, seed), star(60), no_edges(30), path(90)}, 3, 5, seed);
}

/// Every eleventh vertex is fixed to a block of its scope.
std::vector<Block> some_fixed(Problem const& problem) {
  std::vector<Block> fixed(problem.block.size(), no_block);
  for (std::size_t v = 0; v < fixed.size(); v += 11)
    fixed[v] = scope_of(problem, problem.block[v]) * problem.per_scope + static_cast<Block>(v % 3);
  return fixed;
}

SplitPlan plan_of(BlockTargets const& targets, std::uint64_t seed) {
  auto plan = split_plan_of(targets, 4, seed);
  plan.refined_starts = 0.5;
  plan.stage.flow.rounds = 1;
  plan.first_level = 2;
  if (seed % 2 == 0) plan.coarsening.config.algorithm = CoarseningAlgorithm::matching;
  return plan;
}

Outcome split(Problem const& problem, bool some_are_fixed, std::uint64_t seed, Edge host_arcs) {
  Backend backend;
  auto const graph = backend.put(problem.graph);
  auto const scope = backend.put(scopes_of(problem));
  auto const fixed = backend.put(some_are_fixed ? some_fixed(problem) : std::vector<Block>{});
  VertexLabels const labels{scope.data(), some_are_fixed ? fixed.data() : nullptr};
  auto const targets = targets_of(problem);
  History* const no_history = nullptr;
  auto const ascent =
      split_with_host(backend.ex, graph.view(), labels, targets, plan_of(targets, seed), no_history, host_arcs);
  EXPECT_EQ(ascent.population.size, 1);
  return outcome_of(backend, ascent.population.block);
}

TEST(HostPart, OfASplitChangesNothing) {
  for (auto const seed : each_seed(4))
    for (bool const some_are_fixed : {false, true}) {
      auto const problem = problem_of(seed);
      auto const expected = split(problem, some_are_fixed, seed, nothing_for_host);
      ASSERT_GE(expected.levels.size(), 3u) << "too few levels to tell";
      for (Edge const host_arcs : host_arcs_to_try)
        EXPECT_EQ(split(problem, some_are_fixed, seed, host_arcs), expected)
            << host_arcs << " arcs, " << (some_are_fixed ? "some are fixed" : "nobody is fixed");
    }
}

TEST(HostPart, LeavesAsManyMembersAsGoOn) {
  auto const problem = problem_of(1);
  auto const targets = targets_of(problem);
  auto plan = plan_of(targets, 1);
  for (Vertex const finer : {Vertex{800}, Vertex{100'000}}) {
    plan.finer = finer;
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    History* const no_history = nullptr;
    auto const members_left = [&](Edge host_arcs) {
      return split_with_host(backend.ex, graph.view(), {scope.data()}, targets, plan, no_history, host_arcs)
          .population.size;
    };
    EXPECT_EQ(members_left(1'000'000), members_left(nothing_for_host)) << finer;
  }
}

Outcome combined(Problem const& problem, std::uint64_t seed, Edge host_arcs) {
  Backend backend;
  auto const graph = backend.put(problem.graph);
  auto const scope = backend.put(scopes_of(problem));
  std::vector<Block> all;
  for (int t = 0; t < 3; ++t)
    for (std::size_t v = 0; v < problem.block.size(); ++v)
      all.push_back(t * problem.num_blocks() + scope_of(problem, problem.block[v]) * problem.per_scope +
                    static_cast<Block>(v / (40 + 3 * at(t)) % at(problem.per_scope)));
  auto const targets = targets_of(problem);
  auto const ascent = combine_with_host(backend.ex, graph.view(), {scope.data()}, targets, plan_of(targets, seed),
                                        {3, backend.put(all)}, host_arcs);
  return outcome_of(backend, ascent.population.block);
}

TEST(HostPart, OfACombinationChangesNothing) {
  for (auto const seed : each_seed(4)) {
    auto const problem = problem_of(seed);
    auto const expected = combined(problem, seed, nothing_for_host);
    for (Edge const host_arcs : host_arcs_to_try)
      EXPECT_EQ(combined(problem, seed, host_arcs), expected) << host_arcs << " arcs";
  }
}

/// A split that records its clusters, and one of the same graph within its blocks that repeats them.
std::vector<Outcome> split_twice(std::uint64_t seed, Edge host_arcs) {
  auto const whole = random_problem({random_geometric(900, seed)}, 3, 5, seed);
  Backend backend;
  auto const graph = backend.put(whole.graph);
  auto targets = targets_of(whole);
  History history;
  auto const plan = plan_of(targets, seed);
  auto const first = split_with_host(backend.ex, graph.view(), {}, targets, plan, &history, host_arcs);
  std::vector<Outcome> outcomes{outcome_of(backend, first.population.block)};
  history.rewind();
  auto const csr = without_cross_arcs(to_csr(whole.graph), outcomes[0].block);
  auto const inside = backend.put(csr);
  targets = {3, 2, std::vector<Weight>(6, whole.capacity[0]), std::vector<Weight>(6, whole.share[0] / 2)};
  auto const second = split_with_host(backend.ex, inside.view(), {first.population.block.data()}, targets,
                                      plan_of(targets, seed), &history, host_arcs);
  outcomes.push_back(outcome_of(backend, second.population.block));
  return outcomes;
}

TEST(HostPart, RecordsAndRepeatsTheSameClusters) {
  for (auto const seed : each_seed(4)) {
    auto const expected = split_twice(seed, nothing_for_host);
    for (Edge const host_arcs : host_arcs_to_try)
      EXPECT_EQ(split_twice(seed, host_arcs), expected) << host_arcs << " arcs";
  }
}

}  // namespace
}  // namespace procmap::test
