// SPDX-License-Identifier: MIT
#include "coarsening/contract_by_arcs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coarsening/coarsen.hpp"
#include "support/backend.hpp"
#include "support/contraction.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t arc_seeds[] = {1, 2};

/// The executor under test as one that loops over arcs, or that never does.
template <bool Waits>
struct WaitsForHubs : Backend::Exec {
  using Backend::Exec::Exec;
  static constexpr bool waits_for_hubs = Waits;
  static constexpr Edge slab_arcs() { return Edge{1} << 22; }
};

Csr contract_by_arcs_on(Backend& backend, Csr const& csr, Vertex num_coarse, std::vector<Vertex> const& coarse_of) {
  auto const graph = backend.put(csr);
  auto const tails = arc_tails(backend.ex, graph.view());
  auto const coarse =
      contract_by_arcs(backend.ex, graph.view(), tails.data(), num_coarse, backend.put(coarse_of).data());
  EXPECT_EQ(coarse.num_vertices, num_coarse);
  EXPECT_EQ(coarse.num_arcs, static_cast<Edge>(coarse.heads.size()));
  EXPECT_EQ(csr.arc_weights.empty() ? coarse.arc_weights.size() : coarse.narrow_arc_weights.size(), 0u);
  auto result = backend.get(coarse);
  EXPECT_EQ(coarse.max_degree, longest_row(result));
  return result;
}

void expect_contractions_by_arcs(Shape const& shape, std::uint64_t seed, int threads) {
  auto const csr = to_csr(shape.graph);
  Vertex const n = csr.num_vertices();
  for (Vertex const num_coarse : {0, 1, 3, n / 10, n / 2, n}) {
    if (num_coarse > n || (num_coarse == 0 && n > 0)) continue;
    SCOPED_TRACE(shape.name + " to " + std::to_string(num_coarse) + ", seed " + std::to_string(seed) + ", " +
                 std::to_string(threads) + " threads");
    Backend backend(threads);
    auto const coarse_of = random_contraction(n, num_coarse, seed);

    auto const coarse = contract_by_arcs_on(backend, csr, num_coarse, coarse_of);

    expect_contraction(csr, coarse, coarse_of);
  }
}

TEST(ContractionByArcs, RebuildsEveryRowFromTheFineGraph) {
  for (auto const seed : each_seed(arc_seeds))
    for (auto const& shape : all_shapes(seed)) expect_contractions_by_arcs(shape, seed, 2);
}

TEST(ContractionByArcs, RebuildsLargeGraphsAndHubsOnAnyNumberOfThreads) {
  for (int const threads : Backend::thread_counts()) {
    for (auto const& shape : large_shapes(1)) expect_contractions_by_arcs(shape, 1, threads);
    expect_contractions_by_arcs({"large_star", star(30'000)}, 1, threads);
  }
}

// Sums of unit weights fit into 32 bits, others need not.
TEST(ContractionByArcs, AddsUpWeightsOfAnySize) {
  auto csr = csr_from_edges(6, {{0, 3}, {0, 4}, {1, 3}, {1, 5}, {2, 4}, {0, 1}});
  csr.arc_weights.assign(csr.heads.size(), (Weight{1} << 40) + 1);
  std::vector<Vertex> const coarse_of{0, 0, 0, 1, 1, 1};
  Backend backend;

  auto const coarse = contract_by_arcs_on(backend, csr, 2, coarse_of);

  EXPECT_EQ(coarse.offsets, (std::vector<Edge>{0, 1, 2}));
  EXPECT_EQ(coarse.arc_weights, std::vector<Weight>(2, 5 * ((Weight{1} << 40) + 1)));
}

TEST(ContractionByArcs, AddsUpSeveralWeightsPerVertex) {
  auto const csr = csr_from_edges(4, {{0, 2}, {1, 3}, {2, 3}});
  Backend backend;
  auto const graph = backend.put(csr);
  auto const loads = backend.put(std::vector<Weight>{1, 10, 2, 20, 3, 30, 4, 40});
  auto view = graph.view();
  view.loads = loads.data();
  view.num_loads = 2;
  auto const coarse_of = backend.put(std::vector<Vertex>{0, 1, 1, 0});

  auto const coarse = contract_by_arcs(backend.ex, view, arc_tails(backend.ex, view).data(), 2, coarse_of.data());

  EXPECT_EQ(coarse.num_loads, 2);
  EXPECT_EQ(backend.get(coarse.loads), (std::vector<Weight>{5, 50, 5, 50}));
}

TEST(ContractionByArcs, TakesNoMoreMemoryThanTheSlabsOfRows) {
  BasicBackend<WaitsForHubs<true>> gpu;
  BasicBackend<WaitsForHubs<false>> processor;
  CsrView fine;
  fine.num_arcs = gpu.ex.slab_arcs() / 2;
  EXPECT_TRUE(contracts_by_arcs(gpu.ex, fine, 100));
  EXPECT_FALSE(contracts_by_arcs(processor.ex, fine, 100));
  fine.num_arcs = gpu.ex.slab_arcs();
  EXPECT_FALSE(contracts_by_arcs(gpu.ex, fine, 100));
}

template <bool Waits>
std::vector<Csr> levels_of(Csr const& csr) {
  BasicBackend<WaitsForHubs<Waits>> backend(2);
  auto const graph = backend.put(csr);
  CoarseningPlan const plan{{.target_vertices = 300, .max_weight = 2000}, {}, 1};
  std::vector<Csr> levels;
  for (auto const& level : coarsen(backend.ex, graph.view(), {}, plan)) {
    levels.push_back(backend.get(level.graph));
    levels.back().heads.clear();  // their order within a row carries no meaning
    levels.back().arc_weights.clear();
  }
  return levels;
}

// Nothing depends on the order of the arcs of a vertex, so later levels are the same, too.
TEST(ContractionByArcs, GivesTheLevelsOfContractionByRows) {
  auto edges = EdgeList{};
  for (Vertex v = 1; v < 40'000; ++v) {
    if (v % 3 != 0) edges.emplace_back(0, v);
    if (v % 4 != 0) edges.emplace_back(1, v);
    edges.emplace_back(v, (v + 7) % 40'000);
  }
  auto const csr = csr_from_edges(40'000, edges);

  auto const by_arcs = levels_of<true>(csr);
  auto const by_rows = levels_of<false>(csr);

  ASSERT_EQ(by_arcs.size(), by_rows.size());
  ASSERT_GT(by_arcs.size(), 1u);
  for (std::size_t i = 0; i < by_arcs.size(); ++i) {
    EXPECT_EQ(by_arcs[i].offsets, by_rows[i].offsets) << "level " << i;
    EXPECT_EQ(by_arcs[i].vertex_weights, by_rows[i].vertex_weights) << "level " << i;
  }
}

}  // namespace
}  // namespace procmap::test
