// SPDX-License-Identifier: MIT
#include "refinement/weights/refine_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

constexpr int num_loads = 2;

/// Random blocks of a random graph whose vertices have two weights; some are fixed, some have a home.
struct SeveralWeights {
  Csr csr;
  std::vector<Weight> loads, capacity, limits;
  std::vector<Block> block, fixed, home;
  std::vector<Weight> pull;

  SeveralWeights(Vertex n, Block k, std::uint64_t seed)
      : csr(to_csr(random_graph(n, 6.0 / n, seed))),
        block(random_blocks(n, k, seed)),
        home(random_blocks(n, k, seed + 1)) {
    csr.vertex_weights.assign(at(n), 0);
    std::vector<Weight> total(num_loads, 0);
    for (Vertex v = 0; v < n; ++v) {
      for (int i = 0; i < num_loads; ++i) {
        loads.push_back(random_below(10, seed, static_cast<std::uint64_t>(loads.size())));
        csr.vertex_weights[at(v)] += loads.back();
        total[at(i)] += loads.back();
      }
      fixed.push_back(v % 17 == 0 ? block[at(v)] : no_block);
      pull.push_back(v % 3);
    }
    for (Block b = 0; b < k; ++b) {
      for (auto const sum : total) limits.push_back(sum * 11 / 10 / k + 5);
      capacity.push_back(limits[limits.size() - 2] + limits.back());
    }
  }
};

struct Answer {
  std::vector<Block> block;
  std::vector<Weight> numbers;  // cost and excess of the scope, rounds

  bool operator==(Answer const&) const = default;
};

Answer answer(std::vector<Block> block, ScopeState const& state, Weight rounds) {
  return {std::move(block), {state.best_cost, state.best_overload, rounds}};
}

/// Where the backend runs.
template <class Case>
Answer refined_there(SeveralWeights const& given, Case const& definition) {
  Backend backend(2);
  auto const graph = backend.put(given.csr);
  auto const loads = backend.put(given.loads), capacity = backend.put(given.capacity),
             limits = backend.put(given.limits), pull = backend.put(given.pull);
  auto const fixed = backend.put(given.fixed), home = backend.put(given.home);
  auto block = backend.put(given.block);
  auto const placed = definition.place(backend.ex);
  RefinementScratch<Backend::Exec> scratch(backend.ex, given.block.size(), given.capacity.size());
  auto view = graph.view();
  view.loads = loads.data();
  view.num_loads = num_loads;
  Block const k = definition.num_blocks();
  RefinementProblem<std::remove_cvref_t<decltype(placed.view)>> const problem{
      view,
      placed.view,
      {k, k, capacity.data(), capacity.data(), limits.data()},
      {fixed.data(), home.data(), pull.data()}};
  refine_weights_of_copy(backend.ex, problem, scratch, block.data(), {{}, 0, 5});
  return answer(backend.get(block), backend.get(scratch.scope).front(), backend.get(scratch.summary).front().rounds);
}

/// On arrays of the host, with the arcs of every vertex the other way round.
template <class Case>
Answer refined_here(SeveralWeights const& given, Case const& definition) {
  Backend backend(1);
  auto csr = given.csr;
  for (std::size_t v = 0; v < given.block.size(); ++v) {
    auto const begin = csr.offsets[v], end = csr.offsets[v + 1];
    std::reverse(csr.heads.begin() + begin, csr.heads.begin() + end);
    if (!csr.arc_weights.empty()) std::reverse(csr.arc_weights.begin() + begin, csr.arc_weights.begin() + end);
  }
  auto const placed = definition.place(backend.ex);
  HostTables tables;
  auto const objective = on_host(backend.ex, placed.view, tables);
  CsrView const view{csr.num_vertices(),
                     static_cast<Edge>(csr.heads.size()),
                     csr.offsets.data(),
                     csr.heads.data(),
                     csr.arc_weights.empty() ? nullptr : csr.arc_weights.data(),
                     csr.vertex_weights.data(),
                     given.loads.data(),
                     num_loads};
  Block const k = definition.num_blocks();
  RefinementProblem<std::remove_cvref_t<decltype(objective)>> const problem{
      view,
      objective,
      {k, k, given.capacity.data(), given.capacity.data(), given.limits.data()},
      {given.fixed.data(), given.home.data(), given.pull.data()}};
  auto block = given.block;
  ScopeState state;
  std::vector<Weight> bound(block.size());
  std::vector<std::uint8_t> mark(block.size());
  Weight const rounds = refine_scopes_of_several_weights(problem, block.data(), &state, {bound.data(), mark.data()},
                                                         {{}, 0, 5}, backend.run(), {});
  return answer(std::move(block), state, rounds);
}

TEST(SeveralWeights, TheAnswerDependsNeitherOnTheMachineNorOnTheOrderOfArcs) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (Vertex const n : {0, 1, 30, 400})
      for_each_objective([&](auto const& objective) {
        SeveralWeights const given(n, objective.num_blocks(), seed);
        EXPECT_EQ(refined_there(given, objective), refined_here(given, objective))
            << n << " vertices, " << objective.name() << ", seed " << seed;
      });
}

TEST(SeveralWeights, RefinementMovesVertices) {
  SeveralWeights const given(400, 5, 1);
  EXPECT_NE(refined_there(given, CutCase{5}).block, given.block);
}

}  // namespace
}  // namespace procmap::test
