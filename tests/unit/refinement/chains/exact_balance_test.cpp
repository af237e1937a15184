// SPDX-License-Identifier: MIT
#include "refinement/chains/exact_balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

/// Tasks on a machine, and how many each PE may have.
struct Seated {
  Topology machine;
  HostGraph graph;
  BlockSeats seats;
  PlaceDistances distances;

  Seated(Topology topology, Graph const& tasks, Vertex each)
      : machine(std::move(topology)),
        graph(host_graph(to_csr(tasks))),
        seats{std::vector<Vertex>(at(machine.num_pes()), each), {}},
        distances(machine, identity(machine.num_pes()), 100) {}

  bool balance(std::vector<Block>& block, HostTeam const& team = {}) const {
    return balance_by_chains(graph, distances, seats, team, block);
  }
  Weight cost(std::vector<Block> const& block) const { return cost_of_places(graph, distances, block); }

  std::vector<Vertex> counts(std::vector<Block> const& block) const {
    std::vector<Vertex> count(at(machine.num_pes()), 0);
    for (Block const b : block) ++count[at(b)];
    return count;
  }
  bool fits(std::vector<Block> const& block) const {
    auto const count = counts(block);
    return std::ranges::equal(count, seats.most, std::ranges::less_equal());
  }
};

std::vector<Block> random_blocks(Vertex n, Block k, std::uint64_t seed) {
  std::vector<Block> block;
  for (Vertex v = 0; v < n; ++v)
    block.push_back(static_cast<Block>(random_below(k, seed, static_cast<std::uint64_t>(v))));
  return block;
}

std::vector<Block> in_order(Vertex n, Vertex each) {
  std::vector<Block> block;
  for (Vertex v = 0; v < n; ++v) block.push_back(v / each);
  return block;
}

TEST(ExactBalance, FillsAllBlocksOfMachinesOfAllKinds) {
  auto machines = other_machines();
  std::ranges::copy(all_machines(), std::back_inserter(machines));
  for (auto const& [name, machine] : machines) {
    Block const k = machine.num_pes();
    constexpr Vertex each = 6;
    for (auto const& [shape, tasks] :
         {std::pair{"geometric", random_geometric(each * k, 3)}, std::pair{"power law", rmat(8, 600, 3)},
          std::pair{"no edges", no_edges(each * k)}, std::pair{"star", star(each * k)},
          std::pair{"complete", complete(30)}}) {
      Vertex const n = tasks.num_vertices();
      Seated const seated(machine, tasks, (n + k - 1) / k);
      auto block = random_blocks(n, k, 7);
      EXPECT_TRUE(seated.balance(block)) << name << ", " << shape;
      EXPECT_TRUE(seated.fits(block)) << name << ", " << shape;
    }
  }
}

TEST(ExactBalance, IsTheSameInWhateverOrderWorkIsDone) {
  constexpr Vertex each = 2000;  // several jobs
  Seated const seated(Topology::torus({3, 3}), random_geometric(9 * each, 3), each);
  HostTeam backwards;
  backwards.for_each_job = [](Edge n, HostTeam::Job const& job) {
    for (Edge i = n; i-- > 0;) job(i);
  };
  auto block = in_order(9 * each, each + 1), other = block;
  EXPECT_TRUE(seated.balance(block));
  EXPECT_TRUE(seated.balance(other, backwards));
  EXPECT_EQ(other, block);
}

TEST(ExactBalance, EndsWhereTheCallIsToEnd) {
  Seated const seated(Topology::flat(4), random_geometric(400, 3), 100);
  HostTeam team;
  team.checkpoint = [] { throw std::runtime_error("enough"); };
  auto block = random_blocks(400, 4, 7);
  EXPECT_THROW(seated.balance(block, team), std::runtime_error);
}

TEST(ExactBalance, LowersJOfWhatFits) {
  for (auto const seed : each_seed(5)) {
    Seated const seated(Topology::hierarchy("2:3:2", "1:10:100"), random_geometric(120, seed), 10);
    auto block = shuffled(120, seed);
    for (Block& b : block) b /= 10;
    auto const before = seated.cost(block);
    ASSERT_TRUE(seated.fits(block));
    EXPECT_TRUE(seated.balance(block));
    EXPECT_TRUE(seated.fits(block));
    EXPECT_LT(seated.cost(block), before) << seed;
  }
}

TEST(ExactBalance, TasksHandOnTheirPlaces) {
  // A row of four blocks of ten, the last of which lacks what the first has too much: one task of each moves on.
  Seated const seated(Topology::mesh({4}), path(40), 10);
  std::vector<Block> block;
  for (Vertex v = 0; v < 40; ++v) block.push_back(v < 11 ? 0 : (v - 1) / 10);
  EXPECT_TRUE(seated.balance(block));
  EXPECT_EQ(block, in_order(40, 10));
}

TEST(ExactBalance, ThreeBlocksChangeTasksInTurn) {
  // Three cliques, each with one vertex of the next one: no exchange of two lowers the cut as much as all three moves.
  EdgeList edges;
  for (Vertex c = 0; c < 3; ++c)
    for (Vertex u = 0; u < 6; ++u)
      for (Vertex v = 0; v < u; ++v) edges.emplace_back(6 * c + u, 6 * c + v);
  Seated const seated(Topology::flat(3), graph_from_edges(18, edges), 6);
  auto block = in_order(18, 6);
  block[0] = 1;
  block[6] = 2;
  block[12] = 0;
  EXPECT_TRUE(seated.balance(block));
  EXPECT_EQ(block, in_order(18, 6));
}

TEST(ExactBalance, FixedVerticesStay) {
  constexpr Block k = 12;
  Seated seated(Topology::hierarchy("2:3:2", "1:10:100"), random_geometric(120, 2), 10);
  auto block = random_blocks(120, k, 4);
  seated.seats.fixed.assign(120, no_block);
  for (Vertex v = 0; v < 120; v += 20) seated.seats.fixed[at(v)] = block[at(v)];
  EXPECT_TRUE(seated.balance(block));
  EXPECT_TRUE(seated.fits(block));
  for (Vertex v = 0; v < 120; v += 20) EXPECT_EQ(block[at(v)], seated.seats.fixed[at(v)]);
}

TEST(ExactBalance, WhatIsFixedMayNotFit) {
  Seated seated(Topology::flat(2), path(4), 2);
  std::vector<Block> block{0, 0, 0, 1};
  seated.seats.fixed = block;
  EXPECT_FALSE(seated.balance(block));
  EXPECT_EQ(block, seated.seats.fixed);
}

TEST(ExactBalance, TooManyForAllDoNotFit) {
  Seated const seated(Topology::flat(3), path(10), 3);
  std::vector<Block> block(10, 0);
  EXPECT_FALSE(seated.balance(block));
}

TEST(ExactBalance, ForbiddenBlocksBecomeEmpty) {
  Seated seated(Topology::torus({4}), cycle(12), 4);
  seated.seats.most[2] = 0;
  auto block = in_order(12, 3);
  EXPECT_TRUE(seated.balance(block));
  EXPECT_EQ(seated.counts(block), (std::vector<Vertex>{4, 4, 0, 4}));
}

TEST(ExactBalance, ComponentsThatTouchNoOtherBlockMoveFar) {
  EdgeList edges;
  for (Vertex v = 0; v < 40; v += 2) edges.emplace_back(v, v + 1);
  Seated const seated(Topology::flat(4), graph_from_edges(40, edges), 10);
  std::vector<Block> block(40, 0);
  EXPECT_TRUE(seated.balance(block));
  EXPECT_TRUE(seated.fits(block));
}

TEST(ExactBalance, IsTheSameWithDistancesThatAreComputed) {
  for (auto const& [name, machine] : all_machines()) {
    Block const k = machine.num_pes();
    Seated const in_table(machine, random_geometric(8 * k, 5), 8);
    auto computed = in_table;
    computed.distances = PlaceDistances(machine, identity(k), 0);
    auto block = random_blocks(8 * k, k, 1);
    auto other = block;
    EXPECT_EQ(in_table.balance(block), computed.balance(other)) << name;
    EXPECT_EQ(block, other) << name;
  }
}

TEST(ExactBalance, ArcsWithoutWeightAndHugeOnes) {
  auto csr = to_csr(random_geometric(60, 1));
  csr.arc_weights.assign(csr.heads.size(), 0);
  for (std::size_t e = 0; e < csr.heads.size(); ++e) {
    auto const u = std::ranges::upper_bound(csr.offsets, static_cast<Edge>(e)) - csr.offsets.begin() - 1;
    if ((u + csr.heads[e]) % 7 == 0) csr.arc_weights[e] = Weight{1} << 52;
  }
  Seated const seated(Topology::flat(6), csr.graph(), 10);
  auto block = random_blocks(60, 6, 2);
  EXPECT_TRUE(seated.balance(block));
  EXPECT_TRUE(seated.fits(block));
}

}  // namespace
}  // namespace procmap::test
