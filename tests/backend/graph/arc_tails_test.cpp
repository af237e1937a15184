// SPDX-License-Identifier: MIT
#include "graph/arc_tails.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "objective/cost.hpp"
#include "objective/edge_cut.hpp"
#include "objective/hierarchy_distance.hpp"
#include "support/backend.hpp"
#include "support/machines.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

/// The executor under test, whichever it is, as one that waits for hubs, or as one that does not.
template <bool Waits>
struct WaitsForHubs : Backend::Exec {
  using Backend::Exec::Exec;
  static constexpr bool waits_for_hubs = Waits;
};

template <bool Waits>
bool loops_flat(Graph const& graph) {
  BasicBackend<WaitsForHubs<Waits>> backend;
  auto const owned = backend.put(graph);
  return loops_over_arcs(backend.ex, owned.view());
}

TEST(ArcTails, AreTheRowsOfTheArcs) {
  for (auto const& [shape, graph] : all_shapes(1)) {
    Backend backend;
    auto const csr = to_csr(graph);
    std::vector<Vertex> expected;
    for (Vertex v = 0; v < csr.num_vertices(); ++v)
      expected.insert(expected.end(), at(csr.offsets[at(v) + 1] - csr.offsets[at(v)]), v);
    auto const owned = backend.put(csr);

    EXPECT_EQ(backend.get(arc_tails(backend.ex, owned.view())), expected) << shape;
  }
}

TEST(ArcTails, AreForGraphsWithHubsWhereLanesWaitForThem) {
  EXPECT_TRUE(loops_flat<true>(star(20'000)));
  EXPECT_FALSE(loops_flat<false>(star(20'000)));
  EXPECT_FALSE(loops_flat<true>(star(5'000)));
  EXPECT_FALSE(loops_flat<true>(grid2d(200, 200)));
  EXPECT_FALSE(loops_flat<true>(empty()));
  EXPECT_FALSE(loops_flat<true>(no_edges(100'000)));
}

template <class Objective>
struct OfRow {
  CsrView graph;
  Objective objective;
  Block const* block;
  PROCMAP_HD Weight operator()(Edge v) const { return vertex_cost(graph, objective, block, static_cast<Vertex>(v)); }
};

template <class Objective>
void expect_equal_costs(Backend& backend, CsrView graph, Objective objective, Block const* block) {
  auto const by_rows = backend.ex.sum(graph.num_vertices, OfRow<Objective>{graph, objective, block});

  EXPECT_EQ(cost_by_arcs(backend.ex, graph, arc_tails(backend.ex, graph).data(), objective, block), by_rows);
  EXPECT_EQ(total_cost(backend.ex, graph, objective, block), by_rows);
}

TEST(CostByArcs, IsThatByRows) {
  auto shapes = std::vector<Shape>{{"large_star", star(20'000)}};
  for (auto const& shape : all_shapes(1)) shapes.push_back(shape);
  for (auto const& [shape, graph] : shapes)
    for (auto const& [name, machine] : all_machines()) {
      if (shape == "heavy_weights" && machine.max_distance() > 1000) continue;  // J would not fit
      SCOPED_TRACE(shape + " on " + name);
      Backend backend;
      auto const owned = backend.put(graph);
      auto const block = backend.put(random_blocks(graph.num_vertices(), machine.num_pes(), 1));
      auto const distances = make_hierarchy_distance(backend.ex, machine);

      expect_equal_costs(backend, owned.view(), distances.view, block.data());
      expect_equal_costs(backend, owned.view(), EdgeCut{machine.num_pes()}, block.data());
    }
}

}  // namespace
}  // namespace procmap::test
