// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "coarsening/clustering.hpp"
#include "distributed/rank_clusters.hpp"
#include "distributed/rank_refinement.hpp"
#include "exec/cpu_table.hpp"
#include "exec/serial_group.hpp"
#include "support/graphs.hpp"

namespace procmap::test {
namespace {

// Rows first ... last - 1 of a graph, as a rank holds them.
struct Held {
  Held(Graph const& graph, Vertex first, Vertex last) : begin(first) {
    auto const from = graph.offsets()[static_cast<std::size_t>(first)];
    for (Vertex v = first; v <= last; ++v) offsets.push_back(graph.offsets()[static_cast<std::size_t>(v)] - from);
    for (Edge e = from; e < from + offsets.back(); ++e) {
      given.push_back(graph.heads()[static_cast<std::size_t>(e)]);
      weights.push_back(graph.arc_weights().empty() ? 1 : graph.arc_weights()[static_cast<std::size_t>(e)]);
    }
    OwnRows const own{first, last - first};
    ghosts = ghosts_of(own, given);
    heads = local_heads(own, given, ghosts);
  }

  RankRows rows() const { return {begin, offsets, heads, weights, {}, ghosts, {}}; }

  // The values of own rows and ghosts.
  template <class T>
  std::vector<T> local(std::vector<T> const& values) const {
    std::vector<T> own;
    auto const held = rows();
    for (std::size_t v = 0; v < held.num_local(); ++v)
      own.push_back(values[static_cast<std::size_t>(held.id(static_cast<Vertex>(v)))]);
    return own;
  }

  GlobalVertex begin;
  std::vector<Edge> offsets;
  std::vector<GlobalVertex> given, ghosts;
  std::vector<Vertex> heads;
  std::vector<Weight> weights;
};

constexpr Vertex n = 144;
Graph grid() { return to_csr(grid2d(12, 12)).graph(); }

// Clusters after some moves: every third vertex is in the cluster of the one before it.
struct Some {
  Some() : leader(n), weight(n, 1), size(n, 1) {
    for (Vertex v = 0; v < n; ++v) {
      auto const i = static_cast<std::size_t>(v);
      leader[i] = v % 3 == 1 ? v - 1 : v;
      size[i] = v % 3 == 1 ? 0 : v % 3 == 0 ? 2 : 1;
      weight[i] = size[i];
    }
  }
  std::vector<Vertex> leader;
  std::vector<Weight> weight;
  std::vector<Vertex> size;
};

// The heaviest arc of every vertex.
std::vector<Weight> heaviest_of(Graph const& graph) {
  std::vector<Weight> heaviest;
  for (Vertex v = 0; v < n; ++v) {
    Weight most = 0;
    for (Edge e = graph.offsets()[static_cast<std::size_t>(v)]; e < graph.offsets()[static_cast<std::size_t>(v) + 1];
         ++e)
      most = std::max(most, graph.arc_weights().empty() ? 1 : graph.arc_weights()[static_cast<std::size_t>(e)]);
    heaviest.push_back(most);
  }
  return heaviest;
}

// Expects of any rank what one machine wishes; returns how many wishes there are. What a cluster takes is a part of its
// leader's heaviest arc, halved so often; -1: anything will do.
int expect_wishes_of_one_machine(Graph const& graph, int halvings) {
  Some some;
  std::uint64_t const seed = 5;
  auto const* const weights = graph.arc_weights().empty() ? nullptr : graph.arc_weights().data();
  CsrView const whole{n, graph.num_arcs(), graph.offsets().data(), graph.heads().data(), weights, nullptr};
  ClustersView const view{some.leader.data(), some.weight.data(), some.size.data()};
  auto const heaviest = heaviest_of(graph);
  UnevenClusters const rule{some.size.data(), 0, halvings < 0 ? nullptr : heaviest.data(), std::ldexp(1.0, -halvings)};
  std::vector<GlobalVertex> leader(some.leader.begin(), some.leader.end());
  std::vector<Weight> weight, least;
  for (auto const l : leader) {
    weight.push_back(some.weight[static_cast<std::size_t>(l)]);
    if (halvings >= 0) least.push_back(-(-heaviest[static_cast<std::size_t>(l)] >> halvings));
  }

  int wishes = 0;
  for (std::uint64_t part = 0; part < 4; ++part) {
    auto const wish_seed = hash(seed, part);
    for (auto const& [first, last] : {std::pair{0, 50}, {50, 51}, {51, 144}}) {
      Held const held(graph, first, last);
      std::vector<std::int64_t> const size(some.size.begin() + first, some.size.begin() + last);
      auto const [led, weighs] = std::pair(held.local(leader), held.local(weight));
      auto const takes = halvings < 0 ? std::vector<Weight>{} : held.local(least);
      auto const listed = cluster_wishes(held.rows(), {led, weighs, size, {}, takes}, {seed, part, 4, 4});
      std::vector<GlobalVertex> found(size.size(), no_global_vertex);
      for (std::size_t i = 0; i < listed.row.size(); ++i)
        found[static_cast<std::size_t>(listed.row[i])] = listed.target[i];
      for (Vertex v = first; v < last; ++v) {
        CpuTable table;
        table.open(n);
        table.reset(8);
        bool const moves = hash(seed, static_cast<std::uint64_t>(v)) % 4 == part && !view.leads_others(v);
        Vertex const expected =
            moves ? preferred_cluster(whole, view, {4}, v, wish_seed, SerialGroup{}, table, rule) : no_vertex;
        EXPECT_EQ(found[static_cast<std::size_t>(v - first)], expected) << v;
        wishes += expected != no_vertex;
      }
    }
  }
  return wishes;
}

TEST(RankClusters, WishesAreThoseOfOneMachineWhereverRowsLie) {
  EXPECT_GT(expect_wishes_of_one_machine(grid(), -1), 30);
}

TEST(RankClusters, WishesAreThoseOfOneMachineWhereClustersTakeHeavyArcsOnly) {
  auto const graph = with_weights(to_csr(grid2d(12, 12)).graph(), 3, 1, 9);

  int const half = expect_wishes_of_one_machine(graph, 1);
  int const eighth = expect_wishes_of_one_machine(graph, 3);
  int const any = expect_wishes_of_one_machine(graph, -1);

  EXPECT_GT(half, 20);
  EXPECT_LE(half, eighth);
  EXPECT_LE(eighth, any);
  EXPECT_LT(half, any);
}

TEST(RankClusters, RanksKnowTheirHeaviestAndLightestArcs) {
  auto const graph = with_weights(to_csr(grid2d(12, 12)).graph(), 3, 1, 9);
  auto const heaviest = heaviest_of(graph);
  Weight above = 0, expected = 0;
  for (Weight const weight : graph.arc_weights()) expected += weight > 6 ? weight : 0;
  Edge below = 0;

  for (auto const& [first, last] : {std::pair{0, 50}, {50, 51}, {51, 144}}) {
    Held const held(graph, first, last);
    EXPECT_EQ(heaviest_arcs(held.rows()), std::vector<Weight>(heaviest.begin() + first, heaviest.begin() + last));
    above += weight_of_arcs_above(held.rows(), 6);
    below += num_arcs_below(held.rows(), 3);
  }

  EXPECT_EQ(above, expected);
  EXPECT_EQ(below, std::ranges::count_if(graph.arc_weights(), [](Weight w) { return w > 0 && w < 3; }));
}

TEST(RankClusters, WhoAppliesInHashedOrderIsAdmittedWhileThereIsRoom) {
  std::vector<GlobalVertex> const target{20, 20, 20, 21}, vertex{1, 2, 3, 4};
  std::vector<Weight> const load{2, 2, 2, 9}, weight{1, 1};

  auto const may = admitted({target, vertex, load}, weight, 20, 5, 3);

  EXPECT_EQ(std::count(may.begin(), may.begin() + 3, 1), 2);
  EXPECT_EQ(may[3], 0);
}

TEST(RankClusters, LoneVerticesPairInOrderOfTheirIds) {
  std::vector<Lone> const lone{{7, 30, 1, 0}, {7, 10, 1, 0}, {7, 20, 1, 0}, {8, 5, 4, 0}, {8, 6, 4, 0}};

  EXPECT_EQ(pair_lone(lone, 5), (std::vector<GlobalVertex>{30, 20, 10, 5, 6}));
}

// A path 0-1-2-3-4-5 whose pairs become the vertices 0, 1, 2; the last rank has vertex 2 of these.
TEST(RankContraction, RowsComeInPiecesAndArcsThatLeaveGoToTheRankOfTheirTail) {
  auto const graph = to_csr(path(6)).graph();
  std::vector<std::int32_t> const coarse_of{0, 0, 1, 1, 2, 2};
  Held const low(graph, 0, 5), high(graph, 5, 6);
  auto const to_low = low.local(coarse_of);
  auto const to_high = high.local(coarse_of);

  Contraction const left(low.rows(), to_low, {0, 2});
  Contraction const right(high.rows(), to_high, {2, 1});
  auto const sent = left.elsewhere();

  EXPECT_EQ(sent.tails, (std::vector<GlobalVertex>{2}));
  EXPECT_EQ(sent.heads, (std::vector<GlobalVertex>{1}));
  auto const first = left.rows(0, {}, 1);
  EXPECT_EQ(first.offsets, (std::vector<Edge>{0, 1}));
  EXPECT_EQ(first.heads, (std::vector<GlobalVertex>{1}));
  EXPECT_EQ(left.rows(1, {}, 1).heads, (std::vector<GlobalVertex>{0, 2}));
  auto const last = right.rows(0, {sent.tails, sent.heads, sent.weights}, 100);
  EXPECT_EQ(last.heads, (std::vector<GlobalVertex>{1}));
  EXPECT_EQ(last.arc_weights, (std::vector<Weight>{1}));
}

TEST(RankRefinement, BordersAndSumsOfBlocks) {
  auto const graph = to_csr(path(4)).graph();
  Held const held(graph, 0, 4);
  std::vector<Block> const block{0, 0, 2, 2};
  std::vector<std::int32_t> const loads{5, 6, 7, 8};

  EXPECT_EQ(border_rows(held.rows(), block), (std::vector<std::uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(block_sums(block, loads, 3), (std::vector<Weight>{11, 0, 15, 2, 0, 2}));
  EXPECT_EQ(block_sums(block, {}, 3), (std::vector<Weight>{2, 0, 2, 2, 0, 2}));
}

// The middle of a path 0-1-2 with arcs of weight 5 and 3, between two blocks.
TEST(RankRefinement, WhereRoomCountsOnlyBlocksThatHaveItAreProposed) {
  Held held(to_csr(path(3)).graph(), 0, 3);
  held.weights = {5, 5, 3, 3};
  std::vector<Block> const block{0, 2, 1};
  auto const machine = Topology::hierarchy({3}, {1});
  std::vector<std::uint8_t> const all(3, 1);
  auto const proposed_with = [&](std::vector<Weight> const& room) {
    std::vector<Block> target(3);
    std::vector<Weight> gain(3);
    propose_rank_moves(held.rows(), {machine, block, 0, 1, 1}, all, {target, gain}, room);
    return target[1];
  };

  EXPECT_EQ(proposed_with({}), 0);
  EXPECT_EQ(proposed_with({1, 1, 1}), 0);
  EXPECT_EQ(proposed_with({0, 1, 1}), 1);
  EXPECT_EQ(proposed_with({0, 0, 1}), no_block);
}

// What several ranks offer to leave block 0, which weighs too much.
TEST(RankRebalance, ExitsDoNotDependOnWhoOffersThem) {
  auto const graph = grid();
  auto const machine = Topology::hierarchy({2, 2}, {1, 10});
  std::vector<Block> block(n);
  for (Vertex v = 0; v < n; ++v) block[static_cast<std::size_t>(v)] = v < 80 ? 0 : v < 100 ? 1 : v < 120 ? 2 : 3;
  std::vector<Weight> const weight{80, 20, 20, 24}, capacity{70, 25, 30, 40};
  std::set<std::pair<GlobalVertex, Block>> expected;
  for (auto const& cuts : {std::vector<Vertex>{0, n}, {0, 40, 41, 90, n}}) {
    ExitList all;
    for (std::size_t rank = 0; rank + 1 < cuts.size(); ++rank) {
      Held const held(graph, cuts[rank], cuts[rank + 1]);
      auto const local = held.local(block);
      std::vector<std::uint8_t> const free(static_cast<std::size_t>(held.rows().num_rows()), 0);
      auto const own = cheapest_exits(held.rows(), {machine, local, 0, 9, 1}, {weight, capacity}, {}, free);
      all.loss.insert(all.loss.end(), own.loss.begin(), own.loss.end());
      all.noise.insert(all.noise.end(), own.noise.begin(), own.noise.end());
      all.vertex.insert(all.vertex.end(), own.vertex.begin(), own.vertex.end());
      all.weight.insert(all.weight.end(), own.weight.begin(), own.weight.end());
      all.source.insert(all.source.end(), own.source.begin(), own.source.end());
      all.target.insert(all.target.end(), own.target.begin(), own.target.end());
    }
    auto const happens = admitted_exits(all, {weight, capacity});
    std::set<std::pair<GlobalVertex, Block>> moves;
    for (std::size_t i = 0; i < happens.size(); ++i)
      if (happens[i]) moves.emplace(all.vertex[i], all.target[i]);
    if (expected.empty()) expected = moves;
    EXPECT_EQ(moves, expected);
  }
  EXPECT_GE(expected.size(), 5u);
  EXPECT_LE(expected.size(), 10u);
}

TEST(RankRefinement, CostsOfRanksAddUp) {
  auto const graph = grid();
  auto const machine = Topology::hierarchy({2, 2}, {1, 10});
  std::vector<Block> block(n);
  for (Vertex v = 0; v < n; ++v) block[static_cast<std::size_t>(v)] = v / 36;
  Weight sum = 0;
  for (auto const& [first, last] : {std::pair{0, 70}, {70, 144}}) {
    Held const held(graph, first, last);
    auto const local = held.local(block);
    sum += rank_cost(held.rows(), {machine, local, 0, 0, 1});
    EXPECT_EQ(rank_traffic(held.rows(), {machine, local, 0, 0, 1}).cost,
              rank_cost(held.rows(), {machine, local, 0, 0, 1}));
  }
  EXPECT_EQ(sum, 2 * 12 * (1 + 10 + 1));
}

}  // namespace
}  // namespace procmap::test
