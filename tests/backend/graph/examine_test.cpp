// SPDX-License-Identifier: MIT
#include "graph/examine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/backend.hpp"

// The check of a graph where it lies agrees with the check on the host, whatever machine runs it.

namespace procmap::test {
namespace {

GraphFacts examine_on_machine(Csr const& csr) {
  Backend backend;
  auto const graph = backend.put(csr);
  return examine(backend.ex, graph.view());
}

bool is_clean(Csr const& csr) { return examine_on_machine(csr).clean; }

void expect_facts_of(Graph const& graph, std::string const& where) {
  auto const facts = examine_on_machine(to_csr(graph));

  EXPECT_TRUE(facts.clean) << where;
  EXPECT_EQ(facts.total_vertex_weight, graph.total_vertex_weight()) << where;
  EXPECT_EQ(facts.max_vertex_weight, graph.max_vertex_weight()) << where;
  EXPECT_EQ(facts.total_arc_weight, graph.total_arc_weight()) << where;
  EXPECT_EQ(facts.max_degree, graph.max_degree()) << where;
}

TEST(Examine, FindsTheFactsOfCorrectGraphs) {
  for (auto const seed : each_seed(5, 1))
    for (auto const& [name, graph] : all_shapes(seed)) expect_facts_of(graph, name + ", seed " + std::to_string(seed));
  expect_facts_of(star(100000), "hub");
  expect_facts_of(with_weights(random_graph(300, 0.1, 1), 1, 1000, Weight{1} << 40), "heavy");
}

TEST(Examine, OrderOfARowDoesNotMatter) {
  auto csr = to_csr(random_geometric(500, 1));
  for (Vertex v = 0; v < csr.num_vertices(); ++v)
    std::reverse(csr.heads.begin() + csr.offsets[static_cast<std::size_t>(v)],
                 csr.heads.begin() + csr.offsets[static_cast<std::size_t>(v) + 1]);

  EXPECT_TRUE(is_clean(csr));
}

// One entry of a correct graph is changed; the path 0 - 1 - ... - 4999 has the arcs 1->0 and 1->2 at 1 and 2.
class Defect : public ::testing::Test {
 protected:
  Csr csr = to_csr(with_weights(path(5000), 1, 10, 10));
};

TEST_F(Defect, IsFoundInOffsets) {
  for (Edge const value : {Edge{-1}, Edge{4}, Edge{1} << 40}) {
    auto bad = csr;
    bad.offsets[1] = value;
    EXPECT_FALSE(is_clean(bad)) << value;
  }
  csr.offsets[0] = 1;
  EXPECT_FALSE(is_clean(csr));
}

TEST_F(Defect, IsFoundInHeads) {
  for (Vertex const value : {-1, 5000, 1 /* self-loop */, 2 /* parallel */, 3 /* one-way */}) {
    auto bad = csr;
    bad.heads[1] = value;
    EXPECT_FALSE(is_clean(bad)) << value;
  }
}

TEST_F(Defect, IsFoundInParallelArcsOfBothDirections) {
  Csr const twice{{0, 3, 6}, {1, 1, 1, 0, 0, 0}, {}, {}};

  EXPECT_FALSE(is_clean(twice));
}

TEST_F(Defect, IsFoundInWeights) {
  auto unequal = csr, negative = csr, heavy = csr;
  ++unequal.arc_weights[7];
  negative.vertex_weights[4999] = -1;
  heavy.vertex_weights[0] = heavy.vertex_weights[1] = Weight{1} << 61;

  EXPECT_FALSE(is_clean(unequal));
  EXPECT_FALSE(is_clean(negative));
  EXPECT_FALSE(is_clean(heavy));
}

TEST_F(Defect, IsFoundInTheTotalOfArcWeights) {
  for (auto& weight : csr.arc_weights) weight = Weight{1} << 50;
  EXPECT_FALSE(is_clean(csr));

  for (auto& weight : csr.arc_weights) weight = Weight{1} << 48;
  EXPECT_TRUE(is_clean(csr));
}

}  // namespace
}  // namespace procmap::test
