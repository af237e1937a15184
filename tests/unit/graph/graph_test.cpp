// SPDX-License-Identifier: MIT
#include "procmap/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "procmap/error.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

constexpr Weight limit = Weight{1} << 62;
constexpr Weight max_weight = std::numeric_limits<Weight>::max();

// 20 x 20 grid: 400 vertices, 1520 arcs, unit weights spelt out.
Csr grid_csr() {
  auto csr = to_csr(grid2d(20, 20));
  csr.arc_weights.assign(csr.heads.size(), 1);
  csr.vertex_weights.assign(400, 1);
  return csr;
}

std::string error_of(Csr const& csr, int threads = 0) {
  return message_of<GraphError>([&] { csr.graph(threads); });
}

template <class T>
std::vector<T> to_vector(std::span<T const> span) {
  return {span.begin(), span.end()};
}

TEST(Graph, DefaultHasNoVerticesAndOneOffset) {
  Graph const graph;

  EXPECT_EQ(graph.num_vertices(), 0);
  EXPECT_EQ(graph.num_arcs(), 0);
  EXPECT_EQ(to_vector(graph.offsets()), std::vector<Edge>{0});
}

TEST(Graph, ReportsItsTotals) {
  auto const graph = Csr{{0, 1, 3, 4, 4}, {1, 0, 2, 1}, {5, 5, 7, 7}, {1, 2, 3, 40}}.graph();

  EXPECT_EQ(graph.num_vertices(), 4);
  EXPECT_EQ(graph.num_edges(), 2);
  EXPECT_EQ(graph.total_vertex_weight(), 46);
  EXPECT_EQ(graph.max_vertex_weight(), 40);
  EXPECT_EQ(graph.total_arc_weight(), 24);
  EXPECT_EQ(graph.max_degree(), 2);
}

TEST(Graph, UnitWeightsNeedNoArrays) {
  auto const graph = grid2d(20, 20);

  EXPECT_TRUE(graph.arc_weights().empty());
  EXPECT_TRUE(graph.vertex_weights().empty());
  EXPECT_EQ(graph.total_vertex_weight(), 400);
  EXPECT_EQ(graph.max_vertex_weight(), 1);
  EXPECT_EQ(graph.total_arc_weight(), 1520);
}

TEST(Graph, KeepsCleanArraysWithoutACopy) {
  auto const csr = grid_csr();
  auto const arrays = csr.arrays();

  auto const graph = Graph::from_csr(arrays);

  EXPECT_EQ(graph.heads().data(), arrays.heads.data());
  EXPECT_EQ(graph.arc_weights().data(), arrays.arc_weights.data());
}

TEST(Graph, KeepsABorrowedArrayAlive) {
  auto owner = std::make_shared<std::vector<Vertex>>(std::vector<Vertex>{1, 0});
  std::weak_ptr<void> const watch = owner;

  {
    SharedArray<Vertex> heads(std::span<Vertex const>(*owner), owner);
    owner.reset();
    auto const graph = Graph::from_csr({std::vector<Edge>{0, 1, 2}, std::move(heads), {}, {}});
    EXPECT_FALSE(watch.expired());
  }

  EXPECT_TRUE(watch.expired());
}

TEST(Graph, AcceptsExtremeButLegalInput) {
  auto zero_edges = grid_csr(), zero_vertices = grid_csr(), big = grid_csr(), heavy = grid_csr();
  zero_edges.arc_weights.assign(1520, 0);
  zero_vertices.vertex_weights.assign(400, 0);
  big.arc_weights.assign(1520, (Weight{1} << 33) + 3);
  big.vertex_weights.assign(400, Weight{1} << 24);
  heavy.vertex_weights[0] = 10000;

  EXPECT_EQ(zero_edges.graph().total_arc_weight(), 0);
  EXPECT_EQ(zero_vertices.graph().total_vertex_weight(), 0);
  EXPECT_EQ(zero_vertices.graph().max_vertex_weight(), 0);
  EXPECT_EQ(big.graph().total_arc_weight(), 1520 * ((Weight{1} << 33) + 3));
  EXPECT_EQ(big.graph().total_vertex_weight(), 400 * (Weight{1} << 24));
  EXPECT_EQ(heavy.graph().max_vertex_weight(), 10000);
  EXPECT_EQ(Csr{}.graph().num_vertices(), 0);
  EXPECT_EQ(no_edges(400).num_arcs(), 0);
  EXPECT_EQ(single_vertex().num_vertices(), 1);
  EXPECT_EQ(disconnected(2).num_vertices(), 55);
  EXPECT_EQ(grid2d(100, 100).num_edges(), 19800);
}

TEST(GraphShape, MissingOffsetsAreRejected) {
  EXPECT_EQ(message_of<GraphError>([] { Graph::from_csr({}); }),
            "offsets is empty, expected one entry more than there are vertices");
}

TEST(GraphShape, OffsetsMustBeginWithZero) {
  EXPECT_EQ(error_of({{2, 2}, {}, {}, {}}), "offsets[0] = 2, expected 0");
  EXPECT_EQ(error_of({{-1, 0}, {}, {}, {}}), "offsets[0] = -1, expected 0");
}

TEST(GraphShape, DecreasingOffsetsAreNamed) {
  auto csr = grid_csr();
  std::swap(csr.offsets[5], csr.offsets[6]);
  auto const expected = "offsets[6] = " + std::to_string(csr.offsets[6]) +
                        " is smaller than offsets[5] = " + std::to_string(csr.offsets[5]);

  EXPECT_EQ(error_of(csr), expected);
}

TEST(GraphShape, LastOffsetMustBeTheNumberOfArcs) {
  auto big = grid_csr(), huge = grid_csr(), small = grid_csr();
  big.offsets.back() += 100000;
  huge.offsets.back() = std::numeric_limits<Edge>::max();
  small.heads.push_back(0);
  small.arc_weights.push_back(0);

  EXPECT_EQ(error_of(big), "offsets[400] = 101520, but heads has 1520 entries");
  EXPECT_EQ(error_of(huge), "offsets[400] = 9223372036854775807, but heads has 1520 entries");
  EXPECT_EQ(error_of(small), "offsets[400] = 1520, but heads has 1521 entries");
}

TEST(GraphShape, WeightsMustHaveTheRightLength) {
  auto arcs = grid_csr(), vertices = grid_csr();
  arcs.arc_weights.resize(10);
  vertices.vertex_weights.resize(10);

  EXPECT_EQ(error_of(arcs), "arc_weights has 10 entries, expected 1520");
  EXPECT_EQ(error_of(vertices), "vertex_weights has 10 entries, expected 400");
}

TEST(GraphValues, HeadsOutOfRangeAreNamed) {
  for (Vertex const head : {400, 1400, std::numeric_limits<Vertex>::max() - 1, -1}) {
    auto csr = grid_csr();
    csr.heads[10] = head;

    EXPECT_EQ(error_of(csr),
              "arc 3->" + std::to_string(head) + ": heads[10] = " + std::to_string(head) + " is not in [0, 400)");
  }
}

TEST(GraphValues, NegativeWeightsAreNamed) {
  auto arcs = grid_csr(), vertices = grid_csr(), all_arcs = grid_csr(), half = grid_csr();
  arcs.arc_weights[10] = -3;
  vertices.vertex_weights[17] = std::numeric_limits<Weight>::min();
  all_arcs.arc_weights.assign(1520, -1);
  for (std::size_t v = 0; v < 200; ++v) half.vertex_weights[v] = -1;

  EXPECT_EQ(error_of(arcs), "arc 3->" + std::to_string(arcs.heads[10]) + ": arc_weights[10] = -3 is negative");
  EXPECT_EQ(error_of(vertices), "vertex_weights[17] = -9223372036854775808 is negative");
  EXPECT_EQ(error_of(all_arcs), "arc 0->1: arc_weights[0] = -1 is negative");
  EXPECT_EQ(error_of(half), "vertex_weights[0] = -1 is negative");
}

TEST(GraphValues, TotalsStayBelowTwoToThe62) {
  EXPECT_EQ((Csr{{0, 0, 0}, {}, {}, {limit - 2, 1}}).graph().total_vertex_weight(), limit - 1);
  EXPECT_EQ(error_of({{0, 0, 0}, {}, {}, {limit - 1, 1}}),
            "vertex_weights add up to 2^62 or more at vertex_weights[1]");
  EXPECT_EQ(error_of({{0, 0, 0, 0}, {}, {}, {max_weight, max_weight, max_weight}}),
            "vertex_weights add up to 2^62 or more at vertex_weights[0]");
  EXPECT_EQ((Csr{{0, 1, 2}, {1, 0}, {limit / 2 - 1, limit / 2 - 1}, {}}).graph().total_arc_weight(), limit - 2);
  EXPECT_EQ(error_of({{0, 1, 2}, {1, 0}, {limit / 2, limit / 2}, {}}),
            "arc_weights add up to 2^62 or more at arc_weights[1]");
}

TEST(GraphValues, TotalsThatWrapAroundAreStillFound) {
  auto csr = grid_csr();
  csr.arc_weights.assign(1520, max_weight);
  csr.vertex_weights.assign(400, max_weight);
  EXPECT_EQ(error_of(csr), "vertex_weights add up to 2^62 or more at vertex_weights[0]");

  csr.vertex_weights.clear();
  EXPECT_EQ(error_of(csr), "arc_weights add up to 2^62 or more at arc_weights[0]");
}

TEST(GraphRepeats, SelfLoopsAreDroppedAndUnitWeightsStayUnit) {
  auto const graph = Csr{{0, 2, 5, 6}, {0, 1, 0, 1, 2, 1}, {}, {}}.graph();

  EXPECT_EQ(to_vector(graph.offsets()), (std::vector<Edge>{0, 1, 3, 4}));
  EXPECT_EQ(to_vector(graph.heads()), (std::vector<Vertex>{1, 0, 2, 1}));
  EXPECT_TRUE(graph.arc_weights().empty());
  EXPECT_EQ(graph.total_arc_weight(), 4);
}

TEST(GraphRepeats, WeightsOfSelfLoopsDoNotCount) {
  auto const graph = Csr{{0, 3, 4}, {0, 1, 0, 0}, {max_weight, 7, max_weight, 7}, {}}.graph();

  EXPECT_EQ(to_vector(graph.heads()), (std::vector<Vertex>{1, 0}));
  EXPECT_EQ(to_vector(graph.arc_weights()), (std::vector<Weight>{7, 7}));
  EXPECT_EQ(graph.total_arc_weight(), 14);
}

TEST(GraphRepeats, ASelfLoopIsAllAVertexHas) {
  auto const graph = Csr{{0, 1}, {0}, {5}, {3}}.graph();

  EXPECT_EQ(graph.num_arcs(), 0);
  EXPECT_EQ(graph.max_degree(), 0);
  EXPECT_EQ(graph.total_vertex_weight(), 3);
}

TEST(GraphRepeats, ParallelUnitArcsBecomeAWeight) {
  auto const graph = Csr{{0, 2, 5, 6}, {1, 1, 0, 2, 0, 1}, {}, {}}.graph();

  EXPECT_EQ(to_vector(graph.heads()), (std::vector<Vertex>{1, 0, 2, 1}));
  EXPECT_EQ(to_vector(graph.arc_weights()), (std::vector<Weight>{2, 2, 1, 1}));
}

TEST(GraphRepeats, ParallelWeightedArcsAddUpEvenIfSplitDifferently) {
  auto const graph = Csr{{0, 2, 4}, {1, 1, 0, 0}, {1, 6, 3, 4}, {}}.graph();

  EXPECT_EQ(to_vector(graph.arc_weights()), (std::vector<Weight>{7, 7}));
}

TEST(GraphRepeats, UnequalNumbersOfParallelArcsAreRejected) {
  EXPECT_EQ(error_of({{0, 2, 3}, {1, 1, 0}, {}, {}}),
            "arc 0->1 (heads[0]) weighs 2, but its reverse arc 1->0 (heads[2]) weighs 1");
}

TEST(GraphRepeats, GridWithLoopsAndRepeatsEqualsTheGrid) {
  auto const grid = grid2d(20, 20);
  Csr csr;
  for (std::size_t v = 0; v < 400; ++v) {
    csr.heads.push_back(static_cast<Vertex>(v));
    for (auto e = grid.offsets()[v]; e < grid.offsets()[v + 1]; ++e)
      csr.heads.insert(csr.heads.end(), 2, grid.heads()[static_cast<std::size_t>(e)]);
    csr.offsets.push_back(static_cast<Edge>(csr.heads.size()));
  }

  auto const graph = csr.graph();

  EXPECT_EQ(to_vector(graph.offsets()), to_vector(grid.offsets()));
  EXPECT_EQ(to_vector(graph.heads()), to_vector(grid.heads()));
  EXPECT_EQ(to_vector(graph.arc_weights()), std::vector<Weight>(1520, 2));
}

TEST(GraphRepeats, UnsortedRowsAreLegalAndKept) {
  auto csr = grid_csr();
  for (std::size_t v = 0; v < 400; ++v)
    std::reverse(csr.heads.begin() + csr.offsets[v], csr.heads.begin() + csr.offsets[v + 1]);

  EXPECT_EQ(to_vector(csr.graph().heads()), csr.heads);
}

TEST(GraphRepeats, RepeatsAreFoundInUnsortedRows) {
  auto const graph = Csr{{0, 4, 5, 6, 7}, {3, 1, 2, 1, 0, 0, 0}, {1, 2, 1, 3, 5, 1, 1}, {}}.graph();

  EXPECT_EQ(to_vector(graph.heads()), (std::vector<Vertex>{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(to_vector(graph.arc_weights()), (std::vector<Weight>{5, 1, 1, 5, 1, 1}));
}

TEST(SupportGraphs, HaveTheirKnownSizes) {
  EXPECT_EQ(star(200).max_degree(), 199);
  EXPECT_EQ(complete(20).num_edges(), 190);
  EXPECT_EQ(cycle(101).num_edges(), 101);
  EXPECT_EQ(grid3d(7, 6, 5).num_edges(), 6 * 6 * 5 + 7 * 5 * 5 + 7 * 6 * 4);
  EXPECT_EQ(caterpillar(203).num_edges(), 202);
  auto const geometric = random_geometric(10000, 1);
  EXPECT_NEAR(static_cast<double>(geometric.num_arcs()) / 10000, 8, 1);
  EXPECT_GT(rmat(10, 8000, 1).max_degree(), 100);
}

// A change here changes every seeded test of the project.
TEST(SupportGraphs, AreTheSameOnEveryMachine) {
  std::uint64_t sum = 0;
  for (auto const& [name, graph] : all_shapes(1)) {
    for (auto const head : graph.heads()) sum = hash(sum, static_cast<std::uint64_t>(head));
    for (auto const weight : graph.arc_weights()) sum = hash(sum, static_cast<std::uint64_t>(weight));
    for (auto const weight : graph.vertex_weights()) sum = hash(sum, static_cast<std::uint64_t>(weight));
  }

  EXPECT_EQ(sum, 18067468411908944251u);
}

}  // namespace
}  // namespace procmap::test
