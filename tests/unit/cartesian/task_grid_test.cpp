// SPDX-License-Identifier: MIT
#include "cartesian/task_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cartesian/find_grid.hpp"
#include "exec/cpu_executor.hpp"
#include "procmap/monitor.hpp"
#include "support/reference.hpp"
#include "support/task_grids.hpp"
#include "support/traced.hpp"
#include "support/view.hpp"

namespace procmap::test {
namespace {

std::optional<TaskGrid> grid_in(Csr const& csr) {
  Monitor const monitor;
  Run run(monitor);
  CpuExecutor ex(1, run);
  return find_grid(ex, view_of(csr));
}

/// Axes may come in any order.
std::vector<Vertex> in_order(std::vector<Vertex> sizes) {
  std::ranges::sort(sizes);
  return sizes;
}

TEST(TaskGrid, IsFoundInEveryStencil) {
  WorthwhileCases cases;
  for (auto const& stencil : stencils()) {
    if (!cases.next()) continue;
    auto const grid = grid_in(csr_of(stencil));

    ASSERT_TRUE(grid) << stencil.name();
    EXPECT_EQ(in_order(grid->sizes), in_order(stencil.sizes)) << stencil.name();
    EXPECT_EQ(grid->wraps, std::vector<bool>(stencil.sizes.size(), stencil.wraps)) << stencil.name();
  }
}

TEST(TaskGrid, IsFoundWhereSomeArcsGoElsewhere) {
  Stencil const stencil{{20, 25}};
  EdgeList edges;
  for_each_arc(csr_of(stencil), [&](Vertex u, Vertex v, Weight) { edges.emplace_back(u, v); });
  for (std::uint64_t i = 0; i < 25; ++i)
    edges.emplace_back(static_cast<Vertex>(random_below(500, 1, i)), static_cast<Vertex>(random_below(500, 2, i)));
  auto const grid = grid_in(csr_from_edges(500, edges));

  ASSERT_TRUE(grid);
  EXPECT_EQ(in_order(grid->sizes), stencil.sizes);
}

// From the last column of a row to the first one, but of another row.
TEST(TaskGrid, DoesNotWrapWhereSomeArcsGoElsewhere) {
  Stencil const stencil{{20, 25}};
  EdgeList edges;
  for_each_arc(csr_of(stencil), [&](Vertex u, Vertex v, Weight) { edges.emplace_back(u, v); });
  for (Vertex row = 0; row < 20; ++row) edges.emplace_back(25 * row + 24, 25 * ((row + 6) % 20));
  auto const grid = grid_in(csr_from_edges(500, edges));

  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->wraps, std::vector<bool>(2, false));
}

/// The same graph with its vertices in another order: new_name[v].
Csr renamed(Csr const& csr, std::vector<Vertex> const& new_name) {
  EdgeList edges;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight) { edges.emplace_back(new_name[at(u)], new_name[at(v)]); });
  return csr_from_edges(csr.num_vertices(), edges);
}

std::vector<Vertex> shuffled(Vertex n, std::uint64_t seed) {
  std::vector<Vertex> name(at(n));
  for (Vertex v = 0; v < n; ++v) name[at(v)] = v;
  for (Vertex v = n - 1; v > 0; --v) std::swap(name[at(v)], name[at(random_below(v + 1, seed, at(v)))]);
  return name;
}

TEST(TaskGrid, IsFoundInAnyOrderWhereTasksTalkToTheNextOnes) {
  for (auto const& sizes : std::vector<std::vector<Vertex>>{{12, 30}, {2, 9}, {9, 8, 7}, {40, 25}, {3, 3, 20}})
    for (auto const seed : each_seed(3, 1)) {
      Stencil const stencil{sizes};
      auto const names = shuffled(stencil.tasks(), seed);
      auto const grid = grid_in(renamed(csr_of(stencil), names));

      ASSERT_TRUE(grid) << stencil.name();
      EXPECT_EQ(in_order(grid->sizes), in_order(sizes)) << stencil.name();
      Stencil const same{grid->sizes};
      for (Vertex a = 0; a < stencil.tasks(); ++a)
        for (Vertex b = 0; b < a; ++b)
          ASSERT_EQ(same.talk(grid->point[at(names[at(a)])], grid->point[at(names[at(b)])]), stencil.talk(a, b));
    }
}

TEST(TaskGrid, IsNotFoundInAShuffledGridThatLacksOrHasAnEdge) {
  auto const names = shuffled(600, 4);
  EdgeList edges;
  for_each_arc(renamed(csr_of({{20, 30}}), names), [&](Vertex u, Vertex v, Weight) {
    if (u < v) edges.emplace_back(u, v);
  });
  for (std::size_t e = 0; e < edges.size(); e += 37) {
    auto fewer = edges, more = edges;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(e));
    more.emplace_back(edges[e].first, edges[(e * 7 + 100) % edges.size()].second);
    EXPECT_FALSE(grid_in(csr_from_edges(600, fewer))) << e;
    EXPECT_FALSE(grid_in(csr_from_edges(600, more))) << e;
  }
}

TEST(TaskGrid, KnowsHowMuchTrafficGoesAlongEachAxis) {
  Stencil const stencil{{9, 8, 7}, true};
  auto csr = csr_of(stencil);
  std::vector<Weight> weights;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight) {
    auto const along = stencil.steps(u, v);
    weights.push_back(along[0] > 0 ? 1 : along[1] > 0 ? 20 : 300);
  });
  csr.arc_weights = weights;
  auto const grid = grid_in(csr);

  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->traffic[1], 20 * grid->traffic[0]);
  EXPECT_EQ(grid->traffic[2], 300 * grid->traffic[0]);
}

// As the faces of a cube do: the rows in the middle talk to tasks far away.
TEST(TaskGrid, IsFoundInBlocksThatMeetInTheMiddle) {
  Vertex const side = 16, tasks = 6 * side * side;
  EdgeList edges;
  for_each_arc(csr_of({{side, side}, false, true}), [&](Vertex u, Vertex v, Weight) {
    for (Vertex first = 0; u < v && first < tasks; first += side * side) edges.emplace_back(first + u, first + v);
  });
  for (Vertex const first : {tasks / 2 - side, tasks / 2})
    for (Vertex i = 0; i < side; ++i)
      for (Vertex far = 1; far <= 16; ++far) edges.emplace_back(first + i, (first + i * 61 + far * 307) % tasks);
  auto const grid = grid_in(csr_from_edges(tasks, edges));

  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->sizes, (std::vector<Vertex>{6 * side, side}));
  EXPECT_EQ(grid->wraps, std::vector<bool>(2, false));
}

TEST(TaskGrid, IsNotFoundInOtherGraphs) {
  EXPECT_FALSE(grid_in(to_csr(star(2000))));
  EXPECT_FALSE(grid_in(to_csr(random_graph(600, 0.02, 1))));
  EXPECT_FALSE(grid_in(to_csr(random_geometric(2000, 1))));
  EXPECT_FALSE(grid_in(to_csr(rmat(9, 4000, 1))));
  EXPECT_FALSE(grid_in(to_csr(no_edges(100))));
  EXPECT_FALSE(grid_in(to_csr(complete(200))));
  EXPECT_FALSE(grid_in(renamed(to_csr(cycle(2000)), shuffled(2000, 1))));
}

}  // namespace
}  // namespace procmap::test
