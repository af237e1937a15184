// SPDX-License-Identifier: MIT
#include "cartesian/decomposition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "cartesian/find_grid.hpp"
#include "exec/cpu_executor.hpp"
#include "procmap/monitor.hpp"
#include "support/reference.hpp"
#include "support/task_grids.hpp"
#include "support/view.hpp"

namespace procmap::test {
namespace {

constexpr Edge any_number = 1 << 30;

std::vector<std::vector<Block>> decompositions(Csr const& csr, Topology const& machine, Edge most) {
  Monitor const monitor;
  Run run(monitor);
  CpuExecutor ex(1, run);
  return decompose(find_grid(ex, view_of(csr)).value(), machine, most);
}

std::vector<Block> decomposed(Csr const& csr, Topology const& machine, Edge most = any_number) {
  return decompositions(csr, machine, most).front();
}

/// All ways to write the sizes of a hierarchy, outermost first, as products of a factor per axis.
void for_each_way(std::vector<Block> const& sizes, std::size_t axes, std::vector<std::vector<Block>>& way, auto f) {
  if (way.size() == sizes.size()) return f(way);
  Block const size = sizes[sizes.size() - 1 - way.size()];
  std::vector<Block> factors(axes, 1);
  auto const choose = [&](auto const& self, std::size_t i, Block rest) -> void {
    if (i + 1 == axes) {
      factors[i] = rest;
      way.push_back(factors);
      for_each_way(sizes, axes, way, f);
      way.pop_back();
      return;
    }
    for (Block factor = 1; factor <= rest; ++factor) {
      if (rest % factor != 0) continue;
      factors[i] = factor;
      self(self, i + 1, rest / factor);
    }
  };
  choose(choose, 0, size);
}

/// J of the boxes of one way; the most if an axis has more pieces than points.
Weight cost_of_way(Stencil const& stencil, Csr const& csr, Topology const& machine,
                   std::vector<std::vector<Block>> const& way) {
  std::vector<Block> pieces(stencil.sizes.size(), 1);
  for (auto const& factors : way)
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] *= factors[i];
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i] > stencil.sizes[i]) return std::numeric_limits<Weight>::max();
  std::vector<Block> block(at(stencil.tasks()));
  for (Vertex task = 0; task < stencil.tasks(); ++task) {
    auto rest = pieces;
    for (auto const& factors : way) {
      for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] /= factors[i];
        Block const piece = stencil.point(task)[i] * pieces[i] / stencil.sizes[i];
        block[at(task)] = block[at(task)] * factors[i] + piece / rest[i] % factors[i];
      }
    }
  }
  return cost_of(csr, machine, block);
}

TEST(Decomposition, IsTheCheapestIntoBoxesOnHierarchies) {
  for (auto const& stencil :
       {Stencil{{12, 16}}, Stencil{{8, 6, 12}}, Stencil{{24, 24}, true}, Stencil{{12, 12}, false, true}})
    for (auto const& [sizes, distances] :
         {std::pair{"4:3:4", "1:10:100"}, {"6:2:2", "1:3:3"}, {"12", "1"}, {"2:2:2:3", "0:1:5:40"}}) {
      auto const machine = Topology::hierarchy(sizes, distances);
      auto const csr = csr_of(stencil);
      auto least = std::numeric_limits<Weight>::max();
      std::vector<std::vector<Block>> way;
      for_each_way(machine.sizes(), stencil.sizes.size(), way,
                   [&](auto const& of) { least = std::min(least, cost_of_way(stencil, csr, machine, of)); });

      EXPECT_EQ(cost_of(csr, machine, decomposed(csr, machine)), least) << stencil.name() << " on " << sizes;
    }
}

TEST(Decomposition, HasBoxesOfOneSizeWhereTheNumbersDivide) {
  for (auto const& machine :
       {Topology::hierarchy("4:3:4", "1:10:100"), Topology::torus({4, 4, 3}), Topology::mesh({6, 8})}) {
    auto const csr = csr_of({{12, 16}});
    std::vector<Vertex> tasks(at(machine.num_pes()), 0);
    for (Block const pe : decomposed(csr, machine, 4)) ++tasks[at(pe)];

    EXPECT_EQ(tasks, std::vector<Vertex>(tasks.size(), 4)) << machine.describe();
  }
}

// Each task talks to its neighbours, so what is cut must go one step: more than that is lost on the way.
TEST(Decomposition, HasNeighboursBesideEachOtherOnGrids) {
  struct Case {
    Stencil stencil;
    Topology machine;
  };
  for (auto const& [stencil, machine] :
       {Case{{{8, 8, 8}, true}, Topology::torus({8, 8, 8})}, Case{{{64, 8}}, Topology::torus({8, 8, 8})},
        Case{{{16, 16}}, Topology::mesh({4, 4})}, Case{{{12, 20}, true}, Topology::torus({3, 5})},
        Case{{{16, 8}}, Topology::hypercube(7)}, Case{{{64}}, Topology::mesh({2, 4, 4})}}) {
    auto const csr = csr_of(stencil);
    auto const block = decomposed(csr, machine);
    Weight cut = 0;
    for_each_arc(csr, [&](Vertex u, Vertex v, Weight weight) { cut += block[at(u)] != block[at(v)] ? weight : 0; });

    EXPECT_GT(cut, 0) << stencil.name();
    EXPECT_EQ(cost_of(csr, machine, block), cut) << stencil.name() << " on " << machine.describe();
  }
}

/// As csr, but arcs along axis i have weights[i].
Csr weighted(Csr csr, Stencil const& stencil, std::vector<Weight> const& weights) {
  std::vector<Weight> all;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight) { all.push_back(weights[stencil.steps(u, v)[0] > 0 ? 0 : 1]); });
  csr.arc_weights = all;
  return csr;
}

// The two tasks of each column are one PE apart, and so the next ones along the row two in the mean.
TEST(Decomposition, HasTheAxisOfFewerPiecesInsideWhereThatIsCheaper) {
  auto const csr = csr_of({{2, 16}});
  auto const machine = Topology::torus({32});
  EXPECT_EQ(cost_of(csr, machine, decomposed(csr, machine)), 2 * (16 * 1 + 2 * 15 * 2));
}

// Were the second row to run in the direction of the first, it would be half a ring away; to and fro, its tasks are 1,
// 3, ..., 15, 15, ..., 3 and 1 PEs away from those of the first.
TEST(Decomposition, RunsThroughARingToAndFro) {
  Stencil const stencil{{2, 16}};
  auto const csr = weighted(csr_of(stencil), stencil, {1, 10});
  auto const machine = Topology::torus({32});
  EXPECT_EQ(cost_of(csr, machine, decomposed(csr, machine)), 2 * (10 * 2 * 15 + 2 * 64));
}

TEST(Decomposition, TakesTheAxisWithLessTraffic) {
  Stencil const stencil{{10, 10}};
  auto const csr = weighted(csr_of(stencil), stencil, {50, 1});
  auto const block = decomposed(csr, Topology::flat(10));
  for (Vertex task = 0; task < 100; ++task) EXPECT_EQ(block[at(task)], task % 10);
}

// They separate nothing, however far away they are.
TEST(Decomposition, IsTheSameWithLevelsOfSizeOne) {
  auto const csr = csr_of({{8, 6, 12}});
  EXPECT_EQ(decomposed(csr, Topology::hierarchy({1, 4, 1, 3, 4, 1}, {1, 1, 1, 10, 100, Weight{1} << 40})),
            decomposed(csr, Topology::hierarchy("4:3:4", "1:10:100")));
  EXPECT_EQ(decomposed(csr, Topology::torus({4, 1, 12}, {1, 1 << 20, 1})), decomposed(csr, Topology::torus({4, 12})));
}

TEST(Decomposition, IsMadeTwiceWhereTheCheapestHasLargerBoxes) {
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");
  auto const csr = to_csr(grid2d(64, 64));
  EXPECT_EQ(decompositions(csr, machine, any_number).size(), 1u);
  auto const two = decompositions(csr, machine, 22);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_GT(cost_of(csr, machine, two.front()), cost_of(csr, machine, two.back()));
}

TEST(Decomposition, MayHaveMorePesThanTasks) {
  auto const csr = csr_of({{7, 5}});
  auto const block = decomposed(csr, Topology::hierarchy("4:16", "1:10"));
  for (Block const pe : block) EXPECT_TRUE(pe >= 0 && pe < 64);
  EXPECT_EQ(block.size(), 35u);
}

}  // namespace
}  // namespace procmap::test
