// SPDX-License-Identifier: MIT
#include "refinement/flow/two_sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "exec/serial_group.hpp"
#include "objective/edge_cut.hpp"
#include "refinement/flow/extreme_cuts.hpp"
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

/// By one lane, as a team does it.
BandCuts cuts_of_team(SidesCase& a_case, BandLimits const& limits) {
  SerialGroup const group;
  auto const& problem = a_case.problem;
  auto const n = at(a_case.graph.num_vertices());
  std::vector<Vertex> items(n), candidates(n);
  std::vector<GrownStep> steps(static_cast<std::size_t>(most_steps(limits.a.depth, static_cast<Edge>(n))));
  Vertex count = 0;
  BandView const band{problem.block, a_case.place.data(), {items.data(), &count}, candidates.data(), steps.data(), {}};
  auto const growth = grow(problem.graph, band, a_case.pair, problem.border, group, limits, problem.seed);
  BandSide own;  // lends its arrays
  own.make_room(count, problem.graph.num_arcs);
  own.size = count;
  auto const network = own.network();
  Edge used = 0;
  allot_rows(problem.graph, band, network, group, &used);
  auto const cost = build_network(problem.graph, EdgeCut{3}, problem.anchors, band, a_case.pair, network, group);
  CutSolver<SerialGroup> solver(network, used, {});
  BandCuts cuts;
  cuts.saved = solver.solve(cost.current - cost.certain, group, true);
  cuts.cut_short = growth.cut_short;
  cuts.note(network, items.data());
  clear_band(band, group);
  return cuts;
}

/// Side by side, each by a thread. Where the present cut is a minimum one, from both halves.
BandCuts cuts_of_sides(SidesCase& a_case, BandLimits const& limits, TwoSides& sides) {
  SerialGroup const group;
  Weight missing[2];
  auto const make = [&](bool is_a) {
    auto& side = is_a ? sides.a : sides.b;
    Block const own = is_a ? a_case.pair.a : a_case.pair.b;
    auto const most = static_cast<Vertex>(std::count(a_case.block.begin(), a_case.block.end(), own));
    SideBuilder<EdgeCut>(a_case.problem, EdgeCut{3}, a_case.pair, own, a_case.place.data(), side).run(most, limits);
    missing[is_a ? 0 : 1] = solve_half(side);
  };
  std::thread other([&] { make(true); });
  make(false);
  other.join();
  append_band(sides.a, sides.b);
  BandCuts cuts;
  if (missing[0] + missing[1] == 0) {
    for (auto* side : {&sides.a, &sides.b}) global_relabel(side->network(), group);
    show_halves(sides);
  } else {
    join_sides(sides, a_case.place.data());
    CutSolver<SerialGroup> solver(sides.a.network(), sides.a.arcs, {});
    cuts.saved = solver.solve(missing[0] + missing[1], group, false);
  }
  cuts.cut_short = sides.a.growth.cut_short;
  cuts.note(sides.a.network(), sides.a.vertices.data());
  for (Vertex const v : cuts.vertices) a_case.place[at(v)] = no_vertex;
  return cuts;
}

TEST(TwoSides, HaveTheCutsOfATeam) {
  TwoSides sides;  // one pair after the other, as a thread cuts them
  int cheaper = 0, as_cheap = 0;
  for (auto const seed : each_seed(6))
    for (auto const& [name, graph] : all_shapes(seed)) {
      SidesCase a_case(graph, seed);
      Weight const all = graph.total_vertex_weight();
      auto const most = graph.num_vertices();
      for (BandLimit const limit :
           {BandLimit{all, most, 16}, {all / 10, most, 16}, {all, most / 15, 16}, {all, most, 2}}) {
        BandLimits const limits{limit, {all / 7, most, limit.depth}};

        auto const expected = cuts_of_team(a_case, limits);
        auto const found = cuts_of_sides(a_case, limits, sides);

        EXPECT_EQ(found, expected) << name << ", seed " << seed;
        ++(expected.saved > 0 ? cheaper : as_cheap);
      }
    }
  EXPECT_GT(cheaper, 20);
  EXPECT_GT(as_cheap, 20);
}

}  // namespace
}  // namespace procmap::test
