// SPDX-License-Identifier: MIT
#include "multilevel/split/population.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "support/backend.hpp"
#include "support/clusters.hpp"
#include "support/contraction.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t seeds[] = {1, 2, 3};

TEST(Replicate, IsTheDisjointUnionOfTheCopies) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (int const copies : {1, 2, 5}) {
        SCOPED_TRACE(shape + ", seed " + std::to_string(seed) + ", " + std::to_string(copies) + " copies");
        Backend backend;
        auto const csr = to_csr(graph);
        auto const original = backend.put(csr);

        auto const union_of_copies = replicate(backend.ex, original.view(), copies);

        Csr expected;
        for (int t = 0; t < copies; ++t) {
          for (auto e = csr.offsets.begin() + 1; e < csr.offsets.end(); ++e)
            expected.offsets.push_back(*e + csr.offsets.back() * t);
          for (auto const head : csr.heads) expected.heads.push_back(head + csr.num_vertices() * t);
          expected.arc_weights.insert(expected.arc_weights.end(), csr.arc_weights.begin(), csr.arc_weights.end());
          expected.vertex_weights.insert(expected.vertex_weights.end(), csr.vertex_weights.begin(),
                                         csr.vertex_weights.end());
        }
        auto const result = backend.get(union_of_copies);
        EXPECT_EQ(union_of_copies.num_vertices, expected.num_vertices());
        EXPECT_EQ(union_of_copies.num_arcs, static_cast<Edge>(expected.heads.size()));
        EXPECT_EQ(result.offsets, expected.offsets);
        EXPECT_EQ(result.heads, expected.heads);
        EXPECT_EQ(result.arc_weights, expected.arc_weights);
        EXPECT_EQ(result.vertex_weights, expected.vertex_weights);
      }
}

TEST(Projection, PutsEveryVertexWhereItsCoarseVertexIs) {
  for (auto const seed : each_seed(seeds))
    for (Vertex const n : {0, 1, 100, 10'000})
      for (int const members : {1, 3}) {
        SCOPED_TRACE(std::to_string(n) + " vertices, seed " + std::to_string(seed));
        Backend backend;
        auto const num_coarse = (n + 1) / 2;
        auto const coarse_of = random_contraction(n, num_coarse, seed);
        auto const coarse_block = random_blocks(num_coarse * members, 6, seed);
        Population<Backend::Exec> const coarse{members, backend.put(coarse_block)};
        Levels<Backend::Exec> levels;
        levels.finest.num_vertices = n;
        levels.coarser.emplace_back().coarse_of = backend.put(coarse_of);
        levels.coarser.back().graph.num_vertices = num_coarse;

        auto const fine = project(backend.ex, levels, 0, coarse);

        std::vector<Block> expected;
        for (int t = 0; t < members; ++t)
          for (auto const c : coarse_of) expected.push_back(coarse_block[at(t * num_coarse + c)]);
        EXPECT_EQ(fine.size, members);
        EXPECT_EQ(backend.get(fine.block), expected);
      }
}

ScopeState state_of(Weight overload, Weight cost) {
  ScopeState state;
  state.best_overload = overload;
  state.best_cost = cost;
  return state;
}

TEST(RankMembers, PutsBalanceBeforeCostAndTheFirstBeforeItsEquals) {
  // Two scopes; members 0 to 3, each with the states of both scopes.
  std::vector<ScopeState> const states{state_of(0, 50), state_of(5, 1),   // member 0
                                       state_of(0, 40), state_of(0, 99),  // member 1
                                       state_of(2, 10), state_of(4, 1),   // member 2
                                       state_of(0, 40), state_of(0, 98)};  // member 3

  EXPECT_EQ(rank_members(states, 4), (std::vector<int>{1, 3, 0, 2, 3, 1, 2, 0}));
}

TEST(RankMembers, IgnoresWhatIsNotTheBest) {
  auto first = state_of(0, 7), second = state_of(0, 6);
  first.cost = 1;
  second.cost = 100;
  second.overload = 100;

  EXPECT_EQ(rank_members({first, second}, 2), (std::vector<int>{1, 0}));
}

struct Tournament {
  int members;
  Block num_scopes;
  Block per_scope;
  Vertex n;
};

/// Vertex v of the new member r stands where the r-th best member of its scope has it, renumbered to member r.
std::vector<Block> kept_by_definition(Tournament const& t, int keep, std::vector<Block> const& block,
                                      std::vector<Block> const& scope, std::vector<ScopeState> const& states) {
  std::vector<Block> kept;
  for (int r = 0; r < keep; ++r)
    for (Vertex v = 0; v < t.n; ++v) {
      auto const s = scope.empty() ? 0 : scope[at(v)];
      std::vector<std::tuple<Weight, Weight, int>> ranking;
      for (int m = 0; m < t.members; ++m) {
        auto const& state = states[at(m * t.num_scopes + s)];
        ranking.emplace_back(state.best_overload, state.best_cost, m);
      }
      std::ranges::sort(ranking);
      auto const chosen = std::get<2>(ranking[at(r)]);
      auto const within = block[at(chosen * t.n + v)] - chosen * t.num_scopes * t.per_scope;
      kept.push_back(within + r * t.num_scopes * t.per_scope);
    }
  return kept;
}

TEST(KeepBest, TakesEveryScopeFromTheMemberThatIsBestThere) {
  for (auto const seed : each_seed(seeds))
    for (auto const& t : {Tournament{1, 1, 4, 50}, Tournament{4, 1, 3, 5000}, Tournament{2, 6, 1, 100},
                          Tournament{8, 5, 4, 6000}, Tournament{3, 4, 2, 0}, Tournament{40, 2, 2, 30}})
      for (int keep = 1; keep <= t.members; ++keep) {
        SCOPED_TRACE(std::to_string(t.members) + " members, " + std::to_string(t.num_scopes) + " scopes, keep " +
                     std::to_string(keep) + ", seed " + std::to_string(seed));
        std::vector<Block> scope;
        if (t.num_scopes > 1) scope = random_blocks(t.n, t.num_scopes, seed);
        std::vector<Block> block;
        for (Vertex i = 0; i < t.members * t.n; ++i) {
          auto const s = scope.empty() ? 0 : scope[at(i % t.n)];
          auto const in_scope = static_cast<Block>(random_below(t.per_scope, seed, static_cast<std::uint64_t>(i), 5));
          block.push_back((i / t.n * t.num_scopes + s) * t.per_scope + in_scope);
        }
        std::vector<ScopeState> states;
        for (std::uint64_t i = 0; i < at(t.members * t.num_scopes); ++i)
          states.push_back(state_of(random_below(2, seed, i, 8), random_below(3, seed, i, 9)));  // with ties
        Backend backend;
        Population<Backend::Exec> const all{t.members, backend.put(block)};
        auto const device_scope = backend.put(scope);

        auto const kept =
            keep_best(backend.ex, all, keep, {t.n, device_scope.data()}, t.num_scopes * t.per_scope, states);

        EXPECT_EQ(kept.size, keep);
        EXPECT_EQ(backend.get(kept.block), kept_by_definition(t, keep, block, scope, states));
      }
}

}  // namespace
}  // namespace procmap::test
