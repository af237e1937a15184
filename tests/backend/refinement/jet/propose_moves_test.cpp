// SPDX-License-Identifier: MIT
#include "refinement/jet/propose_moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t noise_seed = 42;

/// What propose_moves caches and proposes.
struct Proposals {
  std::vector<Block> destination, proposal;
  std::vector<Weight> gain;
  std::vector<std::uint8_t> mark;
  bool operator==(Proposals const&) const = default;
};

template <class Case>
Proposals read_proposals(Stage<Case> const& stage) {
  return {stage.per_vertex(stage.state.destination), stage.per_vertex(stage.state.proposal),
          stage.per_vertex(stage.state.gain), stage.per_vertex(stage.state.mark)};
}

template <class Case>
Proposals propose(Problem const& problem, Case const& objective, double filter, int threads = 2) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  stage.start();
  stage.set_modes(ScopeMode::propagate);
  stage.propose(filter, noise_seed);
  return read_proposals(stage);
}

/// One scope of every shape, in random blocks.
template <class F>
void for_each_problem(std::uint64_t seed, Block k, F f) {
  for (auto const& [name, graph] : all_shapes(seed))
    f(random_problem({graph}, k, 10, seed), name + ", seed " + std::to_string(seed));
}

/// Blocks that v reaches over an edge with traffic, its own left out.
std::vector<Block> adjacent_blocks(Problem const& problem, Vertex v) {
  auto const graph = view_of(problem.graph);
  std::vector<Block> adjacent;
  for (Edge e = graph.begin(v); e < graph.end(v); ++e)
    if (Block const b = problem.block[at(graph.heads[e])]; b != problem.block[at(v)] && graph.arc_weight(e) > 0)
      adjacent.push_back(b);
  return adjacent;
}

/// What holds v in its block against a move to `to`: what that adds to the way of traffic.
template <class Case>
Weight attachment_of(Problem const& problem, Case const& objective, Vertex v, Block to) {
  auto const graph = view_of(problem.graph);
  Block const own = problem.block[at(v)];
  Weight total = 0;
  for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
    Block const other = problem.block[at(graph.heads[e])];
    total += graph.arc_weight(e) * std::max<Weight>(0, objective.distance(to, other) - objective.distance(own, other));
  }
  return total;
}

/// Is no block that v does not see better for it than the best it sees or a nearest one?
template <class Case>
bool is_hierarchy(Case const& objective) {
  if constexpr (requires { objective.topology; }) return objective.topology.is_hierarchy();
  return true;
}

template <class Case>
void expect_best_destinations(Case const& objective, std::uint64_t seed, double filter, Weight quarters) {
  for_each_problem(seed, objective.num_blocks(), [&](Problem const& problem, std::string const& where) {
    auto const graph = view_of(problem.graph);

    auto const result = propose(problem, objective, filter);

    for (Vertex v = 0; v < graph.num_vertices; ++v) {
      auto const gain_to = [&](Block b) { return move_gain(graph, objective, problem.block, v, b); };
      auto const passes = [&](Block b) {
        return gain_to(b) >= 0 || -gain_to(b) < attachment_of(problem, objective, v, b) / 4 * quarters +
                                                    attachment_of(problem, objective, v, b) % 4 * quarters / 4;
      };
      auto const message = where + ", " + objective.name() + ", vertex " + std::to_string(v);
      auto const adjacent = adjacent_blocks(problem, v);
      Block const to = result.destination[at(v)];
      EXPECT_EQ(result.proposal[at(v)], to) << message;
      if (adjacent.empty()) {
        EXPECT_EQ(to, no_block) << message;
        continue;
      }
      Weight best = gain_to(adjacent[0]);
      for (Block const b : adjacent) best = std::max(best, gain_to(b));
      if (to != no_block) {
        EXPECT_NE(std::ranges::find(adjacent, to), adjacent.end()) << message << " to " << to;
        EXPECT_EQ(gain_to(to), best) << message << " to " << to;
        EXPECT_EQ(result.gain[at(v)], best) << message << " to " << to;
        EXPECT_TRUE(passes(to)) << message << " to " << to;
      } else {
        EXPECT_TRUE(std::ranges::any_of(adjacent, [&](Block b) { return gain_to(b) == best && !passes(b); }))
            << message << " has a best block that passes the filter";
        for (Block b = 0; b < objective.num_blocks(); ++b) {
          if (b == problem.block[at(v)] || !is_hierarchy(objective)) continue;
          EXPECT_GE(result.gain[at(v)], gain_to(b)) << message << ", cached as the most it can gain, to " << b;
        }
      }
    }
  });
}

TEST(ProposeMoves, CachesTheCostDifferenceToABestAdjacentBlockThatPassesTheFilter) {
  for (auto const seed : each_seed(20))
    for_each_objective([&](auto const& objective) {
      expect_best_destinations(objective, seed, 0.0, 0);
      expect_best_destinations(objective, seed, 0.75, 3);
    });
}

TEST(PassesFilter, IsAStrictComparisonWithTheFlooredShareOfTheAttachment) {
  for (Weight attachment = 0; attachment <= 64; ++attachment)
    for (Weight loss = -3; loss <= 64; ++loss)
      for (Weight const quarters : {0, 1, 2, 3, 4})
        EXPECT_EQ(passes_filter(-loss, attachment, static_cast<double>(quarters) / 4),
                  loss <= 0 || loss < quarters * attachment / 4)
            << "loss " << loss << ", attachment " << attachment << ", quarters " << quarters;
}

TEST(Destination, IsOrderedByGainThenNoiseThenId) {
  std::vector<Destination> const ascending{{0, 0, no_block}, {-1, 9, 0}, {2, 5, 4}, {2, 5, 3}, {2, 6, 7}, {3, 0, 9}};

  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j)
      EXPECT_EQ(ascending[i].better_than(ascending[j]), i > j) << i << " against " << j;
}

TEST(ProposeMoves, LetsALockedVertexSitOutExactlyOnePropagation) {
  for (auto const seed : each_seed(20)) {
    CutCase const objective{4};
    auto const problem = random_problem({random_geometric(300, seed)}, 4, 10, seed);
    auto const unlocked = propose(problem, objective, 0);
    Backend backend;
    Stage stage(backend, problem, objective);
    stage.start();
    stage.set_modes(ScopeMode::propagate);
    std::vector<std::uint8_t> mark(problem.block.size());
    for (std::size_t v = 0; v < mark.size(); ++v) mark[v] = v % 3 == 0 ? std::uint8_t{Mark::locked} : std::uint8_t{0};
    stage.write(mark, stage.state.mark);

    stage.propose(0, noise_seed);
    auto const first = read_proposals(stage);
    stage.propose(0, noise_seed);
    auto const second = read_proposals(stage);

    for (std::size_t v = 0; v < mark.size(); ++v)
      EXPECT_EQ(first.proposal[v], mark[v] ? no_block : unlocked.proposal[v]) << "vertex " << v;
    EXPECT_EQ(second.proposal, unlocked.proposal);
  }
}

TEST(ProposeMoves, KeepsTheLockOverARebalancingRound) {
  CutCase const objective{3};
  auto const problem = random_problem({grid2d(10, 10)}, 3, 10, 5);
  Backend backend;
  Stage stage(backend, problem, objective);
  stage.start();
  stage.write(std::vector<std::uint8_t>(problem.block.size(), Mark::locked), stage.state.mark);
  stage.set_modes(ScopeMode::rebalance_weak);

  stage.propose(0, noise_seed);
  auto const rebalancing = read_proposals(stage);
  stage.set_modes(ScopeMode::propagate);
  stage.propose(0, noise_seed);
  auto const propagating = read_proposals(stage);

  EXPECT_EQ(rebalancing.proposal, std::vector<Block>(problem.block.size(), no_block));
  EXPECT_EQ(propagating.proposal, std::vector<Block>(problem.block.size(), no_block));
}

TEST(ProposeMoves, DoesNotDependOnTheOrderOfArcsInARow) {
  for (auto const seed : each_seed(20))
    for_each_objective([&](auto const& objective) {
      for_each_problem(seed, objective.num_blocks(), [&](Problem const& problem, std::string const& where) {
        auto reversed = problem;
        reversed.graph = with_reversed_rows(to_csr(problem.graph)).graph();

        EXPECT_EQ(propose(problem, objective, 0.75), propose(reversed, objective, 0.75))
            << where << ", " << objective.name();
      });
    });
}

TEST(ProposeMoves, DoesNotDependOnTheNumberOfThreads) {
  for (auto const seed : each_seed(5))
    for_each_objective([&](auto const& objective) {
      auto const problem = random_problem({random_geometric(5000, seed)}, objective.num_blocks(), 10, seed);
      auto const expected = propose(problem, objective, 0.75, 1);
      for (int const threads : Backend::thread_counts())
        EXPECT_EQ(propose(problem, objective, 0.75, threads), expected)
            << objective.name() << ", " << threads << " threads, seed ";
    });
}

/// One round of a 9 x 9 grid whose vertices all moved, as a scope that is done sees it.
Stage<CutCase> done_scope(Backend& backend, Problem const& problem, std::vector<Block> const& moved_to, bool improved) {
  Stage stage(backend, problem, CutCase{4});
  stage.start();
  stage.write(moved_to, stage.state.block);
  stage.write(std::vector<std::uint8_t>(81, Mark::changed), stage.state.mark);
  auto states = stage.scopes();
  states[0].improved = improved;
  states[0].mode = ScopeMode::done;
  stage.write(states, stage.state.scope);
  stage.propose(0, noise_seed);
  return stage;
}

TEST(ProposeMoves, RestoresTheBestMappingOfAScopeThatIsDone) {
  auto const problem = random_problem({grid2d(9, 9)}, 4, 10, 1);
  Backend backend;

  auto const stage = done_scope(backend, problem, random_blocks(81, 4, 2), false);

  EXPECT_EQ(stage.per_vertex(stage.state.block), problem.block);
  EXPECT_EQ(stage.per_vertex(stage.state.mark), std::vector<std::uint8_t>(81, 0));
}

TEST(ProposeMoves, NotesANewBestMapping) {
  auto const problem = random_problem({grid2d(9, 9)}, 4, 10, 1);
  auto const moved_to = random_blocks(81, 4, 2);
  Backend backend;

  auto const stage = done_scope(backend, problem, moved_to, true);

  EXPECT_EQ(stage.per_vertex(stage.state.best), moved_to);
  EXPECT_EQ(stage.per_vertex(stage.state.block), moved_to);
}

}  // namespace
}  // namespace procmap::test
