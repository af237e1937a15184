// SPDX-License-Identifier: MIT
#include "graph/empty_blocks.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/small_problems.hpp"
#include "support/traced.hpp"

namespace procmap::test {
namespace {

struct Case {
  Graph graph;
  Topology machine;
  Options options;
  Constraints constraints;
  std::vector<Block> blocks;  // of which one PE is empty, unless that one is forbidden
  Block empty;

  /// J and migration, both as edges counted once.
  Weight price() const {
    auto const n = static_cast<std::size_t>(graph.num_vertices());
    Weight sum = 0;
    for (std::size_t v = 0; v < n; ++v)
      for (auto e = at(graph.offsets()[v]); e < at(graph.offsets()[v + 1]); ++e)
        sum += graph.arc_weights()[e] * machine.distance(blocks[v], blocks[at(graph.heads()[e])]);
    sum /= 2;
    if (constraints.pull.empty()) return sum;
    for (std::size_t v = 0; v < n; ++v) sum += blocks[v] == options.initial[v] ? 0 : constraints.pull[v];
    return sum;
  }

  bool may_leave(std::size_t v) const {
    bool const is_free = options.fixed.empty() || options.fixed[v] == no_block;
    return is_free && std::ranges::count(blocks, blocks[v]) > 1 &&
           graph.vertex_weights()[v] <= constraints.pes.of(empty);
  }
};

/// f(case) for random graphs, machines and options, in a mapping that leaves one PE or more empty.
template <class F>
void for_each_case(F f) {
  for (auto const seed : each_seed(60))
    for (auto const& machine : small_machines()) {
      auto const n = static_cast<Vertex>(machine.num_pes() + draw(6, seed, 9));
      auto const graph = small_graph(n, seed);
      auto const options = small_options(graph, machine.num_pes(), seed);
      auto constraints = make_constraints(graph, machine, options);
      auto const empty = static_cast<Block>(draw(machine.num_pes(), seed, 10));
      auto blocks = random_blocks(n, machine.num_pes(), seed);
      for (std::size_t v = 0; v < blocks.size(); ++v) {
        if (!options.fixed.empty() && options.fixed[v] != no_block) blocks[v] = options.fixed[v];
        if (blocks[v] == empty) blocks[v] = (empty + 1) % machine.num_pes();
      }
      if (constraints.pes.forbidden(empty) || std::ranges::count(options.fixed, empty) > 0) continue;
      f(Case{graph, machine, options, std::move(constraints), std::move(blocks), empty});
    }
}

TEST(EmptyBlocks, AreFilledByTheVertexThatCostsLeast) {
  for_each_case([](Case const& made) {
    if (empty_blocks(made.blocks, made.constraints.pes).size() != 1) return;
    Weight least = std::numeric_limits<Weight>::max();
    for (std::size_t v = 0; v < made.blocks.size(); ++v) {
      auto moved = made;
      moved.blocks[v] = made.empty;
      if (made.may_leave(v)) least = std::min(least, moved.price());
    }

    auto filled = made;
    auto const count =
        fill_empty_blocks(filled.graph, filled.machine, filled.constraints, filled.options, filled.blocks);

    EXPECT_EQ(count, least < std::numeric_limits<Weight>::max());
    if (count > 0) {
      EXPECT_EQ(filled.price(), least);
    } else {
      EXPECT_EQ(filled.blocks, made.blocks);
    }
  });
}

TEST(EmptyBlocks, AreFilledAlikeByAnyNumberOfThreads) {
  auto const graph = with_weights(random_geometric(20'000, 1), 1, 3, 5);  // several chunks of rows
  auto const machine = Topology::hierarchy("2:2:2", "1:10:100");
  auto blocks = random_blocks(graph.num_vertices(), machine.num_pes(), 1);
  std::ranges::replace_if(blocks, [](Block b) { return b == 2 || b == 5; }, 4);
  auto const filled = [&](int threads) {
    Options options;
    options.threads = threads;
    auto own = blocks;
    EXPECT_EQ(fill_empty_blocks(graph, machine, make_constraints(graph, machine, options), options, own), 2);
    return own;
  };

  auto const expected = filled(1);
  for (int const threads : {2, 5}) EXPECT_EQ(filled(threads), expected) << threads;
}

TEST(EmptyBlocks, AreAllFilledUnlessALoneVertexWouldHaveToLeave) {
  for_each_case([](Case made) {
    fill_empty_blocks(made.graph, made.machine, made.constraints, made.options, made.blocks);

    for (Block const pe : empty_blocks(made.blocks, made.constraints.pes)) {
      made.empty = pe;
      for (std::size_t v = 0; v < made.blocks.size(); ++v) EXPECT_FALSE(made.may_leave(v)) << v << " to " << pe;
    }
    for (std::size_t v = 0; v < made.options.fixed.size(); ++v)
      EXPECT_TRUE(made.options.fixed[v] == no_block || made.blocks[v] == made.options.fixed[v]) << v;
  });
}

TEST(EmptyBlocks, NeedALightFreeVertexEach) {
  auto const graph = with_weights(path(4), 1, 1, 1);
  auto const can_fill = [&](std::vector<Weight> const& capacity, std::vector<Block> const& fixed) {
    return can_fill_all(graph, PeCapacities(capacity, {}), fixed);
  };

  EXPECT_TRUE(can_fill({1, 1, 1, 1}, {}));
  EXPECT_FALSE(can_fill({1, 1, 1, 1, 1}, {}));
  EXPECT_TRUE(can_fill({1, 0, 1, 1, 1}, {})) << "a forbidden PE needs none";
  EXPECT_FALSE(can_fill({4, 1, 1, 1}, {0, 0, no_block, no_block})) << "two free vertices for three PEs";
  EXPECT_TRUE(can_fill({4, 1, 1}, {0, 0, no_block, no_block})) << "the first has fixed ones";
}

TEST(EmptyBlocks, ThatAreTooSmallForAnyVertexAreNotAskedFor) {
  auto csr = to_csr(path(3));
  csr.vertex_weights = {2, 2, 5};
  auto const graph = csr.graph();
  auto const can_fill = [&](std::vector<Weight> const& capacity) {
    return can_fill_all(graph, PeCapacities(capacity, {}), {});
  };

  EXPECT_FALSE(can_fill({9, 1, 2}));
  EXPECT_TRUE(can_fill({9, 2, 2}));
  EXPECT_TRUE(can_fill({2, 5, 2}));
  EXPECT_FALSE(can_fill({2, 4, 3}));
}

}  // namespace
}  // namespace procmap::test
