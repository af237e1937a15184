// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "objective/edge_cut.hpp"
#include "objective/with_distances.hpp"
#include "refinement/state/connectivity.hpp"
#include "support/backend.hpp"
#include "support/machines.hpp"
#include "support/reference.hpp"

// What an objective says of a move, read off a table of the weights to the adjacent blocks.

namespace procmap::test {
namespace {

constexpr std::uint64_t seeds[] = {1, 2};

/// For every vertex v and every block b, at v * k + b.
struct Moves {
  std::vector<Weight> gain;        // of moving v to b
  std::vector<Weight> attachment;  // of v against moving to b
  std::vector<Weight> sibling_loss;  // per vertex
  std::vector<int> borders;          // per vertex: sees another block than its own
};

template <class Exec, class Objective>
void judge_all_moves(Exec& ex, CsrView graph, Objective objective, Block k, Block const* block, Weight* gain,
                     Weight* attachment, Weight* sibling_loss, int* borders) {
  ex.for_each_with_table(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge i) { return connectivity_needs(graph, objective, k, static_cast<Vertex>(i)); },
      objective.num_keys(),
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        auto const v = static_cast<Vertex>(i);
        bool const sees_others = gather_blocks(graph, block, v, group, table);
        objective.aggregate(group, table);
        Block const own = block[v];
        for (Block b = group.rank(); b < k; b += group.size()) {
          gain[i * k + b] = objective.affinity(table, b) - objective.affinity(table, own);
          attachment[i * k + b] = objective.attachment(table, own, b);
        }
        if (group.rank() != 0) return;
        sibling_loss[i] = objective.sibling_loss(table, own);
        borders[i] = sees_others ? 1 : 0;
      });
}

template <class Objective>
Moves all_moves(Backend& backend, Csr const& csr, Objective objective, Block k, std::vector<Block> const& block) {
  auto const n = block.size(), moves = n * at(k);
  auto const graph = backend.put(csr);
  auto const device_block = backend.put(block);
  auto gain = backend.make<Weight>(moves), attachment = backend.make<Weight>(moves), loss = backend.make<Weight>(n);
  auto borders = backend.make<int>(n);
  judge_all_moves(backend.ex, graph.view(), objective, k, device_block.data(), gain.data(), attachment.data(),
                  loss.data(), borders.data());
  return {backend.get(gain), backend.get(attachment), backend.get(loss), backend.get(borders)};
}

/// What one vertex pays for its edges, each counted once, if it were in block `b`.
Weight cost_in(Csr const& csr, Topology const& machine, std::vector<Block> const& block, Vertex v, Block b) {
  Weight total = 0;
  for (auto e = csr.offsets[at(v)]; e < csr.offsets[at(v) + 1]; ++e)
    total += arc_weight(csr, e) * machine.distance(b, block[at(csr.heads[at(e)])]);
  return total;
}

/// What holds v back: of every neighbour as much as it would be farther away than before.
Weight attachment_of(Csr const& csr, Topology const& machine, std::vector<Block> const& block, Vertex v, Block to) {
  Weight total = 0;
  auto const own = block[at(v)];
  for (auto e = csr.offsets[at(v)]; e < csr.offsets[at(v) + 1]; ++e) {
    auto const other = block[at(csr.heads[at(e)])];
    auto const nearer = machine.distance(to, other) - machine.distance(own, other);
    if (nearer > 0) total += arc_weight(csr, e) * nearer;
  }
  return total;
}

void expect_definitions(Csr const& csr, Topology const& machine, std::vector<Block> const& block, Moves const& moves) {
  Block const k = machine.num_pes();
  for (Vertex v = 0; v < csr.num_vertices(); ++v) {
    auto const own = block[at(v)];
    std::vector<char> seen(at(k), 0);
    for (auto e = csr.offsets[at(v)]; e < csr.offsets[at(v) + 1]; ++e)
      if (arc_weight(csr, e) > 0) seen[at(block[at(csr.heads[at(e)])])] = 1;
    auto const others = std::ranges::count(seen, 1) - seen[at(own)];
    ASSERT_EQ(moves.borders[at(v)], others > 0 ? 1 : 0) << "vertex " << v;
    auto const before = cost_in(csr, machine, block, v, own);
    for (Block b = 0; b < k; ++b) {
      auto const i = at(Edge{v} * k + b);
      auto const gain = before - cost_in(csr, machine, block, v, b);
      ASSERT_EQ(moves.gain[i], gain) << "vertex " << v << " to " << b;
      if (b == own) continue;
      ASSERT_EQ(moves.attachment[i], attachment_of(csr, machine, block, v, b)) << "vertex " << v << " to " << b;
      if (!machine.is_hierarchy()) continue;
      bool const unseen_sibling = machine.meeting_level(own, b) == 1 && !seen[at(b)];
      ASSERT_TRUE(!unseen_sibling || moves.sibling_loss[at(v)] == -gain) << "vertex " << v << " to " << b;
    }
  }
}

/// The same graphs as everywhere, but none whose cost on an expensive machine would not fit.
Traced<Shape> shapes_for(Topology const& machine, std::uint64_t seed) {
  auto shapes = all_shapes(seed);
  if (machine.max_distance() > 1000)
    std::erase_if(shapes.cases, [](Shape const& s) { return s.name == "heavy_weights"; });
  return shapes;
}

std::string trace(std::string const& machine, std::string const& graph, std::uint64_t seed) {
  return machine + ", " + graph + ", seed " + std::to_string(seed);
}

TEST(Gain, OfAMappingIsTheDifferenceOfItsCost) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, machine] : all_machines())
      for (auto const& [shape, graph] : shapes_for(machine, seed)) {
        SCOPED_TRACE(trace(name, shape, seed));
        Backend backend;
        auto const csr = to_csr(graph);
        Block const k = machine.num_pes();
        auto const block =
            seed % 2 == 0 ? random_blocks(csr.num_vertices(), k, seed) : striped_blocks(csr.num_vertices(), k);
        auto const tables = make_hierarchy_distance(backend.ex, machine);

        auto const moves = all_moves(backend, csr, tables.view, k, block);

        expect_definitions(csr, machine, block, moves);
      }
}

TEST(Gain, OfAMappingOntoAnyMachineIsTheDifferenceOfItsCost) {
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, machine] : other_machines())
      for (auto const& [shape, graph] : shapes_for(machine, seed)) {
        SCOPED_TRACE(trace(name, shape, seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), seed);

        auto const moves = with_distances(backend.ex, machine, [&](auto objective) {
          return all_moves(backend, csr, objective, machine.num_pes(), block);
        });

        expect_definitions(csr, machine, block, moves);
      }
}

TEST(Gain, OfAPartitionIsTheDifferenceOfItsCut) {
  for (auto const seed : each_seed(seeds))
    for (Block const k : {1, 2, 5, 32})
      for (auto const& [shape, graph] : all_shapes(seed)) {
        SCOPED_TRACE(trace(std::to_string(k) + " blocks", shape, seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const block = random_blocks(csr.num_vertices(), k, seed);

        auto const moves = all_moves(backend, csr, EdgeCut{k}, k, block);

        expect_definitions(csr, Topology::flat(k), block, moves);
      }
}

TEST(Gain, OfTheEdgeCutIsThatOfAMachineWithOneLevelOfCost1) {
  for (auto const seed : each_seed(seeds))
    for (Block const k : {2, 7}) {
      Backend backend;
      auto const csr = to_csr(with_weights(random_geometric(300, seed), seed, 1, 50));
      auto const block = random_blocks(csr.num_vertices(), k, seed);
      auto const tables = make_hierarchy_distance(backend.ex, Topology::flat(k));

      auto const cut = all_moves(backend, csr, EdgeCut{k}, k, block);
      auto const flat = all_moves(backend, csr, tables.view, k, block);

      EXPECT_EQ(cut.gain, flat.gain) << k << " blocks, seed ";
      EXPECT_EQ(cut.sibling_loss, flat.sibling_loss) << k << " blocks, seed ";
      for (std::size_t i = 0; i < cut.gain.size(); ++i) {
        bool const stays = static_cast<Block>(i % at(k)) == block[i / at(k)];
        ASSERT_TRUE(stays || cut.attachment[i] == flat.attachment[i]) << i << ", " << k << " blocks, seed ";
      }
    }
}

TEST(Gain, HoldsOnMachinesOfThousandsOfPes) {
  auto const machine = Topology::hierarchy("2:3:5:1:30:7", "1:3:3:4:9:100");
  for (auto const* const name : {"star", "complete", "geometric"}) {
    SCOPED_TRACE(name);
    Backend backend;
    auto const csr = to_csr(name[0] == 's' ? star(60) : name[0] == 'c' ? complete(40) : random_geometric(60, 1));
    auto const block = random_blocks(csr.num_vertices(), machine.num_pes(), 1);
    auto const tables = make_hierarchy_distance(backend.ex, machine);

    auto const moves = all_moves(backend, csr, tables.view, machine.num_pes(), block);

    expect_definitions(csr, machine, block, moves);
  }
}

}  // namespace
}  // namespace procmap::test
