// SPDX-License-Identifier: MIT
#include "refinement/flow/border.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "refinement/flow/pairwise.hpp"
#include "support/refinement.hpp"

// Which pairs of blocks border on each other, and where.

namespace procmap::test {
namespace {

using Pair = std::pair<Block, Block>;

/// The vertices of the border of every pair, by definition.
std::map<Pair, std::set<Vertex>> borders_of(Graph const& graph, std::vector<Block> const& block) {
  auto const view = view_of(graph);
  std::map<Pair, std::set<Vertex>> borders;
  for (Vertex v = 0; v < view.num_vertices; ++v)
    for (Edge e = view.begin(v); e < view.end(v); ++e)
      if (Block const a = block[at(v)], b = block[at(view.heads[e])]; a != b)
        borders[{std::min(a, b), std::max(a, b)}].insert(v);
  return borders;
}

/// Every vertex of a grid alone in its block, in one scope without overload.
Problem lone_vertices(Graph graph) {
  Problem problem;
  auto const n = graph.num_vertices();
  problem.graph = std::move(graph);
  problem.per_scope = n;
  for (Block b = 0; b < n; ++b) problem.block.push_back(b);
  problem.capacity.assign(at(n), 1);
  problem.share.assign(at(n), 1);
  return problem;
}

/// A pair and who is on its border, as a search says.
struct FoundPair {
  Pair blocks;
  std::set<Vertex> vertices;
  std::size_t entries = 0;
  Weight changed = 0;

  bool operator==(FoundPair const&) const = default;
};

/// The searches for borders: by passes of a machine, and what suits it.
enum class Search { in_passes, as_suits };
constexpr Search searches[] = {Search::in_passes, Search::as_suits};

/// A flow refinement of a problem before its first round.
class BorderCase {
 public:
  explicit BorderCase(Problem const& problem, int threads = 2)
      : backend_(threads),
        stage_(backend_, problem, CutCase{problem.num_blocks()}),
        run_((stage_.start(),
              begin_flow(backend_.ex, stage_.problem(), stage_.scratch, stage_.state.block, FlowConfig{}, 1))) {}

  std::vector<FoundPair> find(Search by) {
    auto* const scratch = stage_.scratch.active.data();
    auto const border =
        by == Search::in_passes ? find_borders(backend_.ex, run_, scratch) : search_borders(backend_.ex, run_, scratch);
    auto const entries = backend_.get(border.entries);
    std::vector<FoundPair> found;
    for (auto const& pair : border.pairs) {
      found.push_back({{pair.a, pair.b}, {}, at(pair.last - pair.first), pair.changed});
      for (Edge i = pair.first; i < pair.last; ++i) found.back().vertices.insert(entries[at(i)].id);
    }
    return found;
  }
  /// What a search says of the largest block.
  BandNeeds largest_block() { return find_borders(backend_.ex, run_, stage_.scratch.active.data()).largest_block; }
  /// Says that something has changed, by chance.
  void change_some(std::uint64_t seed) {
    for (auto* flags : {&run_.changed_block, &run_.changed_scope, &run_.changed_vertex}) {
      std::vector<std::uint8_t> some;
      for (std::size_t i = 0; i < flags->size(); ++i)
        some.push_back(random_below(2, seed, flags->size(), i) == 0 ? 1 : 0);
      backend_.ex.upload(some.data(), static_cast<Edge>(some.size()), flags->data());
    }
  }

 private:
  Backend backend_;
  Stage<CutCase> stage_;
  FlowRun<Backend::Exec> run_;
};

TEST(Border, HasEveryVertexOncePerPairThatItSeparates) {
  for (auto const& problem : {lone_vertices(grid2d(9, 8)), lone_vertices(star(30)), lone_vertices(grid2d(47, 45)),
                              lone_vertices(no_edges(5))})
    for (auto const by : searches) {
      std::vector<FoundPair> expected;
      for (auto const& [blocks, vertices] : borders_of(problem.graph, problem.block))
        expected.push_back({blocks, vertices, vertices.size(), static_cast<Weight>(vertices.size())});

      EXPECT_EQ(BorderCase(problem).find(by), expected) << "at first everything has changed";
    }
}

TEST(Border, IsSearchedOnlyWhereSomethingChanged) {
  for (auto const by : searches) {
    BorderCase a_case(lone_vertices(grid2d(9, 8)));

    a_case.find(by);

    EXPECT_TRUE(a_case.find(by).empty());
  }
}

TEST(Border, IsTheSameByEverySearch) {
  for (auto const seed : each_seed(4)) {
    auto const problem = random_problem({grid2d(60, 50), star(300), grid2d(47, 45)}, 7, 1000, seed);
    for (int const threads : Backend::thread_counts()) {
      BorderCase one(problem), other(problem, threads);
      for (std::uint64_t round = 0; round < 4; ++round) {
        EXPECT_EQ(other.find(Search::as_suits), one.find(Search::in_passes)) << "round " << round;
        one.change_some(hash(seed, round));
        other.change_some(hash(seed, round));
      }
    }
  }
}

TEST(Border, ComesWithTheMostVerticesAndArcsOfABlock) {
  if (Backend::Exec::has_small_teams) GTEST_SKIP() << "nobody asks where memory is made as it is needed";
  for (auto const seed : each_seed(3)) {
    auto const problem = random_problem({grid2d(40, 30), star(300)}, 5, 1000, seed);
    std::vector<Edge> vertices(at(problem.num_blocks())), arcs(at(problem.num_blocks()));
    for (Vertex v = 0; v < problem.graph.num_vertices(); ++v) {
      ++vertices[at(problem.block[at(v)])];
      arcs[at(problem.block[at(v)])] += view_of(problem.graph).degree(v);
    }
    auto const largest = BorderCase(problem).largest_block();
    EXPECT_EQ(largest.vertices, *std::ranges::max_element(vertices));
    EXPECT_EQ(largest.arcs, *std::ranges::max_element(arcs));
  }
}

}  // namespace
}  // namespace procmap::test
