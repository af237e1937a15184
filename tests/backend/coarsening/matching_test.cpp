// SPDX-License-Identifier: MIT
#include "coarsening/matching.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "support/backend.hpp"
#include "support/clusters.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t matching_seeds[] = {1, 2, 3, 4, 5};
constexpr Weight no_weight_limit = std::numeric_limits<Weight>::max() / 4;

std::vector<Vertex> match_on(Backend& backend, Csr const& csr, Weight max_weight, std::vector<Block> const& scope,
                             CoarseningConfig const& config, std::uint64_t seed) {
  auto const graph = backend.put(csr);
  auto const device_scope = backend.put(scope);
  auto leader = backend.make<Vertex>(at(csr.num_vertices()));
  match(backend.ex, graph.view(), PairLimits{max_weight, device_scope.data()}, config, seed, leader.data());
  return backend.get(leader);
}

std::vector<Vertex> match_all(Csr const& csr, Weight max_weight = no_weight_limit, CoarseningConfig const& config = {},
                              std::uint64_t seed = 1) {
  Backend backend;
  return match_on(backend, csr, max_weight, {}, config, seed);
}

/// Two-hop matching always or never, whatever share is unmatched.
CoarseningConfig two_hop_above(double share) {
  CoarseningConfig config;
  config.two_hop_above = share;
  return config;
}

Weight heaviest(Csr const& csr) {
  Weight weight = 0;
  for (Vertex v = 0; v < csr.num_vertices(); ++v) weight = std::max(weight, vertex_weight(csr, v));
  return weight;
}

TEST(Matching, PairsNearVerticesWithinLimitAndScope) {
  for (auto const seed : each_seed(matching_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (Block const num_scopes : {1, 4})
        for (double const share : {0.0, 0.25, 1.0})
          for (Weight const limit : {Weight{1}, Weight{2}, Weight{0}}) {
            auto const csr = to_csr(graph);
            auto const max_weight = limit == 0 ? no_weight_limit : limit * heaviest(csr);
            SCOPED_TRACE(shape + ", seed " + std::to_string(seed) + ", " + std::to_string(num_scopes) +
                         " scopes, two-hop above " + std::to_string(share) + ", limit " + std::to_string(max_weight));
            // Scopes share no arcs when the library matches.
            auto const scope = scopes_for(csr, num_scopes);
            auto const inside = scope.empty() ? csr : without_cross_arcs(csr, scope);
            Backend backend;

            auto const leader = match_on(backend, inside, max_weight, scope, two_hop_above(share), seed);

            expect_valid_clusters(inside, leader, max_weight, scope);
            expect_near_pairs(inside, leader);
          }
}

TEST(Matching, IsTheSameOnAnyNumberOfThreads) {
  for (auto const seed : {1, 2})
    for (auto const& [shape, graph] : large_shapes(static_cast<std::uint64_t>(seed))) {
      auto const csr = to_csr(graph);
      std::vector<Vertex> first;
      for (int const threads : Backend::thread_counts()) {
        Backend backend(threads);

        auto const leader = match_on(backend, csr, 3, {}, {}, static_cast<std::uint64_t>(seed));

        if (first.empty()) first = leader;
        EXPECT_EQ(leader, first) << shape << ", seed " << seed << ", " << threads << " threads";
      }
      expect_valid_clusters(csr, first, 3, {});
    }
}

TEST(Matching, DependsOnTheSeedAlone) {
  auto const csr = to_csr(grid2d(30, 30));

  EXPECT_EQ(match_all(csr, no_weight_limit, {}, 1), match_all(csr, no_weight_limit, {}, 1));
  EXPECT_NE(match_all(csr, no_weight_limit, {}, 1), match_all(csr, no_weight_limit, {}, 2));
}

TEST(Matching, LeavesFewVerticesOfAMeshAlone) {
  for (auto const seed : each_seed(matching_seeds))
    for (auto const& [shape, graph] : {Shape{"grid2d", grid2d(60, 50)},
                                       {"grid3d", grid3d(15, 14, 13)},
                                       {"geometric", random_geometric(3000, seed)},
                                       {"weighted", with_weights(random_geometric(3000, seed), seed, 1, 100)}}) {
      auto const n = graph.num_vertices();

      auto const pairs = n - num_clusters(match_all(to_csr(graph), no_weight_limit, two_hop_above(1), seed));

      EXPECT_GE(2 * pairs, n * 0.8) << shape;
    }
}

TEST(Matching, TakesTheHeavyEdgesOfAPath) {
  auto csr = csr_from_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  csr.arc_weights = {9, 9, 1, 1, 9, 9, 1, 1, 9, 9};  // 0=1-2=3-4=5

  EXPECT_EQ(match_all(csr), (std::vector<Vertex>{0, 0, 2, 2, 4, 4}));
}

TEST(Matching, PrefersLightVerticesAmongEqualEdges) {
  auto csr = csr_from_edges(3, {{0, 1}, {1, 2}});
  csr.vertex_weights = {5, 1, 2};

  EXPECT_EQ(match_all(csr, no_weight_limit, two_hop_above(1)), (std::vector<Vertex>{0, 1, 1}));
}

TEST(Matching, PairsTheLeavesOfAStar) {
  for (auto const seed : each_seed(matching_seeds))
    for (Vertex const n : {3, 4, 101, 20'000}) {
      auto const leader = match_all(to_csr(star(n)), no_weight_limit, {}, seed);

      EXPECT_EQ(num_clusters(leader), (n + 1) / 2) << n << " vertices, seed ";
    }
}

// In the graphs below hubs weigh 10, as much as is allowed, so that only vertices of weight 1 can be paired, and those
// are not adjacent.
Csr with_hubs(Vertex n, std::vector<Vertex> const& hubs, EdgeList const& edges) {
  auto csr = csr_from_edges(n, edges);
  csr.vertex_weights.assign(at(n), 1);
  for (auto const hub : hubs) csr.vertex_weights[at(hub)] = 10;
  return csr;
}

TEST(TwoHop, PairsLeavesOfTheSameVertex) {
  // Leaves of hub 0 and of hub 1, and one leaf too many.
  auto const csr = with_hubs(7, {0, 1}, {{0, 2}, {1, 3}, {0, 4}, {1, 5}, {0, 6}, {0, 1}});
  auto config = two_hop_above(0);
  config.max_matchmaker_degree = 0;

  EXPECT_EQ(match_all(csr, 10, config), (std::vector<Vertex>{0, 1, 2, 3, 2, 3, 6}));
  EXPECT_EQ(match_all(csr, 10, two_hop_above(1)), (std::vector<Vertex>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(match_all(csr, 1, config), (std::vector<Vertex>{0, 1, 2, 3, 4, 5, 6})) << "too heavy together";
}

TEST(TwoHop, PairsTwinsWithTheSameNeighbours) {
  // 3 and 5 see hubs 0, 1; 4 and 6 see hubs 1, 2; 7 sees hubs 0, 2 and stays alone.
  auto const csr =
      with_hubs(8, {0, 1, 2}, {{0, 3}, {1, 3}, {1, 4}, {2, 4}, {0, 5}, {1, 5}, {1, 6}, {2, 6}, {0, 7}, {2, 7}});
  auto config = two_hop_above(0);
  config.max_matchmaker_degree = 0;  // no relatives

  for (auto const seed : each_seed(matching_seeds))
    EXPECT_EQ(match_all(csr, 10, config, seed), (std::vector<Vertex>{0, 1, 2, 3, 4, 3, 4, 7}));
}

TEST(TwoHop, PairsIsolatedVerticesOfTheSameScope) {
  auto const csr = csr_from_edges(6, {});
  std::vector<Block> const scope{0, 0, 0, 1, 1, 1};
  Backend backend;

  auto const leader = match_on(backend, csr, 10, scope, {}, 1);

  EXPECT_EQ(leader, (std::vector<Vertex>{0, 0, 2, 3, 3, 5}));
}

TEST(TwoHop, PairsRelativesWithTheSameFavouriteNeighbour) {
  // A ring of hubs 0..3 and light vertices 4..7: no two light ones see the same hubs. 4 and 5 like hub 1 best, 6 and 7
  // like hub 3 best.
  auto csr = with_hubs(8, {0, 1, 2, 3}, {{0, 4}, {4, 1}, {1, 5}, {5, 2}, {2, 6}, {6, 3}, {3, 7}, {7, 0}});
  for (Vertex u = 0; u < 8; ++u)
    for (auto e = csr.offsets[at(u)]; e < csr.offsets[at(u) + 1]; ++e) {
      auto const hub = std::min(u, csr.heads[at(e)]);
      csr.arc_weights.push_back(hub % 2 == 1 ? 5 : 1);
    }
  auto const config = two_hop_above(0);
  auto narrow = config;
  narrow.max_matchmaker_degree = 1;

  for (auto const seed : each_seed(matching_seeds)) {
    EXPECT_EQ(match_all(csr, 10, config, seed), (std::vector<Vertex>{0, 1, 2, 3, 4, 4, 6, 6}));
    EXPECT_EQ(num_clusters(match_all(csr, 10, narrow, seed)), 8) << "hubs have degree 2, seed ";
  }
}

/// Runs where its passes run.
struct PairByKey {
  CsrView graph;
  PairLimits limits;
  KeyedId* list;
  Edge count;
  Vertex* leader;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    pair_equal_keys(ex, graph, limits, list, count, leader);
  }
};

TEST(PairEqualKeys, PairsEveryRunInOrderWithinLimitAndScope) {
  Backend backend;
  auto csr = csr_from_edges(10, {});
  csr.vertex_weights = {1, 1, 1, 1, 1, 1, 9, 2, 1, 1};
  auto const graph = backend.put(csr);
  auto const scope = backend.put(std::vector<Block>{0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  // Run 3: 0+2, then 5 alone. Run 7: 1 and 4 are of different scopes. Run 8: 6 and 7 are too heavy. Run 9: 3+8, 9
  // alone.
  auto list =
      backend.put(std::vector<KeyedId>{{9, 9}, {3, 5}, {8, 7}, {9, 3}, {7, 4}, {3, 0}, {9, 8}, {7, 1}, {8, 6}, {3, 2}});
  auto leader = backend.put(std::vector<Vertex>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});

  backend.ex.resident({10, two_hop_bytes<decltype(backend.ex)>(10)},
                      PairByKey{graph.view(), PairLimits{10, scope.data()}, list.data(), 10, leader.data()});

  EXPECT_EQ(backend.get(leader), (std::vector<Vertex>{0, 1, 0, 3, 4, 5, 6, 7, 3, 9}));
}

TEST(TwoHop, RunsOnlyWhileTooManyVerticesAreAlone) {
  // 100 of 150 vertices are matched directly; the 50 others are isolated.
  EdgeList edges;
  for (Vertex v = 0; v < 100; v += 2) edges.emplace_back(v, v + 1);
  auto const csr = csr_from_edges(150, edges);

  EXPECT_EQ(num_clusters(match_all(csr, no_weight_limit, two_hop_above(0.33))), 75);
  EXPECT_EQ(num_clusters(match_all(csr, no_weight_limit, two_hop_above(0.34))), 100);
}

}  // namespace
}  // namespace procmap::test
