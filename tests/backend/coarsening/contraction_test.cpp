// SPDX-License-Identifier: MIT
#include "coarsening/contraction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "coarsening/coarsen.hpp"
#include "graph/host_graph.hpp"
#include "graph/scopes.hpp"
#include "multilevel/split/population.hpp"
#include "objective/cost.hpp"
#include "objective/edge_cut.hpp"
#include "objective/hierarchy_distance.hpp"
#include "support/backend.hpp"
#include "support/clusters.hpp"
#include "support/contraction.hpp"
#include "support/machines.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t contraction_seeds[] = {1, 2};

/// The executor under test with slabs of a few rows, or of one.
template <Edge Arcs>
struct SmallSlabs : Backend::Exec {
  using Backend::Exec::Exec;
  static constexpr Edge slab_arcs() { return Arcs; }
};

template <class Backend_>
Csr contract_on(Backend_& backend, Csr const& csr, Vertex num_coarse, std::vector<Vertex> const& coarse_of) {
  auto const graph = backend.put(csr);
  auto const device_coarse_of = backend.put(coarse_of);
  auto const coarse = contract(backend.ex, graph.view(), num_coarse, device_coarse_of.data());
  EXPECT_EQ(coarse.num_vertices, num_coarse);
  EXPECT_EQ(coarse.num_arcs, static_cast<Edge>(coarse.heads.size()));
  EXPECT_EQ(csr.arc_weights.empty() ? coarse.arc_weights.size() : coarse.narrow_arc_weights.size(), 0u);
  auto result = backend.get(coarse);
  EXPECT_EQ(coarse.num_arcs, static_cast<Edge>(result.arc_weights.size()));
  EXPECT_EQ(coarse.max_degree, longest_row(result));
  return result;
}

/// One cluster, few, about half, all alone.
std::vector<Vertex> coarse_sizes(Vertex n) {
  std::vector<Vertex> sizes{1, 3, n / 10, n / 2, n};
  if (n > 1000) sizes = {3, n / 2};
  std::erase_if(sizes, [&](Vertex size) { return size < 1 || size > n; });
  if (n == 0) sizes = {0};
  return sizes;
}

template <class Backend_>
void expect_all_contractions(Shape const& shape, std::uint64_t seed, int threads) {
  auto const csr = to_csr(shape.graph);
  for (auto const num_coarse : coarse_sizes(csr.num_vertices())) {
    SCOPED_TRACE(shape.name + " to " + std::to_string(num_coarse) + ", seed " + std::to_string(seed) + ", " +
                 std::to_string(threads) + " threads");
    Backend_ backend(threads);
    auto const coarse_of = random_contraction(csr.num_vertices(), num_coarse, seed);

    auto const coarse = contract_on(backend, csr, num_coarse, coarse_of);

    expect_contraction(csr, coarse, coarse_of);
  }
}

// Clusters of one vertex up to all of them, which must not take quadratic time. The order of members means nothing.
TEST(GroupMembers, ListsTheVerticesOfEveryCoarseVertex) {
  for (int const threads : Backend::thread_counts())
    for (Vertex const num_coarse : {1, 2, 900, 100'000}) {
      SCOPED_TRACE(std::to_string(num_coarse) + " clusters, seed 1, " + std::to_string(threads) + " threads");
      constexpr Vertex n = 200'000;
      Backend backend(threads);
      auto const coarse_of = random_contraction(n, num_coarse, 1);
      std::vector<std::vector<Vertex>> expected(at(num_coarse));
      for (Vertex v = 0; v < n; ++v) expected[at(coarse_of[at(v)])].push_back(v);

      auto const members = group_members(backend.ex, n, num_coarse, backend.put(coarse_of).data());

      auto const start = backend.get(members.start);
      auto const member = backend.get(members.member);
      ASSERT_EQ(start.back(), n);
      for (Vertex c = 0; c < num_coarse; ++c) {
        std::vector<Vertex> found(member.begin() + start[at(c)], member.begin() + start[at(c) + 1]);
        std::ranges::sort(found);
        ASSERT_TRUE(found == expected[at(c)]) << "coarse vertex " << c;
      }
    }
}

TEST(Contraction, AddsUpVerticesAndParallelArcs) {
  // 0-1-2 and 3-4 become a triangle of 0+1, 2+3, 4; the edge 0-1 vanishes.
  auto csr = csr_from_edges(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {3, 4}});
  csr.vertex_weights = {1, 2, 4, 8, 16};
  Backend backend;

  auto const coarse = contract_on(backend, csr, 3, {0, 0, 1, 1, 2});

  EXPECT_EQ(coarse.vertex_weights, (std::vector<Weight>{3, 12, 16}));
  EXPECT_EQ(coarse.offsets, (std::vector<Edge>{0, 2, 4, 6}));
  EXPECT_EQ(sorted_arcs(coarse), sorted_arcs(Csr{{0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}, {3, 1, 3, 1, 1, 1}, {}}));
}

TEST(Contraction, RebuildsEveryRowFromTheFineGraph) {
  for (auto const seed : each_seed(contraction_seeds))
    for (auto const& shape : all_shapes(seed)) expect_all_contractions<Backend>(shape, seed, 2);
}

TEST(Contraction, RebuildsLargeGraphsOnAnyNumberOfThreads) {
  for (auto const& shape : large_shapes(1))
    for (int const threads : Backend::thread_counts()) expect_all_contractions<Backend>(shape, 1, threads);
}

// Weights that nobody gave take half the memory on every level, and in all that is made of one.
TEST(Contraction, OfWhatWasContractedIsThatOfWeightsWrittenOut) {
  for (auto const seed : each_seed(contraction_seeds)) {
    auto narrow = to_csr(random_geometric(3000, seed));
    narrow.arc_weights.clear();
    auto wide = narrow;
    wide.arc_weights.assign(wide.heads.size(), 1);
    Backend backend;
    auto const first = backend.put(random_contraction(3000, 900, seed));
    auto const second = backend.put(random_contraction(900, 200, seed));
    auto const scope = backend.put(random_blocks(900, 3, seed));
    auto const made_of = [&](Csr const& csr) {
      auto const graph = backend.put(csr);
      auto const once = contract(backend.ex, graph.view(), 900, first.data());
      auto const twice = contract(backend.ex, once.view(), 200, second.data());
      EXPECT_EQ(twice.arc_weights.size(), csr.arc_weights.empty() ? 0 : at(twice.num_arcs));
      auto const kept = drop_cross_arcs(backend.ex, once.view(), scope.data());
      EXPECT_EQ(kept.arc_weights.size(), csr.arc_weights.empty() ? 0 : at(kept.num_arcs));
      auto const copies = replicate(backend.ex, twice.view(), 3);
      EXPECT_EQ(copies.arc_weights.size(), csr.arc_weights.empty() ? 0 : at(copies.num_arcs));
      auto const host = download_graph(backend.ex, twice.view());
      return std::vector{sorted_arcs(backend.get(twice)), sorted_arcs(backend.get(kept)),
                         sorted_arcs(backend.get(copies)),
                         sorted_arcs(Csr{host.offsets, host.heads, host.arc_weights, {}})};
    };

    EXPECT_EQ(made_of(narrow), made_of(wide)) << "seed " << seed;
  }
}

TEST(Contraction, DoesNotDependOnTheSlabs) {
  for (auto const seed : each_seed(contraction_seeds))
    for (auto const& shape : all_shapes(seed)) {
      expect_all_contractions<BasicBackend<SmallSlabs<1>>>(shape, seed, 2);
      expect_all_contractions<BasicBackend<SmallSlabs<37>>>(shape, seed, 2);
    }
  for (auto const& shape : large_shapes(1)) expect_all_contractions<BasicBackend<SmallSlabs<1000>>>(shape, 1, 2);
}

TEST(Contraction, TakesGraphsOfSeveralSlabsAsTheyAre) {
  auto const graph = grid2d(540, 500);
  Backend backend;
  if (graph.num_arcs() <= backend.ex.slab_arcs()) GTEST_SKIP() << "one slab of this backend holds the whole graph";
  auto const csr = to_csr(graph);
  std::vector<Vertex> coarse_of(at(csr.num_vertices()));
  for (std::size_t v = 0; v < coarse_of.size(); ++v) coarse_of[v] = static_cast<Vertex>(v / 2);

  auto const coarse = contract_on(backend, csr, csr.num_vertices() / 2, coarse_of);

  expect_contraction(csr, coarse, coarse_of);
}

TEST(Contraction, GivesTheSameRowsOnAnyNumberOfThreads) {
  for (auto const& [shape, graph] : large_shapes(2)) {
    auto const csr = to_csr(graph);
    auto const num_coarse = csr.num_vertices() / 3;
    auto const coarse_of = random_contraction(csr.num_vertices(), num_coarse, 2);
    Backend serial(1);
    auto const expected = sorted_arcs(contract_on(serial, csr, num_coarse, coarse_of));
    for (int const threads : Backend::thread_counts()) {
      Backend backend(threads);

      EXPECT_EQ(sorted_arcs(contract_on(backend, csr, num_coarse, coarse_of)), expected)
          << shape << ", seed 2, " << threads << " threads";
    }
  }
}

template <class Objective>
void expect_cost_kept(Backend& backend, Csr const& fine, Csr const& coarse, Objective objective,
                      std::vector<Vertex> const& coarse_of, std::vector<Block> const& coarse_block) {
  auto const fine_graph = backend.put(fine), coarse_graph = backend.put(coarse);
  auto const block = backend.put(projected(coarse_block, coarse_of)), on_coarse = backend.put(coarse_block);

  EXPECT_EQ(total_cost(backend.ex, coarse_graph.view(), objective, on_coarse.data()),
            total_cost(backend.ex, fine_graph.view(), objective, block.data()));
}

TEST(Contraction, KeepsTheCostOfEveryMapping) {
  for (auto const seed : each_seed(contraction_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (auto const& [name, machine] : all_machines()) {
        if (shape == "heavy_weights" && machine.max_distance() > 1000) continue;  // J would not fit
        SCOPED_TRACE(shape + " on " + name + ", seed " + std::to_string(seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const num_coarse = (csr.num_vertices() + 1) / 2;
        auto const coarse_of = random_contraction(csr.num_vertices(), num_coarse, seed);
        auto const coarse_block = random_blocks(num_coarse, machine.num_pes(), seed);
        auto const tables = make_hierarchy_distance(backend.ex, machine);

        auto const coarse = contract_on(backend, csr, num_coarse, coarse_of);

        expect_cost_kept(backend, csr, coarse, tables.view, coarse_of, coarse_block);
        expect_cost_kept(backend, csr, coarse, EdgeCut{machine.num_pes()}, coarse_of, coarse_block);
      }
}

TEST(Numbering, CountsLeadersInTheOrderOfTheirIds) {
  for (int const threads : Backend::thread_counts())
    for (Vertex const n : {0, 1, 10, 20'000})
      for (auto const seed : each_seed(contraction_seeds)) {
        SCOPED_TRACE(std::to_string(n) + " vertices, seed " + std::to_string(seed) + ", " + std::to_string(threads) +
                     " threads");
        std::vector<Vertex> leader(at(n));  // multiples of 3 lead, the others follow any of them
        for (Vertex v = 0; v < n; ++v)
          leader[at(v)] =
              v % 3 == 0 ? v : static_cast<Vertex>(3 * random_below((n + 2) / 3, seed, static_cast<std::uint64_t>(v)));
        Backend backend(threads);
        auto coarse_of = backend.put(leader);

        auto const num_coarse = number_coarse_vertices(backend.ex, n, coarse_of.data());

        auto const result = backend.get(coarse_of);
        EXPECT_EQ(num_coarse, (n + 2) / 3);
        for (Vertex v = 0; v < n; ++v) ASSERT_EQ(result[at(v)], leader[at(v)] / 3) << "vertex " << v;
      }
}

}  // namespace
}  // namespace procmap::test
