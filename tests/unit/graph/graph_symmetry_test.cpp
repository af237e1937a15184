// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "graph/check.hpp"
#include "procmap/graph.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

std::string symmetry_error_of(Csr const& csr, int threads = 0) {
  return message_of<GraphError>([&] { csr.graph(threads); });
}

// The definition: the tail of the first arc, in array order, that is not what its reverse arcs are.
std::optional<Vertex> first_asymmetric_row(Csr const& csr) {
  std::map<std::pair<Vertex, Vertex>, std::pair<int, Weight>> arcs;
  auto const for_each_arc = [&](auto f) {
    for (Vertex v = 0; v < csr.num_vertices(); ++v)
      for (auto e = csr.offsets[static_cast<std::size_t>(v)]; e < csr.offsets[static_cast<std::size_t>(v) + 1]; ++e)
        f(v, static_cast<std::size_t>(e));
  };
  for_each_arc([&](Vertex v, std::size_t e) {
    auto& [count, weight] = arcs[{v, csr.heads[e]}];
    ++count;
    weight += csr.arc_weights.empty() ? 1 : csr.arc_weights[e];
  });
  std::optional<Vertex> found;
  for_each_arc([&](Vertex v, std::size_t e) {
    auto const reverse = arcs.find({csr.heads[e], v});
    bool const matches = reverse != arcs.end() && reverse->second.second == arcs[{v, csr.heads[e]}].second;
    if (!found && !matches) found = v;
  });
  return found;
}

// Changes one random entry and says which.
std::string corrupt(Csr& csr, std::uint64_t seed) {
  auto const num_arcs = static_cast<Edge>(csr.heads.size());
  auto const e = static_cast<std::size_t>(random_below(num_arcs, seed, 1));
  auto const row = std::ranges::upper_bound(csr.offsets, static_cast<Edge>(e)) - csr.offsets.begin() - 1;
  switch (random_below(4, seed, 2)) {
    case 0:
      csr.heads[e] =
          static_cast<Vertex>((csr.heads[e] + 1 + random_below(csr.num_vertices() - 1, seed, 3)) % csr.num_vertices());
      return "head";
    case 1:
      csr.arc_weights[e] += 1 + random_below(5, seed, 3);
      return "weight";
    case 2:
      csr.heads.erase(csr.heads.begin() + static_cast<Edge>(e));
      csr.arc_weights.erase(csr.arc_weights.begin() + static_cast<Edge>(e));
      for (auto i = static_cast<std::size_t>(row) + 1; i < csr.offsets.size(); ++i) --csr.offsets[i];
      return "removed arc";
    default: {
      auto const other = static_cast<std::size_t>(random_below(num_arcs, seed, 3));
      std::swap(csr.heads[e], csr.heads[other]);
      return "swapped heads";
    }
  }
}

TEST(GraphSymmetry, AMissingReverseArcIsNamed) {
  EXPECT_EQ(symmetry_error_of({{0, 1, 1}, {1}, {}, {}}), "arc 0->1 (heads[0]) has no reverse arc 1->0");
}

TEST(GraphSymmetry, TheFirstOfManyMissingReverseArcsIsNamed) {
  auto const grid = to_csr(grid2d(20, 20));
  Csr upper;  // only the arcs to larger vertices
  for (std::size_t v = 0; v < 400; ++v) {
    for (auto e = static_cast<std::size_t>(grid.offsets[v]); e < static_cast<std::size_t>(grid.offsets[v + 1]); ++e)
      if (grid.heads[e] > static_cast<Vertex>(v)) upper.heads.push_back(grid.heads[e]);
    upper.offsets.push_back(static_cast<Edge>(upper.heads.size()));
  }

  EXPECT_EQ(symmetry_error_of(upper), "arc 0->1 (heads[0]) has no reverse arc 1->0");
}

TEST(GraphSymmetry, UnequalWeightsAreNamed) {
  auto csr = to_csr(grid2d(20, 20));
  csr.arc_weights.assign(1520, 1);
  for (std::size_t v = 0; v < 400; ++v)
    for (auto e = static_cast<std::size_t>(csr.offsets[v]); e < static_cast<std::size_t>(csr.offsets[v + 1]); ++e)
      if (csr.heads[e] > static_cast<Vertex>(v)) csr.arc_weights[e] = 5;

  EXPECT_EQ(symmetry_error_of(csr), "arc 0->1 (heads[0]) weighs 5, but its reverse arc 1->0 (heads[2]) weighs 1");
}

TEST(GraphSymmetry, PositionsAreThoseOfTheArraysAsGiven) {
  // Vertex 0 has a self-loop and lists 2, 1, 1; vertex 2 does not list 0.
  EXPECT_EQ(symmetry_error_of({{0, 4, 6, 6}, {0, 2, 1, 1, 0, 0}, {}, {}}),
            "arc 0->2 (heads[1]) has no reverse arc 2->0");
}

TEST(GraphSymmetry, HeavySelfLoopsDoNotDisturbTheSearch) {
  constexpr auto heavy = std::numeric_limits<Weight>::max();
  EXPECT_EQ(symmetry_error_of({{0, 3, 3}, {0, 0, 1}, {heavy, heavy, 1}, {}}),
            "arc 0->1 (heads[2]) has no reverse arc 1->0");
}

TEST(GraphSymmetry, ReversedDirectedCycleIsNotItsOwnReverse) {
  // In- and out-degrees agree everywhere, and so do all sums of ids.
  EXPECT_EQ(symmetry_error_of({{0, 1, 2, 3}, {1, 2, 0}, {}, {}}), "arc 0->1 (heads[0]) has no reverse arc 1->0");
}

TEST(GraphSymmetry, AnyOneCorruptionIsRejectedAndItsRowNamed) {
  int rejected = 0;
  for (auto const seed : each_seed(1000)) {
    auto const n = static_cast<Vertex>(4 + random_below(40, seed, 10));
    auto csr = to_csr(with_weights(random_graph(n, 0.3, seed), seed, 3, 3));
    if (csr.heads.empty()) continue;
    auto const what = corrupt(csr, seed);
    auto const row = first_asymmetric_row(csr);

    auto const message = symmetry_error_of(csr, 1 + static_cast<int>(seed % 3));

    // A swap of equal heads, or of heads inside a row with equal weights, leaves a good graph.
    auto const expected = row ? "arc " + std::to_string(*row) + "->" : "[no exception]";
    ASSERT_EQ(message.substr(0, expected.size()), expected) << what << ", seed " << seed << ": " << message;
    ASSERT_TRUE(row || what == "swapped heads") << what;
    rejected += row.has_value();
  }
  EXPECT_GT(rejected, static_cast<int>(worthwhile_seeds(900)));
}

TEST(GraphSymmetry, HashIsZeroExactlyForSymmetricGraphs) {
  for (auto const seed : each_seed(1000)) {
    auto csr = to_csr(with_weights(random_graph(12, 0.5, seed), seed, 3, 100));
    auto const clean = csr.arrays();
    EXPECT_TRUE(check_rows(view_of(clean), 1).symmetric());

    // Two corruptions must not cancel.
    auto const e = static_cast<std::size_t>(random_below(static_cast<Edge>(csr.heads.size()), seed, 1));
    auto const f = static_cast<std::size_t>(random_below(static_cast<Edge>(csr.heads.size()), seed, 2));
    if (e == f) continue;
    ++csr.arc_weights[e];
    --csr.arc_weights[f];
    auto const spoilt = csr.arrays();
    EXPECT_EQ(check_rows(view_of(spoilt), 1).symmetric(), !first_asymmetric_row(csr));
  }
}

// Large enough for many chunks: 40000 vertices, about 300000 arcs.
TEST(GraphThreads, ManyThreadsGiveTheResultOfOne) {
  auto csr = to_csr(with_weights(random_geometric(40000, 3), 3, 10, 10));
  for (std::size_t v = 0; v < 40000; v += 7)  // unsorted rows, and a self-loop and a repeat here and there
    std::reverse(csr.heads.begin() + csr.offsets[v], csr.heads.begin() + csr.offsets[v + 1]);
  csr.arc_weights.clear();
  auto const one = csr.graph(1), many = csr.graph(8);

  EXPECT_TRUE(std::ranges::equal(one.heads(), many.heads()));
  EXPECT_EQ(one.total_arc_weight(), many.total_arc_weight());
  EXPECT_EQ(one.total_vertex_weight(), many.total_vertex_weight());
  EXPECT_EQ(one.max_degree(), many.max_degree());
}

TEST(GraphThreads, TheFirstCulpritIsTheSameForAnyNumberOfThreads) {
  auto const clean = to_csr(with_weights(random_geometric(40000, 3), 3, 10, 10));
  auto range = clean, weight = clean, missing = clean, vertex = clean, offset = clean;
  for (auto const e : {123456u, 200000u, 250000u}) {
    range.heads[e] = 40000;
    weight.arc_weights[e] = -5;
    missing.heads[e] = missing.heads[e] == 0 ? 1 : 0;
  }
  for (auto const v : {30000u, 39999u}) vertex.vertex_weights[v] = -1, offset.offsets[v] = 0;

  for (auto const* csr : {&range, &weight, &missing, &vertex, &offset}) {
    auto const one = symmetry_error_of(*csr, 1);
    EXPECT_NE(one, "[no exception]");
    for (int const threads : {2, 3, 8, 0}) EXPECT_EQ(symmetry_error_of(*csr, threads), one);
  }
  EXPECT_NE(symmetry_error_of(range, 8).find("heads[123456] = 40000"), std::string::npos);
  EXPECT_NE(symmetry_error_of(weight, 8).find("arc_weights[123456] = -5"), std::string::npos);
}

TEST(GraphThreads, RepeatsAreMergedTheSameWayByAnyNumberOfThreads) {
  auto const clean = to_csr(random_geometric(20000, 5));
  Csr doubled;
  for (std::size_t v = 0; v < 20000; ++v) {
    for (int copy = 0; copy < 2; ++copy)
      doubled.heads.insert(doubled.heads.end(), clean.heads.begin() + clean.offsets[v],
                           clean.heads.begin() + clean.offsets[v + 1]);
    doubled.heads.push_back(static_cast<Vertex>(v));
    doubled.offsets.push_back(static_cast<Edge>(doubled.heads.size()));
  }

  for (int const threads : {1, 2, 8}) {
    auto const graph = doubled.graph(threads);
    EXPECT_TRUE(std::ranges::equal(graph.heads(), clean.heads));
    EXPECT_EQ(graph.total_arc_weight(), 2 * graph.num_arcs());
  }
}

TEST(GraphThreads, AnAbsurdNumberOfThreadsIsHarmless) {
  EXPECT_EQ(to_csr(random_geometric(40000, 3)).graph(1000000).num_vertices(), 40000);
}

}  // namespace
}  // namespace procmap::test
