// SPDX-License-Identifier: MIT
#include "multilevel/empty/fill_empty.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "graph/empty_blocks.hpp"
#include "support/backend.hpp"
#include "support/small_problems.hpp"

namespace procmap::test {
namespace {

/// fill_empty_blocks on the machine under test; writes to `blocks`.
Block fill(Backend& backend, Graph const& graph, Topology const& machine, Constraints const& constraints,
           Options const& options, std::vector<Block>& blocks) {
  auto const owned = backend.put(graph);
  auto const fixed = backend.put(options.fixed);
  auto const initial = backend.put(options.initial);
  auto const pull = backend.put(constraints.pull);
  auto block = backend.put(blocks);
  MappingTask const task{.topology = machine,
                         .capacities = constraints.pes,
                         .total_weight = graph.total_vertex_weight(),
                         .config = options.config,
                         .seed = 1,
                         .fixed = fixed.data(),
                         .given = {.pe = initial.data(), .pull = pull.data()},
                         .several = constraints.several};
  Block const count = fill_empty_blocks(backend.ex, owned.view(), task, block.data());
  blocks = backend.get(block);
  return count;
}

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

/// The first of the vertices that may go to made.empty for the least price; no_vertex if none may.
Vertex cheapest_to_move(Case const& made) {
  Weight least = std::numeric_limits<Weight>::max();
  Vertex best = no_vertex;
  for (std::size_t v = 0; v < made.blocks.size(); ++v) {
    auto moved = made;
    moved.blocks[v] = made.empty;
    if (!made.may_leave(v) || moved.price() >= least) continue;
    least = moved.price();
    best = static_cast<Vertex>(v);
  }
  return best;
}

TEST(FillEmpty, TakesTheFirstVertexThatCostsLeast) {
  for_each_case([](Case const& made) {
    if (empty_blocks(made.blocks, made.constraints.pes).size() != 1) return;
    auto const cheapest = cheapest_to_move(made);
    auto expected = made.blocks;
    if (cheapest != no_vertex) expected[at(cheapest)] = made.empty;

    auto filled = made;
    Backend backend;
    auto const count = fill(backend, filled.graph, filled.machine, filled.constraints, filled.options, filled.blocks);

    EXPECT_EQ(count, cheapest != no_vertex);
    EXPECT_EQ(filled.blocks, expected) << "the first of those that cost least";
  });
}

TEST(FillEmpty, AsksForTheCheapestVertexAnewForEveryPe) {
  for_each_case([](Case const& made) {
    auto empty = empty_blocks(made.blocks, made.constraints.pes);
    std::ranges::stable_sort(empty, {}, [&](Block pe) { return made.constraints.pes.of(pe); });
    auto expected = made;
    for (Block const pe : empty) {
      expected.empty = pe;
      if (auto const v = cheapest_to_move(expected); v != no_vertex) expected.blocks[at(v)] = pe;
    }

    auto filled = made;
    Backend backend;
    fill(backend, filled.graph, filled.machine, filled.constraints, filled.options, filled.blocks);

    EXPECT_EQ(filled.blocks, expected.blocks) << "neighbours of vertices that have moved have other prices";
  });
}

TEST(FillEmpty, IsTheSameOnAnyNumberOfThreads) {
  auto const graph = with_weights(random_geometric(20'000, 1), 1, 3, 5);  // several chunks of rows
  auto const machine = Topology::hierarchy("2:2:2", "1:10:100");
  auto blocks = random_blocks(graph.num_vertices(), machine.num_pes(), 1);
  std::ranges::replace_if(blocks, [](Block b) { return b == 2 || b == 5; }, 4);
  Options const options;
  auto const constraints = make_constraints(graph, machine, options);
  std::vector<Block> expected;
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    auto filled = blocks;
    EXPECT_EQ(fill(backend, graph, machine, constraints, options, filled), 2);
    if (expected.empty()) expected = filled;
    EXPECT_EQ(filled, expected);
  }
}

TEST(FillEmpty, FillsAllUnlessALoneVertexWouldHaveToLeave) {
  for_each_case([](Case made) {
    Backend backend;
    fill(backend, made.graph, made.machine, made.constraints, made.options, made.blocks);

    for (Block const pe : empty_blocks(made.blocks, made.constraints.pes)) {
      made.empty = pe;
      for (std::size_t v = 0; v < made.blocks.size(); ++v) EXPECT_FALSE(made.may_leave(v)) << v << " to " << pe;
    }
    for (std::size_t v = 0; v < made.options.fixed.size(); ++v)
      EXPECT_TRUE(made.options.fixed[v] == no_block || made.blocks[v] == made.options.fixed[v]) << v;
  });
}

/// Costs of which many are alike, and some the highest there is.
std::vector<Weight> some_costs(Vertex n, Weight different) {
  std::vector<Weight> costs;
  for (Vertex v = 0; v < n; ++v) {
    Weight const drawn = draw(different, 1, 1, at(v));
    costs.push_back(drawn % 7 == 6 ? std::numeric_limits<Weight>::max() : drawn - different / 2);
  }
  return costs;
}

TEST(CheapestFirst, GoesOnBehindWhatIsDropped) {
  constexpr Vertex n = 5000;
  auto const costs = some_costs(n, 1000);
  Backend backend;
  auto const put = backend.put(costs);
  CheapestFirst all(backend.ex, put.data(), n), some(backend.ex, put.data(), n);
  auto expected = all.from(0, at(n));

  for (std::size_t const seen : {100, 3, 1000}) {
    std::vector<char> gone;
    for (std::size_t i = 0; i < seen; ++i) gone.push_back(expected[i].vertex % 3 == 0);
    EXPECT_EQ(some.from(0, seen).size(), seen);
    some.drop(gone);
    for (std::size_t i = seen; i-- > 0;)
      if (gone[i]) expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
  }

  EXPECT_EQ(some.from(0, at(n)), expected);
}

TEST(CheapestFirst, ListsVerticesInOrder) {
  for (Vertex const n : {1, 100, 5000, 60'000})
    for (Weight const different : {3, 1000, 1'000'000}) {
      auto const costs = some_costs(n, different);
      std::vector<Candidate> expected;
      for (Vertex v = 0; v < n; ++v)
        if (costs[at(v)] < std::numeric_limits<Weight>::max()) expected.push_back({costs[at(v)], v});
      std::ranges::sort(expected);

      Backend backend;
      auto const put = backend.put(costs);
      CheapestFirst cheapest(backend.ex, put.data(), n);
      std::vector<Candidate> found;
      for (std::size_t count = 5;; count *= 3) {
        auto const more = cheapest.from(found.size(), count);
        found.insert(found.end(), more.begin(), more.end());
        if (more.size() < count) break;
      }

      EXPECT_EQ(found, expected) << n << ", " << different;
    }
}

}  // namespace
}  // namespace procmap::test
