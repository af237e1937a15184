// SPDX-License-Identifier: MIT
#include "coarsening/cluster_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "coarsening/coarsen.hpp"
#include "support/backend.hpp"
#include "support/clusters.hpp"

namespace procmap::test {
namespace {

using History = ClusterHistory<Backend::Exec>;
constexpr std::uint64_t seeds[] = {1, 2, 3};

/// Coarse vertices are numbered by their leaders, which need not be the same again: renamed in the order of their first
/// members.
std::vector<Vertex> renamed(std::vector<Vertex> place) {
  std::map<Vertex, Vertex> name;
  for (auto& p : place) p = name.try_emplace(p, static_cast<Vertex>(name.size())).first->second;
  return place;
}

/// For every level the coarse vertex that holds each vertex of the finest graph.
std::vector<std::vector<Vertex>> places_on(Backend& backend, std::vector<Level<Backend::Exec>> const& levels,
                                           std::vector<Vertex> place) {
  std::vector<std::vector<Vertex>> places;
  for (auto const& level : levels) {
    auto const coarse_of = backend.get(level.coarse_of);
    for (auto& p : place) p = coarse_of[at(p)];
    places.push_back(place);
  }
  return places;
}

std::vector<std::vector<Vertex>> renamed(std::vector<std::vector<Vertex>> places) {
  for (auto& place : places) place = renamed(std::move(place));
  return places;
}

std::vector<Vertex> identity(Csr const& csr) {
  std::vector<Vertex> place(at(csr.num_vertices()));
  std::iota(place.begin(), place.end(), 0);
  return place;
}

/// Places of a coarsening of all of `csr`, to a tenth of the weight each and 10 vertices.
std::vector<std::vector<Vertex>> coarsen_on(Backend& backend, Csr const& csr, std::vector<Block> const& scope,
                                            Weight max_weight, std::uint64_t seed, History* history) {
  auto const graph = backend.put(csr);
  auto const device_scope = backend.put(scope);
  CoarseningGoal const goal{10, max_weight};
  auto const levels = coarsen(backend.ex, graph.view(), {device_scope.data()}, {goal, {}, seed}, history);
  return renamed(places_on(backend, levels, identity(csr)));
}

Weight tenth(Csr const& csr) {
  Weight total = 0;
  for (Vertex v = 0; v < csr.num_vertices(); ++v) total += vertex_weight(csr, v);
  return 1 + total / 10;
}

TEST(ClusterHistory, IsRepeatedAsItWas) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [shape, graph] : all_shapes(seed)) {
      auto const csr = to_csr(graph);
      Backend backend;
      History history;
      auto const recorded = coarsen_on(backend, csr, {}, tenth(csr), seed, &history);
      for (int time = 0; time < 2; ++time) {
        history.rewind();
        auto repeated = coarsen_on(backend, csr, {}, tenth(csr), seed + 100, &history);
        ASSERT_GE(repeated.size(), recorded.size()) << shape;
        repeated.resize(recorded.size());  // where the record ends, another seed may find one more level
        EXPECT_EQ(repeated, recorded) << shape;
      }
    }
}

// Two vertices are merged exactly if they were and may be.
TEST(ClusterHistory, SplitsClustersWhereScopesEnd) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [shape, graph] : all_shapes(seed)) {
      auto const csr = to_csr(graph);
      auto const scope = scopes_for(csr, 5);
      Backend backend;
      History history;
      auto const recorded = coarsen_on(backend, csr, {}, tenth(csr), seed, &history);
      history.rewind();

      auto const split = coarsen_on(backend, without_cross_arcs(csr, scope), scope, tenth(csr), seed, &history);

      for (std::size_t level = 0; level < std::min(recorded.size(), split.size()); ++level) {
        std::map<std::pair<Vertex, Block>, Vertex> part;
        std::map<Vertex, std::pair<Vertex, Block>> whole;
        for (std::size_t v = 0; v < scope.size(); ++v) {
          std::pair const was{recorded[level][v], scope[v]};
          auto const now = split[level][v];
          ASSERT_EQ(part.try_emplace(was, now).first->second, now) << shape << ", level " << level << ", vertex " << v;
          ASSERT_EQ(whole.try_emplace(now, was).first->second, was) << shape << ", level " << level << ", vertex " << v;
        }
      }
    }
}

TEST(ClusterHistory, EndsWhereClustersAreTooHeavyAndCoarseningGoesOn) {
  for (auto const seed : each_seed(seeds)) {
    auto const csr = to_csr(grid2d(40, 40));
    Backend backend;
    History history;
    auto const recorded = coarsen_on(backend, csr, {}, 160, seed, &history);
    history.rewind();

    auto const light = coarsen_on(backend, csr, {}, 40, seed + 100, &history);

    ASSERT_GE(light.size(), 2u);
    EXPECT_EQ(light[0], recorded[0]) << "2 or 3 vertices each";
    std::vector<Weight> weight(1600, 0);
    for (auto const c : light.back()) ++weight[at(c)];
    for (auto const w : weight) EXPECT_LE(w, 40);
    EXPECT_LT(std::ranges::count_if(weight, [](Weight w) { return w > 0; }), 200) << "ends too early";
  }
}

TEST(ClusterHistory, OfTwoCoarseningsOneAfterTheOtherIsThatOfOne) {
  auto const csr = to_csr(random_geometric(3000, 4));
  CoarseningConfig const config;
  Backend backend;
  History history;
  auto const graph = backend.put(csr);
  auto const fine = coarsen(backend.ex, graph.view(), {}, {{600, 300}, config, 1}, &history);
  auto const coarse = coarsen(backend.ex, fine.back().graph.view(), {}, {{50, 300}, config, 2}, &history);
  auto expected = places_on(backend, fine, identity(csr));
  auto const rest = places_on(backend, coarse, expected.back());
  expected.insert(expected.end(), rest.begin(), rest.end());

  history.rewind();
  auto const levels = coarsen(backend.ex, graph.view(), {}, {{50, 300}, config, 3}, &history);

  EXPECT_EQ(renamed(places_on(backend, levels, identity(csr))), renamed(expected));
}

TEST(ClusterHistory, KeepsFixedVerticesOfDifferentPesApart) {
  for (auto const seed : each_seed(seeds)) {
    auto const csr = to_csr(random_geometric(1000, seed));
    std::vector<Block> fixed(1000, no_block);
    for (std::size_t v = 0; v < fixed.size(); v += 3) fixed[v] = static_cast<Block>(v % 4);
    Backend backend;
    History history;
    coarsen_on(backend, csr, {}, 100, seed, &history);
    history.rewind();
    auto const graph = backend.put(csr);
    auto const device_fixed = backend.put(fixed);

    auto const levels =
        coarsen(backend.ex, graph.view(), {nullptr, device_fixed.data()}, {{10, 100}, {}, seed}, &history);

    ASSERT_FALSE(levels.empty());
    auto const places = places_on(backend, levels, identity(csr));
    for (std::size_t level = 0; level < levels.size(); ++level) {
      auto const coarse = backend.get(levels[level].fixed);
      for (std::size_t v = 0; v < fixed.size(); ++v)
        ASSERT_EQ(coarse[at(places[level][v])], fixed[v]) << "vertex " << v;
    }
  }
}

TEST(ClusterHistory, IsSplitTheSameWayOnAnyNumberOfThreads) {
  auto const csr = to_csr(random_geometric(20000, 2));
  auto const scope = scopes_for(csr, 7);
  auto const inside = without_cross_arcs(csr, scope);
  std::vector<std::vector<Vertex>> expected;
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    History history;
    coarsen_on(backend, csr, {}, tenth(csr), 1, &history);
    history.rewind();
    auto const places = coarsen_on(backend, inside, scope, tenth(csr), 1, &history);
    if (expected.empty()) expected = places;
    EXPECT_EQ(places, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace procmap::test
