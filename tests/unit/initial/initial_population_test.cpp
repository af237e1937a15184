// SPDX-License-Identifier: MIT
#include "initial/initial_population.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/bisection.hpp"
#include "support/cliques.hpp"
#include "support/clusters.hpp"
#include "support/host_graphs.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t seeds[] = {1, 2, 3, 4, 5};

/// Every scope into `parts` blocks with 10 % of slack.
BlockTargets targets_for(Csr const& csr, std::vector<Block> const& scope, Block num_scopes, Block parts) {
  BlockTargets targets{num_scopes, parts, {}, {}};
  for (auto const weight : weights_by(csr, scope, at(num_scopes))) {
    targets.capacity.insert(targets.capacity.end(), at(parts), weight / parts + weight / parts / 10 + 1);
    targets.share.insert(targets.share.end(), at(parts), weight / parts);
  }
  return targets;
}

std::vector<Block> populate(Csr const& csr, std::vector<Block> const& scope, BlockTargets const& targets, int members,
                            std::uint64_t seed, HostTeam const& team = {}) {
  InitialConfig config;
  config.starts = 5;
  return initial_population({host_graph(csr), scope, {}}, targets, members, config, seed, team);
}

std::string trace(std::string const& shape, Block num_scopes, std::uint64_t seed) {
  return shape + ", " + std::to_string(num_scopes) + " scopes, seed " + std::to_string(seed);
}

TEST(InitialPopulation, PutsEveryVertexIntoABlockOfItsScopeAndMember) {
  for (auto const seed : each_seed(seeds))
    for (Block const num_scopes : {1, 4})
      for (auto const& [shape, graph] : all_shapes(seed)) {
        SCOPED_TRACE(trace(shape, num_scopes, seed));
        auto const csr = to_csr(graph);
        auto const scope = striped_blocks(csr.num_vertices(), num_scopes);
        auto const targets = targets_for(csr, scope, num_scopes, 3);

        auto const block = populate(csr, scope, targets, 2, seed);

        ASSERT_EQ(block.size(), 2 * scope.size());
        for (std::size_t i = 0; i < block.size(); ++i) {
          auto const member = static_cast<Block>(i / scope.size());
          ASSERT_EQ(block[i] / 3, member * num_scopes + scope[i % scope.size()]) << "entry " << i;
        }
      }
}

TEST(InitialPopulation, SplitsScopesWithoutLookingAtTheOthers) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [shape, graph] : all_shapes(seed)) {
      SCOPED_TRACE(trace(shape, 4, seed));
      auto const csr = to_csr(graph);
      auto const scope = striped_blocks(csr.num_vertices(), 4);
      auto const targets = targets_for(csr, scope, 4, 3);

      EXPECT_EQ(populate(csr, scope, targets, 2, seed),
                populate(without_cross_arcs(csr, scope), scope, targets, 2, seed));
    }
}

// One by one with the team on the starts of each, or all at once: 5 starts in 1, 2 and 5 shares, 8 jobs.
TEST(InitialPopulation, DoesNotDependOnTheTeam) {
  for (auto const seed : each_seed(seeds))
    for (Block const num_scopes : {1, 4})
      for (auto const& [shape, graph] : all_shapes(seed)) {
        auto const csr = to_csr(graph);
        auto const scope = striped_blocks(csr.num_vertices(), num_scopes);
        auto const targets = targets_for(csr, scope, num_scopes, 3);
        auto const alone = populate(csr, scope, targets, 2, seed);

        for (int const size : worthwhile_threads({1, 2, 9}))
          EXPECT_EQ(populate(csr, scope, targets, 2, seed, backwards(size)), alone)
              << trace(shape, num_scopes, seed) << ", team of " << size;
      }
}

// Coarse rows come in any order: another backend, or another number of threads, must not lead to other blocks.
TEST(InitialPopulation, DoesNotDependOnTheOrderOfTheArcs) {
  for (auto const seed : each_seed(seeds))
    for (Block const num_scopes : {1, 4})
      for (auto const& [shape, graph] : all_shapes(seed)) {
        auto const csr = to_csr(graph);
        auto const scope = striped_blocks(csr.num_vertices(), num_scopes);
        auto const targets = targets_for(csr, scope, num_scopes, 5);

        EXPECT_EQ(populate(csr, scope, targets, 2, seed), populate(with_reversed_rows(csr), scope, targets, 2, seed))
            << trace(shape, num_scopes, seed);
      }
}

// A bisection that grows a side vertex by vertex cuts some of them.
TEST(InitialPopulation, KeepsSmallComponentsWholeInEveryOtherMember) {
  for (auto const seed : each_seed(seeds)) {
    std::vector<Vertex> sizes;
    for (std::uint64_t i = 0; i < 60; ++i) sizes.push_back(static_cast<Vertex>(1 + random_below(12, seed, i)));
    auto const csr = to_csr(cliques(sizes));
    std::vector<Block> const scope(at(csr.num_vertices()), 0);
    auto const targets = targets_for(csr, scope, 1, 5);

    auto const block = populate(csr, scope, targets, 5, seed);

    for (std::size_t member = 0; member < 5; member += 2) {
      auto const of_member = block.begin() + static_cast<std::ptrdiff_t>(member * scope.size());
      EXPECT_EQ(cut_cliques(sizes, {of_member, of_member + csr.num_vertices()}), 0) << "member " << member;
    }
  }
}

// Coarse levels have more room, but what is whole now should be whole in the end. As even as possible is 7 and 5.
TEST(InitialPopulation, PacksComponentsIntoWhatTheFinestLevelHolds) {
  for (auto const seed : each_seed(seeds)) {
    std::vector<Vertex> const sizes{2, 3, 2, 3, 2};
    auto const csr = to_csr(cliques(sizes));
    std::vector<Block> const scope(at(csr.num_vertices()), 0);
    BlockTargets targets{1, 2, {8, 8}, {6, 6}};
    targets.finest_capacity = {6, 6};

    auto const block = populate(csr, scope, targets, 1, seed);

    EXPECT_EQ(cut_cliques(sizes, block), 0);
    EXPECT_EQ(weights_by(csr, block, 2), std::vector<Weight>(2, 6));
  }
}

TEST(InitialPopulation, LeavesFixedVerticesWhereTheyAre) {
  for (auto const seed : each_seed(seeds)) {
    auto const csr = to_csr(cliques({5, 4, 6, 3, 5, 4, 2, 7}));
    std::vector<Block> const scope(at(csr.num_vertices()), 0);
    std::vector<Block> fixed(scope.size(), no_block);
    fixed[0] = 2;
    fixed[7] = 0;
    fixed[20] = 2;
    auto const targets = targets_for(csr, scope, 1, 3);

    auto const block = initial_population({host_graph(csr), scope, fixed}, targets, 3, {}, seed, {});

    for (std::size_t i = 0; i < block.size(); ++i)
      EXPECT_TRUE(fixed[i % scope.size()] == no_block || fixed[i % scope.size()] == block[i] % 3) << "entry " << i;
  }
}

// Two cliques of 24, joined by an edge, and three blocks of up to 24: two of them hold a clique each, but for the few
// that the third one gets. Even shares of the slack split a clique in the middle.
TEST(InitialPopulation, FindsLargeAndSmallBlocksWhereThereIsMuchSlack) {
  auto const csr = to_csr(joined_cliques(24, 24));
  std::vector<Block> const whole(48, 0);
  BlockTargets const loose{1, 3, {24, 24, 24}, {16, 16, 16}};
  for (auto const seed : each_seed(seeds)) {
    auto const block = populate(csr, whole, loose, 4, seed);

    std::vector<Block> last;
    for (std::size_t v = 0; v < whole.size(); ++v) last.push_back(block[3 * whole.size() + v] - 9);
    auto const weight = weights_by(csr, last, 3);
    EXPECT_LE(*std::ranges::max_element(weight), 24);
    EXPECT_LE(cut_of(view_of(csr), last), 24);
  }
}

}  // namespace
}  // namespace procmap::test
