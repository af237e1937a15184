// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "refinement/places/annealing.hpp"
#include "refinement/places/exchange.hpp"
#include "support/host_graphs.hpp"
#include "support/machines.hpp"

namespace procmap::test {

inline std::vector<Block> identity(Block k) {
  std::vector<Block> place(at(k));
  std::iota(place.begin(), place.end(), 0);
  return place;
}

inline std::vector<Block> shuffled(Block k, std::uint64_t seed) {
  auto place = identity(k);
  std::ranges::sort(place, {}, [&](Block b) { return hash(seed, static_cast<std::uint64_t>(b)); });
  return place;
}

/// A machine whose places are its PEs, with a block on each.
struct PlacedBlocks {
  Topology topology;
  PlaceDistances distance;
  std::vector<Weight> capacity;
  std::vector<Block> sizes;
  Graph graph;
  HostGraph traffic;        // the graph, all weights written out
  std::vector<Block> held;  // as AnchorsView::fixed; empty if all blocks may go

  PlacedBlocks(Topology machine, Graph tasks, Block most_in_table = 100)
      : topology(std::move(machine)),
        distance(topology, identity(topology.num_pes()), most_in_table),
        sizes{topology.num_pes()},
        graph(std::move(tasks)) {
    Block const k = topology.num_pes();
    capacity.assign(at(k), 100);
    traffic = host_graph(to_csr(graph));
  }

  /// The same with every row backwards: rows of a contracted graph are in another order on a GPU.
  PlacedBlocks reversed() const { return {topology, with_reversed_rows(to_csr(graph)).graph()}; }

  /// Their distances are computed.
  PlacedBlocks without_table() const { return {topology, graph, 0}; }

  Weight cost(std::vector<Block> const& place) const {
    auto const view = traffic.view();
    Weight total = 0;
    for (Vertex v = 0; v < view.num_vertices; ++v)
      for (Edge e = view.begin(v); e < view.end(v); ++e)
        total += view.arc_weight(e) * topology.distance(place[at(v)], place[at(view.heads[e])]);
    return total;
  }

  /// Every third block is to stay where it is: block b on place b.
  void hold_every_third() {
    held.assign(capacity.size(), no_block);
    for (std::size_t b = 0; b < held.size(); b += 3) held[b] = static_cast<Block>(b);
  }

  bool exchange(std::vector<Block>& place, Kicks kicks = {}, bool backwards = false) const {
    return exchange_places(traffic, on_team(backwards), kicks, place);
  }
  bool anneal(std::vector<Block>& place, Annealing annealing, bool backwards = false) const {
    return anneal_places(traffic, on_team(backwards), annealing, place);
  }
  bool anneal(std::vector<Block>& place, Annealing annealing, AnchorsView anchors) const {
    auto anchored = on_team(false);
    anchored.anchors = anchors;
    return anneal_places(traffic, anchored, annealing, place);
  }

  bool anneal_cool_and_hot(std::vector<Block>& place, Annealing annealing, bool backwards = false) const {
    return procmap::anneal_cool_and_hot(traffic, on_team(backwards), annealing, place);
  }

  /// The team does its jobs from the first to the last, or backwards.
  Places on_team(bool backwards) const {
    auto const run = [backwards](Edge n, std::function<void(Edge)> const& job) {
      for (Edge i = 0; i < n; ++i) job(backwards ? n - 1 - i : i);
    };
    return {distance, capacity, sizes, {1, run}, {}, {held.empty() ? nullptr : held.data()}};
  }
};

inline Graph random_traffic(Block k, std::uint64_t seed) {
  return with_weights(random_geometric(k, seed), seed, 1, 30);
}

/// f(places, name) for machines of all kinds with random traffic.
template <class F>
void for_each_machine(F f) {
  auto machines = other_machines();
  machines.push_back({"hierarchy", Topology::hierarchy("2:3:4", "1:10:100")});
  machines.push_back({"large torus", Topology::torus({6, 7})});
  for (auto const& [name, machine] : machines)
    for (auto const seed : each_seed(5, 1))
      f(PlacedBlocks(machine, random_traffic(machine.num_pes(), seed)), name + ", seed " + std::to_string(seed));
}

inline bool is_permutation_of_places(std::vector<Block> place) {
  std::ranges::sort(place);
  return place == identity(static_cast<Block>(place.size()));
}

/// Loads that differ, and places with little room beyond what they hold at first.
inline PlacedBlocks tight_places(std::uint64_t seed) {
  PlacedBlocks places(Topology::torus({4, 5}), with_weights(random_geometric(20, seed), seed, 9, 30));
  for (std::size_t p = 0; p < 20; ++p) places.capacity[p] = places.traffic.vertex_weights[p] + random_below(4, seed, p);
  return places;
}

inline void expect_held_stay(PlacedBlocks const& places, std::vector<Block> const& place) {
  ASSERT_TRUE(is_permutation_of_places(place));
  for (std::size_t b = 0; b < place.size(); ++b)
    EXPECT_TRUE(places.held[b] == no_block || place[b] == places.held[b]) << "block " << b;
}

inline void expect_all_fit(PlacedBlocks const& places, std::vector<Block> const& place) {
  ASSERT_TRUE(is_permutation_of_places(place));
  for (std::size_t b = 0; b < place.size(); ++b)
    EXPECT_LE(places.traffic.vertex_weights[b], places.capacity[at(place[b])]) << "block " << b;
}

}  // namespace procmap::test
