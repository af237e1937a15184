// SPDX-License-Identifier: MIT
#include "initial/clustered_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "initial/cluster_vertices.hpp"
#include "initial/recursive_bisection.hpp"
#include "support/bisection.hpp"

namespace procmap::test {
namespace {

using initial::Bisection;

constexpr std::uint64_t num_cluster_seeds = 6;

template <class Visit>
void for_each_trial(Visit visit) {
  for (auto const seed : each_seed(num_cluster_seeds))
    for (auto const& [name, graph] : all_shapes(seed))
      for (bool const pins : {false, true}) {
        SCOPED_TRACE(name + (pins ? ", with pins" : ""));
        BisectionTrial trial(graph, seed);
        if (pins) pin_every_seventh(trial.work);
        visit(trial);
      }
}

TEST(ClusterVertices, JoinsWhatMayBeTogetherUntilFewAreLeft) {
  for_each_trial([](BisectionTrial const& trial) {
    auto const& graph = trial.work.graph;
    auto const n = graph.num_vertices;
    Vertex const wanted = n / 3;
    Weight const max_weight = trial.work.total_weight / 8;

    auto const clusters = cluster_vertices(trial.work, wanted, max_weight);

    ASSERT_EQ(clusters.of.size(), static_cast<std::size_t>(n));
    EXPECT_GE(clusters.count, std::min(n, wanted));
    std::vector<std::vector<Vertex>> members(static_cast<std::size_t>(clusters.count));
    for (Vertex v = 0; v < n; ++v) members.at(static_cast<std::size_t>(clusters.of[v])).push_back(v);
    for (auto const& together : members) {
      ASSERT_FALSE(together.empty());
      Weight weight = 0;
      for (Vertex const v : together) {
        weight += graph.vertex_weights[v];
        if (!trial.work.pinned.empty()) {
          EXPECT_EQ(trial.work.pinned[v], trial.work.pinned[together[0]]);
        }
      }
      if (together.size() > 1) {
        EXPECT_LE(weight, max_weight);
      }
    }
  });
}

TEST(ClusterVertices, PrefersHeavyEdges) {
  // A path of twenty pairs, whose vertices are joined by edges of weight 100.
  Csr csr = csr_from_edges(40, [] {
    EdgeList edges;
    for (Vertex v = 0; v + 1 < 40; ++v) edges.push_back({v, v + 1});
    return edges;
  }());
  for (Vertex v = 0; v < 40; ++v)
    for (Edge e = csr.offsets[v]; e < csr.offsets[v + 1]; ++e)
      csr.arc_weights.push_back(csr.heads[e] / 2 == v / 2 ? 100 : 1);
  initial::Level level;
  level.append(view_of(csr));
  for (auto const seed : each_seed(num_cluster_seeds)) {
    Bisection work(40);
    work.load(level.slice(0, 40));
    work.set_ties(seed);

    auto const clusters = cluster_vertices(work, 20, 4);

    EXPECT_EQ(clusters.count, 20);
    for (Vertex v = 0; v < 40; v += 2) EXPECT_EQ(clusters.of[v], clusters.of[v + 1]) << "seed " << seed;
  }
}

TEST(AppendClusters, AddsUpWhatIsBetweenThem) {
  for_each_trial([](BisectionTrial const& trial) {
    auto const& fine = trial.work.graph;
    auto const clusters = cluster_vertices(trial.work, 3, trial.work.total_weight);
    initial::Level level;

    level.append_clusters(fine, clusters.of, clusters.count);

    std::map<std::pair<Vertex, Vertex>, Weight> expected, found;
    std::vector<Weight> weight(static_cast<std::size_t>(clusters.count), 0);
    for (Vertex v = 0; v < fine.num_vertices; ++v) {
      weight[static_cast<std::size_t>(clusters.of[v])] += fine.vertex_weights[v];
      for (auto const arc : fine.arcs(v))
        if (clusters.of[v] != clusters.of[arc.head]) expected[{clusters.of[v], clusters.of[arc.head]}] += arc.weight;
    }
    auto const coarse = level.slice(0, clusters.count);
    std::size_t num_arcs = 0;
    for (Vertex c = 0; c < clusters.count; ++c) {
      EXPECT_EQ(coarse.vertex_weights[c], weight[static_cast<std::size_t>(c)]);
      num_arcs += coarse.arcs(c).size();
      for (auto const arc : coarse.arcs(c)) found[{c, arc.head}] = arc.weight;
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(num_arcs, expected.size()) << "one arc for two clusters";
  });
}

TEST(ClusteredStart, LeavesSidesThatAddUp) {
  int made = 0;
  for_each_trial([&made](BisectionTrial& trial) {
    auto& work = trial.work;
    auto const half = work.total_weight / 2, most = work.total_weight - half + work.total_weight / 20;

    if (!start_from_clusters(work, {half, {most, most}}, {})) return;

    ++made;
    for (Vertex v = 0; v < work.graph.num_vertices; ++v) {
      ASSERT_LE(work.side[v], 1);
      if (!work.pinned.empty() && work.pinned[v] != Bisection::free) {
        EXPECT_EQ(work.side[v], work.pinned[v]);
      }
    }
    EXPECT_EQ(work.weight, weights_of_sides(work));
    EXPECT_EQ(work.cut, cut_of(view_of(trial.csr), work.side));
  });
  EXPECT_GT(made, 0);
}

/// Cuts of `parts` parts with and without starts from clusters, summed over seeds.
std::pair<Weight, Weight> cuts_with_and_without(Graph const& graph, std::size_t parts) {
  auto const view = view_of(graph);
  auto const n = static_cast<std::size_t>(view.num_vertices);
  std::vector<Weight> const capacity(parts, static_cast<Weight>(n / parts + n / parts / 20 + 1));
  std::array<Weight, 2> cut{};
  for (auto const seed : each_seed(num_cluster_seeds))
    for (int const clustered : {0, 1}) {
      InitialConfig config;
      config.clustered_starts = clustered;
      std::vector<Block> block(n);
      recursive_bisection(view, capacity, config, seed, block);
      cut[static_cast<std::size_t>(clustered)] += cut_of(view, block);
    }
  return {cut[1], cut[0]};
}

TEST(ClusteredStart, IsThereWhereThereAreClusters) {
  for (auto const& graph : {grid2d(12, 12), path(24), with_weights(random_geometric(300, 1), 1, 10, 100)}) {
    BisectionTrial trial(graph, 1);
    auto const most = trial.work.total_weight * 6 / 10;
    EXPECT_TRUE(start_from_clusters(trial.work, {trial.work.total_weight / 2, {most, most}}, {}));
  }
}

// A start from clusters that is not made must not overwrite the best one so far.
TEST(ClusteredStart, LeavesOthersAloneWhereThereAreFewVertices) {
  for (auto const seed : each_seed(40)) {
    auto const graph = with_weights(random_geometric(16, seed), seed, 3, 50);
    auto const parts = [&](int clustered) {
      InitialConfig config;
      config.starts = 3;
      config.clustered_starts = clustered;
      std::vector<Block> block(16);
      recursive_bisection(view_of(graph), std::vector<Weight>{20, 20}, config, seed, block);
      return block;
    };
    EXPECT_EQ(parts(1), parts(0));
  }
}

TEST(ClusteredStart, KeepsHeavyEdges) {
  auto csr = to_csr(grid2d(40, 40));
  for (Vertex v = 0; v < csr.num_vertices(); ++v)
    for (Edge e = csr.offsets[v]; e < csr.offsets[v + 1]; ++e) {
      auto const low = std::min(v, csr.heads[e]), high = std::max(v, csr.heads[e]);
      csr.arc_weights.push_back(Weight{1}
                                << random_below(17, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)));
    }

  auto const [with, without] = cuts_with_and_without(csr.graph(), 40);

  EXPECT_LT(with * 100, without * 80);
}

TEST(ClusteredStart, FindsBranchesOfATree) {
  EdgeList edges;
  for (Vertex v = 1; v < 2000; ++v) edges.push_back({(v - 1) / 2, v});

  auto const [with, without] = cuts_with_and_without(graph_from_edges(2000, edges), 50);

  EXPECT_LT(with * 100, without * 90);
}

}  // namespace
}  // namespace procmap::test
