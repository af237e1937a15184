// SPDX-License-Identifier: MIT
#include "refinement/flow/border.hpp"

#include <gtest/gtest.h>

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

struct Found {
  std::map<Pair, std::set<Vertex>> borders;
  std::size_t entries = 0;
  std::size_t pairs_again = 0;  // of a second search
};

Found find_in(Problem const& problem) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  stage.start();
  auto run = begin_flow(backend.ex, stage.problem(), stage.scratch, stage.state.block, FlowConfig{}, 1);
  auto const border = find_borders(backend.ex, run, stage.scratch.active.data());
  auto const entries = backend.get(border.entries);
  Found found;
  for (auto const& pair : border.pairs) {
    EXPECT_EQ(pair.changed, pair.last - pair.first) << "at first everything has changed";
    for (Edge i = pair.first; i < pair.last; ++i) found.borders[{pair.a, pair.b}].insert(entries[at(i)].id);
    found.entries += at(pair.last - pair.first);
  }
  found.pairs_again = find_borders(backend.ex, run, stage.scratch.active.data()).pairs.size();
  return found;
}

TEST(Border, HasEveryVertexOncePerPairThatItSeparates) {
  for (auto const& problem : {lone_vertices(grid2d(9, 8)), lone_vertices(star(30)), lone_vertices(grid2d(47, 45)),
                              lone_vertices(no_edges(5))}) {
    auto const found = find_in(problem);

    auto const expected = borders_of(problem.graph, problem.block);
    EXPECT_EQ(found.borders, expected);
    std::size_t entries = 0;
    for (auto const& [pair, vertices] : expected) entries += vertices.size();
    EXPECT_EQ(found.entries, entries);
  }
}

TEST(Border, IsSearchedOnlyWhereSomethingChanged) {
  auto const found = find_in(lone_vertices(grid2d(9, 8)));

  EXPECT_EQ(found.pairs_again, 0u);
}

}  // namespace
}  // namespace procmap::test
