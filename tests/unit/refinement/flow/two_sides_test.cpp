// SPDX-License-Identifier: MIT
#include "refinement/flow/two_sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "exec/cpu_executor.hpp"
#include "exec/serial_group.hpp"
#include "objective/edge_cut.hpp"
#include "procmap/monitor.hpp"
#include "refinement/flow/cut_pair.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"
#include "support/refinement.hpp"

// Bands and networks that are made side by side, held against those of a team.

namespace procmap::test {
namespace {

/// A graph in three blocks, and the pair (0, 1) of them, with every vertex in its list of borders.
struct SidesCase {
  Graph graph;
  std::vector<Block> block;
  std::vector<KeyedId> border;
  std::vector<Vertex> place;
  FlowProblem problem;
  BlockPair pair{0, 1, 0, 0, 0};

  SidesCase(Graph const& of, std::uint64_t seed)
      : graph(of), block(at(of.num_vertices())), place(at(of.num_vertices()), no_vertex) {
    for (Vertex v = 0; v < graph.num_vertices(); ++v) {
      block[at(v)] = static_cast<Block>(hash(seed, v) % 8 == 0 ? hash(seed, v, 1) % 3 : 3 * at(v) / block.size());
      if (hash(seed, v, 2) % 11 == 0) place[at(v)] = never_placed;
      border.push_back({0, v});
    }
    pair.last = static_cast<Edge>(border.size());
    problem.graph = view_of(graph);
    problem.block = block.data();
    problem.border = border.data();
    problem.seed = seed;
  }
};

/// What a cut of the band costs less than the present one, and where its extreme ones lie, by vertex.
struct BandCuts {
  std::vector<Vertex> vertices;
  Weight saved = 0;
  std::vector<Vertex> source_side, sink_side;
  int cut_short = 0;

  void note(FlowNetwork const& network, Vertex const* items) {
    for (Vertex i = 0; i < network.num_vertices; ++i) {
      vertices.push_back(items[i]);
      if (network.near_source[i] != 0) source_side.push_back(items[i]);
      if (network.height[i] < network.no_way()) sink_side.push_back(items[i]);
    }
    for (auto* list : {&vertices, &source_side, &sink_side}) std::sort(list->begin(), list->end());
  }
  bool operator==(BandCuts const&) const = default;
};

/// Within which limits a band is grown, and then made narrower.
struct BandSizes {
  BandLimits grown, narrower;
};

/// By one lane, as a team does it. Of the band as it was grown, and of a narrower one.
std::vector<BandCuts> cuts_of_team(SidesCase& a_case, BandSizes const& sizes) {
  SerialGroup const group;
  auto const& problem = a_case.problem;
  auto const n = at(a_case.graph.num_vertices());
  std::vector<Vertex> items(n), candidates(n);
  std::vector<GrownStep> steps(static_cast<std::size_t>(most_steps(sizes.grown.a.depth, static_cast<Edge>(n))));
  Vertex count = 0;
  BandView const band{problem.block, a_case.place.data(), {items.data(), &count}, candidates.data(), steps.data(), {}};
  auto const growth = grow(problem.graph, band, a_case.pair, problem.border, group, sizes.grown, problem.seed);
  Monitor const monitor;
  Run run(monitor);
  CpuExecutor ex(1, run);
  FlowScratch<CpuExecutor> own;
  own.make_vertices(ex, static_cast<std::size_t>(count));
  own.make_arcs(ex, static_cast<std::size_t>(problem.graph.num_arcs));
  PairState state;
  state.size = count;
  auto const network = own.view().network_of(state, group.counters(state.counts));
  Edge used = 0;
  allot_rows(problem.graph, band, network, group, &used);
  auto const cost = build_network(problem.graph, EdgeCut{3}, problem.anchors, band, a_case.pair, network, group);
  CutSolver<SerialGroup> solver(network, used, {});
  std::vector<BandCuts> cuts(2);
  for (auto& one : cuts) one.cut_short = growth.cut_short;
  cuts[0].saved = solver.solve(cost.current - cost.certain, group, true);
  cuts[0].note(network, items.data());
  auto const ends = ends_within(problem.graph, band, a_case.pair, growth, count, group, sizes.narrower, problem.seed);
  Vertex const contracted = list_contracted(band, a_case.pair, network, group, whole_band(count), ends, problem.seed);
  cuts[1].saved = solver.solve(cuts[0].saved - contract_listed(network, group, contracted), group, false);
  cuts[1].note(network, items.data());
  clear_band(band, group);
  return cuts;
}

/// Side by side, each by a thread. Nothing if there are larger amounts than may be.
template <class Amount>
std::vector<BandCuts> cuts_of_sides(SidesCase& a_case, BandSizes const& sizes, TwoSides<Amount>& sides) {
  auto const& problem = a_case.problem;
  auto* const place = a_case.place.data();
  bool fits[2];
  auto const make = [&](bool is_a) {
    auto& side = is_a ? sides.a : sides.b;
    Block const own = is_a ? a_case.pair.a : a_case.pair.b;
    auto const most = static_cast<Vertex>(std::count(a_case.block.begin(), a_case.block.end(), own));
    SideBuilder<Amount, EdgeCut> builder(problem, EdgeCut{3}, a_case.pair, own, place, side);
    fits[is_a ? 0 : 1] = builder.run(most, sizes.grown);
    if (fits[is_a ? 0 : 1]) solve_half(side);
  };
  std::thread other([&] { make(true); });
  make(false);
  other.join();
  append_band(sides.a, sides.b);
  sides.make_room();
  auto const* const items = sides.a.vertices.data();
  std::vector<BandCuts> cuts(fits[0] && fits[1] ? 2 : 0);
  for (auto& one : cuts) {
    one.saved = sides.middle.solve(sides.a, sides.b, place);
    show_cuts(sides, place);
    one.cut_short = sides.a.growth.cut_short;
    one.note(sides.shown(), items);
    BandView const band{problem.block, place, {sides.a.vertices.data(), nullptr}, nullptr, sides.a.steps.data(), {}};
    auto const ends = ends_within(problem.graph, band, a_case.pair, sides.a.growth, sides.size(), SerialGroup{},
                                  sizes.narrower, problem.seed);
    narrow(sides.a, ends.a, 0, problem.seed);
    narrow(sides.b, ends.b, sides.a.size(), problem.seed);
  }
  for (Vertex i = 0; i < sides.size(); ++i) place[items[i]] = no_vertex;
  return cuts;
}

TEST(TwoSides, HaveTheCutsOfATeam) {
  TwoSides<std::int32_t> narrow;  // one pair after the other, as a thread cuts them
  TwoSides<Weight> wide;
  int cheaper = 0, as_cheap = 0, too_heavy = 0;
  for (auto const seed : each_seed(6))
    for (auto const& [name, graph] : all_shapes(seed)) {
      SidesCase a_case(graph, seed);
      Weight const all = graph.total_vertex_weight();
      auto const most = graph.num_vertices();
      for (BandLimit const limit :
           {BandLimit{all, most, 16}, {all / 10, most, 16}, {all, most / 15, 16}, {all, most, 2}}) {
        BandSizes const sizes{{limit, {all / 7, most, limit.depth}},
                              {{limit.weight / 3, limit.vertices, limit.depth}, {all / 40, most, limit.depth}}};

        auto const expected = cuts_of_team(a_case, sizes);
        auto const found = cuts_of_sides(a_case, sizes, narrow);

        if (found.empty())
          ++too_heavy;
        else
          EXPECT_EQ(found, expected) << name << ", seed " << seed;
        EXPECT_EQ(cuts_of_sides(a_case, sizes, wide), expected) << name << ", seed " << seed;
        for (auto const& one : expected) ++(one.saved > 0 ? cheaper : as_cheap);
      }
    }
  EXPECT_GT(cheaper, 20);
  EXPECT_GT(as_cheap, 20);
  EXPECT_GT(too_heavy, 0);
}

}  // namespace
}  // namespace procmap::test
