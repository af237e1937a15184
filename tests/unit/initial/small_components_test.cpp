// SPDX-License-Identifier: MIT
#include "initial/small_components.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "support/cliques.hpp"
#include "support/reference.hpp"
#include "support/view.hpp"

namespace procmap::test {
namespace {

std::map<std::pair<Vertex, Vertex>, Weight> arcs_of(CsrView graph) {
  std::map<std::pair<Vertex, Vertex>, Weight> arcs;
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) arcs[{v, graph.heads[e]}] += graph.arc_weight(e);
  return arcs;
}

/// Components are whole, light enough and hold nobody who is fixed; all other vertices are there with their arcs.
void expect_valid(CsrView graph, SmallComponents const& small, Weight most, std::vector<Block> const& fixed) {
  auto const coarse = small.graph.view();
  std::vector<Weight> weight(at(coarse.num_vertices), 0);
  std::vector<int> members(at(coarse.num_vertices), 0);
  std::map<std::pair<Vertex, Vertex>, Weight> others;
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    Vertex const c = small.vertex_of[at(v)];
    ASSERT_TRUE(c >= 0 && c < coarse.num_vertices) << "vertex " << v;
    weight[at(c)] += graph.vertex_weight(v);
    ++members[at(c)];
    EXPECT_TRUE(!small.is_component(c) || fixed.empty() || fixed[at(v)] == no_block) << "vertex " << v;
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Vertex const head = small.vertex_of[at(graph.heads[e])];
      if (small.is_component(c)) {
        EXPECT_EQ(head, c) << "an arc leaves the component of vertex " << v;
      } else {
        others[{c, head}] += graph.arc_weight(e);
      }
    }
  }
  EXPECT_EQ(weight, small.graph.vertex_weights);
  EXPECT_EQ(others, arcs_of(coarse));
  for (Vertex c = 0; c < coarse.num_vertices; ++c) {
    EXPECT_TRUE(small.is_component(c) ? weight[at(c)] <= most : members[at(c)] == 1) << "vertex " << c;
  }
  Weight const in_small = std::accumulate(weight.begin(), weight.begin() + small.count, Weight{0});
  EXPECT_GE(2 * in_small, std::accumulate(weight.begin(), weight.end(), Weight{0}));
}

TEST(SmallComponents, AreWholeAndLightOnAnyGraph) {
  for (auto const seed : each_seed(3))
    for (auto const& [shape, graph] : all_shapes(seed)) {
      auto const view = view_of(graph);
      std::vector<Block> fixed(at(view.num_vertices), no_block);
      for (Vertex v = 0; v < view.num_vertices; v += 17) fixed[at(v)] = 0;
      for (Weight const most : {Weight{0}, Weight{1}, graph.total_weight(0) / 3, graph.total_weight(0)})
        for (auto const& some : {std::vector<Block>{}, fixed}) {
          auto const small = small_components(view, most, some);
          if (small) expect_valid(view, *small, most, some);
        }
    }
}

TEST(SmallComponents, AreFoundWhereTheyHaveHalfOfTheWeight) {
  auto const graph = cliques({3, 7, 2, 2});
  auto const view = view_of(graph);

  auto const small = small_components(view, 6, {});

  ASSERT_TRUE(small);
  EXPECT_EQ(small->count, 3);
  EXPECT_EQ(small->graph.vertex_weights, (std::vector<Weight>{3, 2, 2, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_FALSE(small_components(view, 2, {})) << "two and two of 14";
  EXPECT_TRUE(small_components(view, 7, {}));
}

TEST(SmallComponents, HoldNobodyWhoIsFixed) {
  auto const graph = cliques({3, 3, 3});
  std::vector<Block> fixed(9, no_block);
  fixed[4] = 1;

  auto const small = small_components(view_of(graph), 3, fixed);

  ASSERT_TRUE(small);
  EXPECT_EQ(small->count, 2);
  EXPECT_EQ(small->vertex_of, (std::vector<Vertex>{0, 0, 0, 2, 3, 4, 1, 1, 1}));
}

}  // namespace
}  // namespace procmap::test
