// SPDX-License-Identifier: MIT
#include "cartesian/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/graphs.hpp"
#include "support/reference.hpp"
#include "support/view.hpp"

namespace procmap::test {
namespace {

Layout laid_out(Graph const& graph, std::size_t axes) {
  auto const csr = to_csr(graph);
  return lay_out(view_of(csr), axes);
}

double between(Layout const& layout, Vertex a, Vertex b) {
  double squares = 0;
  for (std::size_t i = 0; i < layout.axes; ++i)
    squares += (layout.of(a, i) - layout.of(b, i)) * (layout.of(a, i) - layout.of(b, i));
  return std::sqrt(squares);
}

// Slices of a box lie one behind the other: the longest side of the box along the first axis, and so on.
TEST(Layout, OfABoxHasItsSidesInOrder) {
  Vertex const sizes[] = {4, 16, 8};
  auto const layout = laid_out(grid3d(sizes[0], sizes[1], sizes[2]), 3);
  Vertex const side_of_axis[] = {1, 2, 0}, stride[] = {1, sizes[0], sizes[0] * sizes[1]};

  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto const side = static_cast<std::size_t>(side_of_axis[axis]);
    std::vector<double> mean(static_cast<std::size_t>(sizes[side]), 0);
    for (Vertex v = 0; v < sizes[0] * sizes[1] * sizes[2]; ++v)
      mean[static_cast<std::size_t>(v / stride[side] % sizes[side])] += layout.of(v, axis);
    bool const is_rising = mean.front() < mean.back();
    EXPECT_TRUE(is_rising ? std::ranges::is_sorted(mean) : std::ranges::is_sorted(mean, std::greater{})) << axis;
  }
}

TEST(Layout, TurnsKeepDistances) {
  auto const layout = laid_out(grid3d(7, 6, 5), 3);

  for (int const turn : {0, 1, 2, 3}) {
    auto const other = turned(layout, turn);
    for (Vertex v = 1; v < 210; v += 13)
      EXPECT_NEAR(between(other, 0, v), between(layout, 0, v), 1e-9 * between(layout, 0, v)) << turn;
    EXPECT_EQ(turn == 0, other.at == layout.at);
  }
}

// A GPU lists the neighbours of a coarse vertex in another order.
TEST(Layout, DoesNotDependOnTheOrderOfArcs) {
  auto csr = to_csr(random_geometric(2000, 4));
  auto const layout = lay_out(view_of(csr), 3);
  for (std::size_t v = 0; v + 1 < csr.offsets.size(); ++v)
    std::reverse(csr.heads.begin() + csr.offsets[v], csr.heads.begin() + csr.offsets[v + 1]);

  EXPECT_EQ(lay_out(view_of(csr), 3).at, layout.at);
}

TEST(Layout, OfAnyGraphIsFinite) {
  for (auto const& graph : {empty(), single_vertex(), no_edges(50), path(2), star(30), complete(9), disconnected(3)}) {
    auto const layout = laid_out(graph, 3);
    EXPECT_EQ(layout.at.size(), 3 * static_cast<std::size_t>(graph.num_vertices()));
    EXPECT_TRUE(std::ranges::all_of(layout.at, [](double value) { return std::isfinite(value); }));
  }
}

}  // namespace
}  // namespace procmap::test
