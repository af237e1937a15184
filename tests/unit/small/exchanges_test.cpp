// SPDX-License-Identifier: MIT
#include "small/exchanges.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "small/partial_mapping.hpp"
#include "support/small_problems.hpp"

namespace procmap::test {
namespace {

bool is_legal(SmallProblem const& problem, std::vector<Block> const& blocks) {
  for (std::size_t v = 0; v < blocks.size(); ++v)
    if (problem.forbidden[at(blocks[v])] || (problem.fixed[v] != no_block && problem.fixed[v] != blocks[v]))
      return false;
  return true;
}

/// Larger ones than those of support/.
SmallProblem ring_problem(std::uint64_t seed) {
  auto const graph = small_graph(24, seed);
  auto const machine = Topology::torus({8});
  Options options;
  options.imbalance = 0.1;
  return small_problem(graph, machine, options, make_constraints(graph, machine, options), false);
}

TEST(ExchangeVertices, LeavesNoMoveOrExchangeThatIsBetter) {
  for_each_problem([](Graph const&, Topology const&, Options const&, SmallProblem const& problem) {
    auto blocks = heap(problem);
    auto const before = standing_of(problem, blocks);
    bool const better = exchange_vertices(problem, blocks);
    auto const after = standing_of(problem, blocks);

    EXPECT_TRUE(is_legal(problem, blocks));
    EXPECT_EQ(better, after < before);
    EXPECT_TRUE(better || blocks == heap(problem));
    for (std::size_t v = 0; v < blocks.size(); ++v) {
      for (std::size_t pe = 0; pe < problem.num_pes; ++pe) {
        auto other = blocks;
        other[v] = static_cast<Block>(pe);
        EXPECT_FALSE(is_legal(problem, other) && standing_of(problem, other) < after);
      }
      for (std::size_t u = 0; u < v; ++u) {
        auto other = blocks;
        std::swap(other[u], other[v]);
        EXPECT_FALSE(is_legal(problem, other) && standing_of(problem, other) < after);
      }
    }
  });
}

TEST(KickVertices, FindsSomethingBetterOrNothing) {
  for_each_problem([](Graph const&, Topology const&, Options const& options, SmallProblem const& problem) {
    if (problem.num_vertices < 6) return;  // takes its time
    auto blocks = heap(problem);
    exchange_vertices(problem, blocks);
    auto const start = blocks;
    bool const better = kick_vertices(problem, options.seed, blocks);

    EXPECT_TRUE(is_legal(problem, blocks));
    EXPECT_EQ(better, standing_of(problem, blocks) < standing_of(problem, start));
    EXPECT_TRUE(better || blocks == start);
  });
}

TEST(KickVertices, DependsOnTheSeedOnlyAndIsSeldomInVain) {
  int better = 0;
  for (auto const seed : each_seed(5)) {
    auto const problem = ring_problem(seed);
    auto start = random_blocks(24, 8, seed);
    exchange_vertices(problem, start);
    auto blocks = start, again = start;
    better += kick_vertices(problem, seed, blocks);
    kick_vertices(problem, seed, again);

    EXPECT_EQ(blocks, again);
  }
  EXPECT_GE(better, static_cast<int>(worthwhile_seeds(5)) - 1);
}

}  // namespace
}  // namespace procmap::test
