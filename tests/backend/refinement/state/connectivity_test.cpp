// SPDX-License-Identifier: MIT
#include "refinement/state/connectivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

/// What gather_blocks and aggregate leave in the tables of all vertices.
struct Seen {
  std::vector<Weight> weight;  // [v * num_keys + key]
  std::vector<std::uint8_t> borders;
  std::vector<std::int32_t> size;  // keys in the table
};

template <HostExecutor Exec, class Objective>
void look_around(Exec& ex, CsrView graph, Objective objective, Block const* block, Weight* weight,
                 std::uint8_t* borders, std::int32_t* size) {
  Vertex const num_keys = objective.num_keys();
  Block const k = objective.num_blocks;
  ex.for_each_with_table(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge v) { return connectivity_needs(graph, objective, k, static_cast<Vertex>(v)); }, num_keys,
      [=] PROCMAP_LAMBDA(Edge v, auto group, auto& table) {
        bool const sees_others = gather_blocks(graph, block, static_cast<Vertex>(v), group, table);
        objective.aggregate(group, table);
        for (Vertex key = group.rank(); key < num_keys; key += group.size())
          weight[v * num_keys + key] = table.get(key);
        if (group.rank() == 0) {
          borders[v] = sees_others;
          size[v] = table.size();
        }
      });
}

template <class Case>
Seen look_around(Graph const& graph, Case const& objective, std::vector<Block> const& block) {
  Backend backend;
  auto const on_machine = backend.put(graph);
  auto const placed = objective.place(backend.ex);
  auto const n = at(graph.num_vertices());
  auto const blocks = backend.put(block);
  auto const weight = backend.template make<Weight>(n * at(placed.view.num_keys()));
  auto const borders = backend.template make<std::uint8_t>(n);
  auto const size = backend.template make<std::int32_t>(n);
  look_around(backend.ex, on_machine.view(), placed.view, blocks.data(), weight.data(), borders.data(), size.data());
  return {backend.get(weight), backend.get(borders), backend.get(size)};
}

/// Weight from v to every block, by definition.
std::vector<Weight> weight_to_blocks(CsrView graph, std::vector<Block> const& block, Vertex v, Block k) {
  std::vector<Weight> weight(at(k), 0);
  for (Edge e = graph.begin(v); e < graph.end(v); ++e) weight[at(block[at(graph.heads[e])])] += graph.arc_weight(e);
  return weight;
}

void expect_weight_to_blocks(Graph const& graph, Block k, std::vector<Block> const& block, std::string const& where) {
  auto const view = view_of(graph);

  auto const seen = look_around(graph, CutCase{k}, block);

  for (Vertex v = 0; v < view.num_vertices; ++v) {
    auto const expected = weight_to_blocks(view, block, v, k);
    auto const* const row = seen.weight.data() + Edge{v} * k;
    EXPECT_EQ(std::vector<Weight>(row, row + k), expected) << where << ", vertex " << v;
    auto others = expected;
    others[at(block[at(v)])] = 0;
    bool const sees_others = std::ranges::any_of(others, [](Weight w) { return w > 0; });
    EXPECT_EQ(seen.borders[at(v)] != 0, sees_others) << where << ", vertex " << v;
  }
}

TEST(GatherBlocks, HoldsTheWeightToEveryBlockOnEveryShape) {
  for (auto const seed : each_seed(20))
    for (auto const& [name, graph] : all_shapes(seed))
      for (Block const k : {1, 2, 7})
        expect_weight_to_blocks(graph, k, random_blocks(graph.num_vertices(), k, seed),
                                name + ", k = " + std::to_string(k) + ", seed " + std::to_string(seed));
}

TEST(GatherBlocks, HoldsTheWeightToEveryBlockWhenThereAreTooManyToIndex) {
  Block const k = 20000;  // hashed tables
  auto const graph = with_weights(random_geometric(200, 3), 3, 1, 50);

  expect_weight_to_blocks(graph, k, random_blocks(graph.num_vertices(), k, 3), "k = 20000, seed 3");
}

TEST(GatherBlocks, CountsTheOwnBlockOfAHandCheckedStar) {
  auto const graph = star(4);

  auto const seen = look_around(graph, CutCase{3}, {0, 0, 1, 1});

  EXPECT_EQ(seen.weight, (std::vector<Weight>{1, 2, 0,  //
                                              1, 0, 0,  //
                                              1, 0, 0,  //
                                              1, 0, 0}));
  EXPECT_EQ(seen.borders, (std::vector<std::uint8_t>{1, 0, 1, 1}));
}

/// Keys of HierarchyDistance beyond the blocks: group after group, from level 1 on.
std::vector<Weight> with_groups(std::vector<Weight> weight, Topology const& topology) {
  Block const k = topology.num_pes();
  Block size = 1;
  for (int level = 0; level + 1 < topology.num_levels(); ++level) {
    size *= topology.sizes()[at(level)];
    for (Block first = 0; first < k; first += size)
      weight.push_back(std::accumulate(weight.begin() + first, weight.begin() + first + size, Weight{0}));
  }
  return weight;
}

TEST(Aggregate, AddsTheWeightToEveryGroupOfEveryLevel) {
  for (auto const* const sizes : {"2:3:2", "1:3:1:2", "6", "2:2:2:2:2:2:2:2"})
    for (auto const seed : each_seed(4))
      for (auto const& [name, graph] : all_shapes(seed)) {
        auto const levels = static_cast<std::size_t>(std::count(sizes, sizes + std::string(sizes).size(), ':')) + 1;
        std::string distances = "1";
        for (std::size_t i = 1; i < levels; ++i) distances += ":" + std::to_string(i * i + 1);
        auto const objective = machine(sizes, distances);
        Block const k = objective.num_blocks();
        auto const block = random_blocks(graph.num_vertices(), k, seed);

        auto const seen = look_around(graph, objective, block);

        auto const width = seen.weight.size() / std::max<std::size_t>(block.size(), 1);
        for (Vertex v = 0; v < graph.num_vertices(); ++v) {
          auto const expected = with_groups(weight_to_blocks(view_of(graph), block, v, k), objective.topology);
          auto const* const row = seen.weight.data() + at(v) * width;
          EXPECT_EQ(std::vector<Weight>(row, row + width), expected) << name << ", " << sizes << ", vertex " << v;
        }
      }
}

template <class Case>
void expect_bound_holds(Case const& objective, std::uint64_t seed) {
  for (auto const& [name, graph] : all_shapes(seed)) {
    auto const block = random_blocks(graph.num_vertices(), objective.num_blocks(), seed);
    Backend backend;
    auto const placed = objective.place(backend.ex);

    auto const seen = look_around(graph, objective, block);

    for (Vertex v = 0; v < graph.num_vertices(); ++v)
      EXPECT_LE(seen.size[at(v)], connectivity_needs(view_of(graph), placed.view, objective.num_blocks(), v).keys)
          << name << ", " << objective.name() << ", vertex " << v;
  }
}

TEST(ConnectivityBound, IsNeverBelowTheNumberOfKeys) {
  for (auto const seed : each_seed(4))
    for_each_objective([&](auto const& objective) { expect_bound_holds(objective, seed); });
}

}  // namespace
}  // namespace procmap::test
