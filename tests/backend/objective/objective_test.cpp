// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "objective/cost.hpp"
#include "objective/edge_cut.hpp"
#include "objective/hierarchy_distance.hpp"
#include "objective/with_distances.hpp"
#include "report/traffic.hpp"
#include "support/backend.hpp"
#include "support/machines.hpp"
#include "support/reference.hpp"

// What edges cost. What moves gain: gain_test.cpp.

namespace procmap::test {
namespace {

constexpr std::uint64_t seeds[] = {1, 2, 3};

std::string trace(std::string const& machine, std::string const& graph, std::uint64_t seed) {
  return machine + ", " + graph + ", seed " + std::to_string(seed);
}

struct PePairs {
  std::vector<Block> a, b;
};

PePairs all_pairs(Block k) {
  PePairs pairs;
  for (Block a = 0; a < k; ++a)
    for (Block b = 0; b < k; ++b) {
      pairs.a.push_back(a);
      pairs.b.push_back(b);
    }
  return pairs;
}

template <class Exec>
void measure(Exec& ex, HierarchyDistance objective, Edge n, Block const* a, Block const* b, Weight* distance,
             int* level) {
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) {
    distance[i] = objective.distance(a[i], b[i]);
    level[i] = objective.meeting_level(a[i], b[i]);
  });
}

void expect_distances_of(Topology const& machine, PePairs const& pairs) {
  Backend backend;
  auto const tables = make_hierarchy_distance(backend.ex, machine);
  auto const a = backend.put(pairs.a), b = backend.put(pairs.b);
  auto distance = backend.make<Weight>(pairs.a.size());
  auto level = backend.make<int>(pairs.a.size());

  measure(backend.ex, tables.view, static_cast<Edge>(pairs.a.size()), a.data(), b.data(), distance.data(),
          level.data());

  auto const distances = backend.get(distance);
  auto const levels = backend.get(level);
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    ASSERT_EQ(distances[i], machine.distance(pairs.a[i], pairs.b[i])) << pairs.a[i] << " to " << pairs.b[i];
    ASSERT_EQ(levels[i], machine.meeting_level(pairs.a[i], pairs.b[i])) << pairs.a[i] << " to " << pairs.b[i];
  }
}

TEST(HierarchyDistance, IsTheDistanceOfTheTopology) {
  for (auto const& [name, machine] : all_machines()) {
    SCOPED_TRACE(name);

    expect_distances_of(machine, all_pairs(machine.num_pes()));
  }
}

TEST(HierarchyDistance, HoldsOnTheLargestMachines) {
  for (auto const* const sizes : {"129:3:127:5:17", "4194304:1:1:1:1", "5:5:5:5:5:5:5:53", "3:3:3:3:3:3:3:1917"}) {
    SCOPED_TRACE(sizes);
    auto const levels = static_cast<std::size_t>(std::count(sizes, sizes + std::string(sizes).size(), ':')) + 1;
    auto const distances = std::string("1:2:3:4:5:6:7:8").substr(0, 2 * levels - 1);
    auto const machine = Topology::hierarchy(sizes, distances);
    PePairs pairs;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      auto const a = random_below(machine.num_pes(), 1, i);
      pairs.a.push_back(static_cast<Block>(a));
      pairs.b.push_back(static_cast<Block>((a + random_below(std::int64_t{1} << i % 23, 2, i)) % machine.num_pes()));
    }

    expect_distances_of(machine, pairs);
  }
}

template <class Exec>
void groups_of_blocks(Exec& ex, HierarchyDistance objective, Block k, Vertex* out) {
  int const groups = objective.groups_of_block();
  ex.for_each(Edge{k} * groups, [=] PROCMAP_LAMBDA(Edge i) {
    out[i] = objective.group_of(static_cast<Block>(i / groups), static_cast<int>(i % groups));
  });
}

// The groups of level i >= 1 are the a_1 ... a_i PEs of one node of the machine, and come level by level.
TEST(HierarchyDistance, GroupsAreTheSubtreesOfTheMachine) {
  for (auto const& [name, machine] : all_machines()) {
    SCOPED_TRACE(name);
    Backend backend;
    Block const k = machine.num_pes();
    auto const tables = make_hierarchy_distance(backend.ex, machine);
    auto const view = tables.view;
    auto groups = backend.make<Vertex>(at(Edge{k} * view.groups_of_block()));

    groups_of_blocks(backend.ex, view, k, groups.data());

    auto const group_of = backend.get(groups);
    Vertex next = 0;
    ASSERT_EQ(view.groups_of_block(), machine.num_levels() - 1);
    for (int i = 0; i < view.groups_of_block(); ++i) {
      auto const size =
          std::accumulate(machine.sizes().begin(), machine.sizes().begin() + i + 1, 1, std::multiplies<>());
      for (Block first = 0; first < k; first += size, ++next) {
        auto const range = view.group(next);
        EXPECT_EQ(range.first, first);
        EXPECT_EQ(range.last, first + size);
        for (Block b = first; b < first + size; ++b) EXPECT_EQ(group_of[at(b * view.groups_of_block() + i)], next) << b;
      }
    }
    EXPECT_EQ(view.num_groups(), next);
    EXPECT_EQ(view.num_keys(), k + next);
  }
}

template <class Exec, class Objective>
void measure_distances(Exec& ex, Objective objective, Edge n, Block const* a, Block const* b, Weight* distance) {
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) { distance[i] = objective.distance(a[i], b[i]); });
}

TEST(PairwiseDistance, AreTheDistancesOfTheTopology) {
  for (auto const& [name, machine] : other_machines()) {
    auto const pairs = all_pairs(machine.num_pes());
    Backend backend;
    auto const a = backend.put(pairs.a), b = backend.put(pairs.b);
    auto distance = backend.make<Weight>(pairs.a.size());
    Weight nearest = 0;

    with_distances(backend.ex, machine, [&](auto objective) {
      measure_distances(backend.ex, objective, static_cast<Edge>(pairs.a.size()), a.data(), b.data(), distance.data());
      if constexpr (requires { objective.nearest; }) nearest = objective.nearest;
    });

    auto const distances = backend.get(distance);
    for (std::size_t i = 0; i < pairs.a.size(); ++i) {
      ASSERT_EQ(distances[i], machine.distance(pairs.a[i], pairs.b[i]))
          << name << ", " << pairs.a[i] << " to " << pairs.b[i];
      ASSERT_TRUE(pairs.a[i] == pairs.b[i] || nearest <= distances[i]) << name;
    }
  }
}

std::vector<Machine> every_machine() {
  auto machines = all_machines();
  for (auto const& machine : other_machines()) machines.push_back(machine);
  return machines;
}

TEST(TotalCost, IsTheDefinitionOfJ) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, machine] : every_machine())
      for (auto const& [shape, graph] : all_shapes(seed)) {
        if (shape == "heavy_weights" && machine.max_distance() > 1000) continue;  // J would not fit
        SCOPED_TRACE(trace(name, shape, seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), seed);
        auto const device_graph = backend.put(csr);
        auto const device_block = backend.put(block);

        auto const cost = with_distances(backend.ex, machine, [&](auto objective) {
          return total_cost(backend.ex, device_graph.view(), objective, device_block.data());
        });
        auto const cut = total_cost(backend.ex, device_graph.view(), EdgeCut{machine.num_pes()}, device_block.data());

        EXPECT_EQ(cost, cost_of(csr, machine, block));
        EXPECT_EQ(cut, cost_of(csr, Topology::flat(machine.num_pes()), block));
      }
}

TEST(TotalCost, DoesNotDependOnTheThreadsThatAddItUp) {
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");
  for (auto const& [shape, graph] : large_shapes(1)) {
    auto const csr = to_csr(graph);
    auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), 1);
    auto const expected = cost_of(csr, machine, block);
    for (int const threads : Backend::thread_counts()) {
      Backend backend(threads);
      auto const device_graph = backend.put(csr);
      auto const device_block = backend.put(block);
      auto const tables = make_hierarchy_distance(backend.ex, machine);

      EXPECT_EQ(total_cost(backend.ex, device_graph.view(), tables.view, device_block.data()), expected)
          << shape << ", seed 1, " << threads << " threads";
    }
  }
}

TEST(TotalCost, IsKeptByRenamingsOfTheMachine) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, machine] : all_machines()) {
      SCOPED_TRACE(trace(name, "random_geometric", seed));
      Backend backend;
      auto const csr = to_csr(with_weights(random_geometric(300, seed), seed, 1, 100));
      auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), seed);
      auto const renaming = random_automorphism(machine, seed);
      auto renamed = block;
      for (auto& b : renamed) b = renaming[at(b)];
      auto const graph = backend.put(csr);
      auto const tables = make_hierarchy_distance(backend.ex, machine);
      auto const cost = [&](std::vector<Block> const& mapping) {
        return total_cost(backend.ex, graph.view(), tables.view, backend.put(mapping).data());
      };

      EXPECT_EQ(cost(renamed), cost(block));
    }
}

TEST(TrafficByLevel, IsAllTrafficSortedByTheLevelWhereItMeets) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, machine] : all_machines())
      for (auto const& [shape, graph] : all_shapes(seed)) {
        SCOPED_TRACE(trace(name, shape, seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), seed);
        auto const device_graph = backend.put(csr);
        auto const tables = make_hierarchy_distance(backend.ex, machine);

        auto const traffic = traffic_by_level(backend.ex, device_graph.view(), tables.view, backend.put(block).data());

        std::vector<Weight> expected(at(machine.num_levels() + 1), 0);
        for_each_arc(csr, [&](Vertex u, Vertex v, Weight weight) {
          expected[at(machine.meeting_level(block[at(u)], block[at(v)]))] += weight;
        });
        EXPECT_EQ(traffic, expected);
        EXPECT_EQ(std::accumulate(traffic.begin(), traffic.end(), Weight{0}), total_arc_weight(csr));
      }
}

TEST(TrafficByLevel, CountsWeightsOf32BitsAsWell) {
  Csr csr = to_csr(grid2d(9, 11));
  csr.arc_weights.clear();
  std::vector<NarrowWeight> weights;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight) { weights.push_back(static_cast<NarrowWeight>(1 + u * v)); });
  auto const machine = Topology::hierarchy({2, 3}, {1, 10});
  auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), 1);
  Backend backend;
  auto graph = backend.put(csr);
  graph.narrow_arc_weights = backend.put(weights);
  auto const tables = make_hierarchy_distance(backend.ex, machine);

  auto const narrow = traffic_by_level(backend.ex, graph.view(), tables.view, backend.put(block).data());

  csr.arc_weights.assign(weights.begin(), weights.end());
  auto const wide = traffic_by_level(backend.ex, backend.put(csr).view(), tables.view, backend.put(block).data());
  EXPECT_EQ(narrow, wide);
}

TEST(TrafficByDistance, IsAllTrafficSortedByDistance) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, machine] : other_machines())
      for (auto const& [shape, graph] : all_shapes(seed)) {
        SCOPED_TRACE(trace(name, shape, seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), seed);
        auto const device_graph = backend.put(csr);
        auto const distances = machine.distinct_distances(64);

        auto const traffic = with_distances(backend.ex, machine, [&](auto objective) {
          return traffic_by_distance(backend.ex, device_graph.view(), objective, backend.put(block).data(), distances);
        });

        std::vector<Weight> expected(distances.size() + 1, 0);
        for_each_arc(csr, [&](Vertex u, Vertex v, Weight weight) {
          auto const a = block[at(u)], b = block[at(v)];
          auto const found = std::ranges::find(distances, machine.distance(a, b));
          expected.at(a == b ? 0 : static_cast<std::size_t>(found - distances.begin()) + 1) += weight;
        });
        EXPECT_EQ(traffic, expected);
      }
}

}  // namespace
}  // namespace procmap::test
