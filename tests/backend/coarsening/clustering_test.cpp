// SPDX-License-Identifier: MIT
#include "coarsening/clustering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/clusters.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t clustering_seeds[] = {1, 2, 3, 4, 5};
constexpr Weight no_limit = std::numeric_limits<Weight>::max() / 4;

std::vector<Vertex> cluster_on(Backend& backend, Csr const& csr, Weight max_weight, std::vector<Block> const& scope,
                               CoarseningConfig const& config, std::uint64_t seed, CoarseningGoal const& goal = {}) {
  auto const graph = backend.put(csr);
  auto const device_scope = backend.put(scope);
  auto leader = backend.make<Vertex>(at(csr.num_vertices()));
  cluster(backend.ex, graph.view(), PairLimits{max_weight, device_scope.data()}, config, seed, leader.data(), goal);
  return backend.get(leader);
}

std::vector<Vertex> cluster_all(Csr const& csr, Weight max_weight = no_limit, CoarseningConfig const& config = {},
                                std::uint64_t seed = 1) {
  Backend backend;
  return cluster_on(backend, csr, max_weight, {}, config, seed);
}

CoarseningConfig shrink_by(double factor) {
  CoarseningConfig config;
  config.shrink_factor = factor;
  return config;
}

TEST(Clustering, KeepsLimitAndScope) {
  for (auto const seed : each_seed(clustering_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (Block const num_scopes : {1, 4})
        for (double const factor : {2.5, 20.0})
          for (Weight const averages : {1, 2, 5, 1000}) {
            auto const csr = to_csr(graph);
            auto const max_weight = 1 + averages * graph.total_vertex_weight() / std::max(1, csr.num_vertices());
            SCOPED_TRACE(shape + ", seed " + std::to_string(seed) + ", " + std::to_string(num_scopes) +
                         " scopes, factor " + std::to_string(factor) + ", limit " + std::to_string(max_weight));
            auto const scope = scopes_for(csr, num_scopes);
            auto const inside = scope.empty() ? csr : without_cross_arcs(csr, scope);
            Backend backend;

            auto const leader = cluster_on(backend, inside, max_weight, scope, shrink_by(factor), seed);

            expect_valid_clusters(inside, leader, max_weight, scope);
          }
}

TEST(Clustering, IsTheSameOnAnyNumberOfThreads) {
  for (auto const seed : {1, 2})
    for (auto const& [shape, graph] : large_shapes(static_cast<std::uint64_t>(seed)))
      for (Weight const limit : {Weight{5}, no_limit}) {
        auto const csr = to_csr(graph);
        std::vector<Vertex> first;
        for (int const threads : Backend::thread_counts()) {
          Backend backend(threads);

          auto const leader = cluster_on(backend, csr, limit, {}, {}, static_cast<std::uint64_t>(seed));

          if (first.empty()) first = leader;
          EXPECT_EQ(leader, first) << shape << ", seed " << seed << ", limit " << limit << ", " << threads
                                   << " threads";
        }
        expect_valid_clusters(csr, first, limit, {});
      }
}

constexpr CoarseningGoal along_heavy_arcs{.skew = {.of_arcs = true}};
constexpr CoarseningGoal of_uneven_weights{.skew = {.of_vertices = true}};

TEST(Clustering, KeepsTheLimitWhereWeightsAreUneven) {
  for (auto const seed : each_seed(clustering_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (auto const& goal : {along_heavy_arcs, of_uneven_weights}) {
        auto const csr = to_csr(graph);
        auto const max_weight = 1 + 5 * graph.total_vertex_weight() / std::max(1, csr.num_vertices());
        std::vector<Vertex> first;
        for (int const threads : Backend::thread_counts()) {
          Backend backend(threads);

          auto const leader = cluster_on(backend, csr, max_weight, {}, {}, seed, goal);

          if (first.empty()) first = leader;
          EXPECT_EQ(leader, first) << shape << ", seed " << seed << ", " << threads << " threads";
        }
        expect_valid_clusters(csr, first, max_weight, {});
      }
}

Weight traffic_between(Csr const& csr, std::vector<Vertex> const& leader) {
  Weight sum = 0;
  for (Vertex v = 0; v < csr.num_vertices(); ++v)
    for (Edge e = csr.offsets[at(v)]; e < csr.offsets[at(v) + 1]; ++e)
      if (leader[at(v)] != leader[at(csr.heads[at(e)])]) sum += csr.arc_weights[at(e)];
  return sum;
}

/// Traffic of 1, 10, 100, 1000 and 10000.
Csr with_powers_of_ten(Graph const& graph, std::uint64_t seed) {
  auto csr = to_csr(with_weights(graph, seed, 1, 5));
  for (auto& weight : csr.arc_weights)
    for (Weight power = std::exchange(weight, 1); power > 1; --power) weight *= 10;
  return csr;
}

TEST(Clustering, GrowsAlongHeavyArcsIfAsked) {
  for (auto const seed : each_seed(clustering_seeds)) {
    auto const csr = with_powers_of_ten(power_law(4000, seed), seed);
    Backend backend;

    auto const usual = cluster_on(backend, csr, no_limit, {}, shrink_by(2), seed);
    auto const heavy_first = cluster_on(backend, csr, no_limit, {}, shrink_by(2), seed, along_heavy_arcs);

    EXPECT_LE(num_clusters(heavy_first), num_clusters(usual) * 1.1);
    EXPECT_LE(traffic_between(csr, heavy_first), 0.9 * static_cast<double>(traffic_between(csr, usual)));
  }
}

// Every tenth vertex weighs as much as 64 others. The others would merge in its place.
TEST(Clustering, KeepsClustersOfLightVerticesSmallIfAsked) {
  for (auto const seed : each_seed(clustering_seeds)) {
    auto csr = to_csr(grid2d(60, 60));
    for (std::uint64_t v = 0; v < 3600; ++v) csr.vertex_weights.push_back(random_below(10, seed, v) == 0 ? 64 : 1);
    auto const largest = [&](CoarseningGoal const& goal) {
      Backend backend;
      std::vector<int> size(3600, 0);
      for (Vertex const v : cluster_on(backend, csr, 1000, {}, shrink_by(5), seed, goal)) ++size[at(v)];
      return std::ranges::max(size);
    };

    EXPECT_LT(largest(of_uneven_weights), largest({}));
  }
}

TEST(Clustering, OfManyIsolatedVerticesMergesTheOthersNoMoreThanAsked) {
  auto csr = to_csr(grid2d(30, 30));
  for (int i = 0; i < 2000; ++i) csr.offsets.push_back(csr.offsets.back());

  auto const leader = cluster_all(csr, 50);

  int clusters = 0, pairs = 0;
  for (Vertex v = 0; v < 900; ++v) clusters += leader[at(v)] == v;
  for (Vertex v = 900; v < csr.num_vertices(); ++v) pairs += leader[at(v)] == v;
  EXPECT_GE(clusters, 900 * 10 / 25);
  EXPECT_EQ(pairs, 1000);
}

TEST(Clustering, DependsOnTheSeedAlone) {
  auto const csr = to_csr(grid2d(30, 30));

  EXPECT_EQ(cluster_all(csr, no_limit, {}, 1), cluster_all(csr, no_limit, {}, 1));
  EXPECT_NE(cluster_all(csr, no_limit, {}, 1), cluster_all(csr, no_limit, {}, 2));
}

TEST(Clustering, ShrinksMeshesByTheWantedFactor) {
  for (auto const seed : each_seed(clustering_seeds))
    for (double const factor : {1.5, 2.0, 2.5})
      for (auto const& [shape, graph] : {Shape{"grid2d", grid2d(60, 50)},
                                         {"grid3d", grid3d(15, 14, 13)},
                                         {"geometric", random_geometric(3000, seed)},
                                         {"weighted", with_weights(random_geometric(3000, seed), seed, 3, 100)}}) {
        auto const leader = cluster_all(to_csr(graph), no_limit, shrink_by(factor), seed);

        auto const reached = static_cast<double>(graph.num_vertices()) / num_clusters(leader);
        EXPECT_GE(reached, factor * 0.9) << shape << ", factor " << factor;
        EXPECT_LE(reached, factor * 1.1) << shape << ", factor " << factor;
      }
}

// Clusters do not join clusters, so what label propagation can reach is limited: about 2.4 on grids.
TEST(Clustering, NeverShrinksFurtherThanWanted) {
  for (auto const seed : each_seed(clustering_seeds))
    for (double const factor : {4.0, 10.0}) {
      auto const leader = cluster_all(to_csr(grid2d(60, 50)), no_limit, shrink_by(factor), seed);

      EXPECT_GE(num_clusters(leader), 3000 / factor * 0.95) << "factor " << factor;
      EXPECT_LE(num_clusters(leader), 3000 / 2.2) << "factor " << factor;
    }
}

TEST(Clustering, JoinsTheHeavyEnds) {
  auto csr = csr_from_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  csr.arc_weights = {9, 9, 1, 1, 9, 9, 1, 1, 9, 9};  // 0=1-2=3-4=5
  auto config = shrink_by(2);
  config.shrink_tolerance = 0;

  for (auto const seed : each_seed(clustering_seeds)) {
    auto const leader = cluster_all(csr, 2, config, seed);
    EXPECT_EQ(num_clusters(leader), 3);
    for (std::size_t v = 0; v < 6; v += 2) EXPECT_EQ(leader[v], leader[v + 1]) << "vertex " << v;
  }
}

TEST(Clustering, FillsAContestedClusterUpToTheLimitAndNoFurther) {
  for (auto const seed : each_seed(clustering_seeds))
    for (Weight const limit : {2, 10, 50}) {
      auto const csr = to_csr(star(1000));
      auto config = shrink_by(1000);
      config.two_hop_above = 1;  // leaves may join the centre only

      auto const leader = cluster_all(csr, limit, config, seed);

      expect_valid_clusters(csr, leader, limit, {});
      EXPECT_EQ(cluster_sizes(leader)[at(leader[0])], limit);
    }
}

TEST(Clustering, LeavesVerticesAboveTheLimitAlone) {
  for (auto const seed : each_seed(clustering_seeds)) {
    auto csr = to_csr(grid2d(20, 20));
    for (Vertex v = 0; v < 400; ++v) csr.vertex_weights.push_back(v % 3 == 0 ? 7 : 1);

    auto const leader = cluster_all(csr, 6, {}, seed);

    auto const size = cluster_sizes(leader);
    for (Vertex v = 0; v < 400; v += 3) ASSERT_EQ(size[at(leader[at(v)])], 1) << "vertex " << v;
    EXPECT_LT(num_clusters(leader), 350) << "the light ones still find each other, seed ";
  }
}

TEST(Clustering, HubsDoNotStopIt) {
  for (auto const seed : each_seed(clustering_seeds))
    for (Weight const limit : {Weight{2}, Weight{5}, no_limit}) {
      auto const leader = cluster_all(to_csr(star(20'001)), limit, {}, seed);

      EXPECT_LE(num_clusters(leader), 15'000) << "limit " << limit;
    }
}

TEST(Clustering, NeitherDoVerticesWithoutEdges) {
  for (auto const seed : each_seed(clustering_seeds)) {
    EXPECT_LE(num_clusters(cluster_all(to_csr(no_edges(20'000)), 2, {}, seed)), 15'000);

    auto half = to_csr(grid2d(50, 50));  // and as many isolated vertices
    half.offsets.resize(2 * half.offsets.size(), half.offsets.back());
    EXPECT_LE(num_clusters(cluster_all(half, 10, {}, seed)), half.num_vertices() * 3 / 4);
  }
}

TEST(Clustering, NeitherDoTwinsAndRelativesOfFullHubs) {
  for (auto const seed : each_seed(clustering_seeds)) {
    EdgeList edges;  // light vertices between hubs that weigh the limit
    for (Vertex v = 10; v < 2000; ++v) {
      edges.emplace_back(static_cast<Vertex>(random_below(10, seed, static_cast<std::uint64_t>(v), 0)), v);
      edges.emplace_back(static_cast<Vertex>(random_below(10, seed, static_cast<std::uint64_t>(v), 1)), v);
    }
    auto csr = csr_from_edges(2000, edges);
    csr.vertex_weights.assign(2000, 1);
    for (std::size_t hub = 0; hub < 10; ++hub) csr.vertex_weights[hub] = 8;

    auto const leader = cluster_all(csr, 8, {}, seed);

    EXPECT_LE(num_clusters(leader), 1500);
    expect_valid_clusters(csr, leader, 8, {});
  }
}

TEST(Clustering, OfWeightlessVerticesIsNotOneCluster) {
  for (auto const seed : each_seed(clustering_seeds)) {
    auto const csr = to_csr(with_all_zero_weights(grid2d(40, 40)));

    auto const leader = cluster_all(csr, 1, {}, seed);

    EXPECT_GE(num_clusters(leader), 1600 / 2.5 * 0.9);
  }
}

}  // namespace
}  // namespace procmap::test
