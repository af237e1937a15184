// SPDX-License-Identifier: MIT
#include "small/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "small/partial_mapping.hpp"
#include "support/small_problems.hpp"

namespace procmap::test {
namespace {

/// f(blocks) for all mappings that leave fixed vertices where they are and forbidden PEs empty.
template <class F>
void for_each_mapping(SmallProblem const& problem, F f) {
  std::vector<Block> blocks(problem.num_vertices, 0);
  auto const k = static_cast<Block>(problem.num_pes);
  for (;;) {
    bool legal = true;
    for (std::size_t v = 0; v < blocks.size(); ++v)
      legal =
          legal && !problem.forbidden[at(blocks[v])] && (problem.fixed[v] == no_block || problem.fixed[v] == blocks[v]);
    if (legal) f(blocks);
    std::size_t v = 0;
    while (v < blocks.size() && ++blocks[v] == k) blocks[v++] = 0;
    if (v == blocks.size()) return;
  }
}

TEST(Standing, IsWhatTheDefinitionsSay) {
  for_each_problem(
      [](Graph const& graph, Topology const& machine, Options const& options, SmallProblem const& problem) {
        for_each_mapping(problem, [&](std::vector<Block> const& blocks) {
          auto const standing = standing_of(problem, blocks);
          auto const report = evaluate(graph, machine, blocks, {options.imbalance, 1, "cpu", options.capacities});
          Weight overload = 0, excess = 0, migrated = 0;
          for (std::size_t pe = 0; pe < problem.num_pes; ++pe) {
            overload = std::max(overload, report.block_weights[pe] - report.capacities[pe]);
            excess += std::max<Weight>(0, report.block_weights[pe] - report.capacities[pe]);
          }
          for (std::size_t v = 0; v < options.initial.size(); ++v)
            migrated += blocks[v] == options.initial[v] ? 0 : options.vertex_sizes[v];
          ASSERT_EQ(standing.overload, overload);
          ASSERT_EQ(standing.excess, excess);
          ASSERT_EQ(2 * standing.cost, report.cost);
          ASSERT_EQ(standing.migrated, migrated);
        });
      });
}

TEST(FindBestMapping, LeavesNothingBetter) {
  for_each_problem([](Graph const&, Topology const&, Options const&, SmallProblem const& problem) {
    auto blocks = heap(problem);
    auto best = standing_of(problem, blocks);
    EXPECT_TRUE(find_best_mapping(problem, blocks).is_best);
    auto const found = standing_of(problem, blocks);
    bool legal = false;
    for_each_mapping(problem, [&](std::vector<Block> const& other) {
      best = std::min(best, standing_of(problem, other), [](auto const& a, auto const& b) { return a < b; });
      legal = legal || other == blocks;
    });

    EXPECT_TRUE(legal);
    EXPECT_TRUE(found == best) << found.overload << " " << found.cost << ", best " << best.overload << " " << best.cost;
  });
}

TEST(FindBestMapping, LeavesTheBestMappingAsItIs) {
  for_each_problem([](Graph const&, Topology const&, Options const&, SmallProblem const& problem) {
    auto blocks = heap(problem);
    find_best_mapping(problem, blocks);
    auto const best = standing_of(problem, blocks);
    int kept = 0;
    for_each_mapping(problem, [&](std::vector<Block> other) {
      if (kept > 3 || standing_of(problem, other) != best) return;
      ++kept;
      EXPECT_FALSE(find_best_mapping(problem, other).replaced);
      EXPECT_TRUE(standing_of(problem, other) == best);
    });
    EXPECT_GT(kept, 0);
  });
}

TEST(FindBestMapping, EndsWithNothingWorseWhereThereIsTooMuchToTry) {
  for (auto const seed : each_seed(3)) {
    auto const graph = small_graph(12, seed);
    auto const machine = Topology::torus({12});
    Options const options;
    auto const problem = small_problem(graph, machine, options, make_constraints(graph, machine, options), false);
    auto blocks = random_blocks(12, 12, seed);
    auto const before = standing_of(problem, blocks);

    EXPECT_FALSE(find_best_mapping(problem, blocks).is_best);
    EXPECT_TRUE(standing_of(problem, blocks) < before);
  }
}

}  // namespace
}  // namespace procmap::test
