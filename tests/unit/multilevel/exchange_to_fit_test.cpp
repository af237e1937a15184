// SPDX-License-Identifier: MIT
#include "multilevel/exchange_to_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "multilevel/exchange_prices.hpp"
#include "support/host_graphs.hpp"
#include "support/packing.hpp"

namespace procmap::test {
namespace {

Topology four_pes() { return Topology::hierarchy("2:2", "1:10"); }

bool exchange(Csr const& csr, PackingProblem const& problem, Topology const& machine, std::vector<Block>& block) {
  return exchange_to_fit(host_graph(csr), problem, *machine.as_hierarchy(), block);
}

/// Without edges.
bool exchange(PackingProblem const& problem, std::vector<Block>& block) {
  auto const csr = to_csr(no_edges(static_cast<Vertex>(block.size())));
  return exchange(csr, problem, Topology::flat(static_cast<Block>(problem.capacity.size())), block);
}

TEST(ExchangeToFit, LeavesWhatFits) {
  std::vector<Weight> const weight{3, 2, 1}, capacity{3, 3};
  std::vector<Block> block{0, 1, 1};

  EXPECT_FALSE(exchange({weight, capacity, {}}, block));
  EXPECT_EQ(block, (std::vector<Block>{0, 1, 1}));
}

TEST(ExchangeToFit, FindsTheExchangeThatFitsExactly) {
  std::vector<Weight> const weight{5, 3, 4, 2}, capacity{7, 7};
  std::vector<Block> block{0, 0, 1, 1};

  EXPECT_TRUE(exchange({weight, capacity, {}}, block));
  EXPECT_EQ(overload_of({weight, capacity, {}}, block), 0);
}

/// Of two vertices that fit, the one that is joined to nothing.
TEST(ExchangeToFit, MovesWhatCostsLeast) {
  auto const csr = csr_from_edges(4, {{0, 1}});
  std::vector<Weight> const weight{1, 1, 1, 1}, capacity{2, 2};
  std::vector<Block> block{0, 0, 0, 1};

  EXPECT_TRUE(exchange(csr, {weight, capacity, {}}, Topology::flat(2), block));
  EXPECT_EQ(block, (std::vector<Block>{0, 0, 1, 1}));
}

/// What leaves block 0 is joined to what stays, so it goes to the PE that is near.
TEST(ExchangeToFit, ExchangesWithTheBlockThatIsNear) {
  auto const csr = csr_from_edges(4, {{0, 1}});
  std::vector<Weight> const weight{3, 2, 1, 1}, capacity{4, 2, 2, 0};
  std::vector<Block> block{0, 0, 2, 1};

  EXPECT_TRUE(exchange(csr, {weight, capacity, {}}, four_pes(), block));
  EXPECT_EQ(block, (std::vector<Block>{0, 1, 2, 0}));
}

/// 0 and 2 are joined: if they change places the edge stays cut, and 1 and 3 do better although the sum of the prices
/// of both moves is lower for 0 and 2.
TEST(ExchangeToFit, KnowsThatExchangedNeighboursStayApart) {
  auto csr = csr_from_edges(4, {{0, 2}});
  csr.arc_weights = {9, 9};
  std::vector<Weight> const weight{3, 3, 2, 2}, capacity{5, 5};
  std::vector<Block> block{0, 0, 1, 1};

  EXPECT_TRUE(exchange(csr, {weight, capacity, {}}, Topology::flat(2), block));
  EXPECT_EQ(block[0], block[2]);
}

TEST(ExchangeToFit, KeepsFixedVerticesAndForbiddenBlocks) {
  std::vector<Weight> const weight{6, 3, 3, 0}, capacity{6, 0, 6};
  std::vector<Block> const fixed{2, no_block, no_block, no_block};
  std::vector<Block> block{2, 2, 1, 1};

  EXPECT_TRUE(exchange({weight, capacity, fixed}, block));
  EXPECT_EQ(block, (std::vector<Block>{2, 0, 0, 1}));
}

/// 2 would fit into block 1, but that would leave block 0 empty.
TEST(ExchangeToFit, KeepsTheLastVertexOfABlock) {
  std::vector<Weight> const weight{2, 1}, capacity{1, 3};
  std::vector<Block> block{0, 1};

  EXPECT_TRUE(exchange({weight, capacity, {}}, block));
  EXPECT_EQ(block, (std::vector<Block>{1, 0}));

  std::vector<Weight> const equal{2, 2}, room{1, 4};
  EXPECT_FALSE(exchange({equal, room, {}}, block));
  EXPECT_EQ(block, (std::vector<Block>{1, 0}));
}

TEST(ExchangeToFit, MayOverloadAnotherBlockLess) {
  std::vector<Weight> const weight{5, 5, 1}, capacity{6, 3};
  std::vector<Block> block{0, 0, 1};

  EXPECT_TRUE(exchange({weight, capacity, {}}, block));
  EXPECT_EQ(overload_of({weight, capacity, {}}, block), 2);
}

/// Of differing weights on four PEs, in stretches that are overloaded here and there.
struct Job {
  explicit Job(std::uint64_t seed, Weight percent = 100)
      : csr(to_csr(with_weights(random_geometric(200, seed), seed, 50, 9))),
        capacity(4, (percent * total_vertex_weight(csr) + 399) / 400),
        block(striped_blocks(csr.num_vertices(), 4)) {}

  PackingProblem problem() const { return {csr.vertex_weights, capacity, {}}; }

  Csr csr;
  std::vector<Weight> capacity;
  std::vector<Block> block;
};

TEST(ExchangeToFit, FitsWithoutAnySlack) {
  for (auto const seed : each_seed(20)) {
    Job job(seed);
    EXPECT_TRUE(exchange(job.csr, job.problem(), four_pes(), job.block));
    EXPECT_EQ(overload_of(job.problem(), job.block), 0) << seed;
  }
}

TEST(ExchangeToFit, NeverOverloadsMoreThanBefore) {
  for (auto const seed : each_seed(20)) {
    Job job(seed, 97);
    job.block = random_blocks(job.csr.num_vertices(), 4, seed);
    auto const before = overload_of(job.problem(), job.block);
    bool const is_better = exchange(job.csr, job.problem(), four_pes(), job.block);
    EXPECT_EQ(overload_of(job.problem(), job.block) < before, is_better) << seed;
  }
}

TEST(ExchangeToFit, DependsNotOnTheOrderOfArcs) {
  for (auto const seed : each_seed(10)) {
    Job job(seed);
    auto other = job.block;
    exchange(job.csr, job.problem(), four_pes(), job.block);
    exchange(with_reversed_rows(job.csr), job.problem(), four_pes(), other);
    EXPECT_EQ(job.block, other) << seed;
  }
}

TEST(ExchangePrices, OfMovesAndExchangesAreDifferencesOfJ) {
  auto const machine = Topology::hierarchy("3:1:2:2", "0:2:2:7");
  for (auto const seed : each_seed(5)) {
    auto const csr = to_csr(with_weights(random_graph(30, 0.3, seed), seed, 1, 9));
    auto const graph = host_graph(csr);
    auto block = random_blocks(30, machine.num_pes(), seed);
    ExchangePrices prices(graph, *machine.as_hierarchy(), block);
    std::vector<Weight> to_all(at(machine.num_pes()));
    for (std::uint64_t i = 0; i < 50; ++i) {
      auto const x = static_cast<Vertex>(random_below(30, seed, i, 1));
      auto const y = static_cast<Vertex>(random_below(30, seed, i, 2));
      auto const from = block[at(x)], to = block[at(y)];
      if (from == to) continue;
      auto const before = cost_of(csr, machine, block);
      prices.to_all(x, to_all);
      prices.set_target(from);
      prices.set_partner(x);
      auto const price = to_all[at(to)],
                 price_of_both = price + prices.to_target(y) + prices.correction(y, prices.from_target(to));

      block[at(x)] = to;
      prices.has_moved(x, from);
      ASSERT_EQ(2 * price, cost_of(csr, machine, block) - before);
      block[at(y)] = from;
      prices.has_moved(y, to);
      ASSERT_EQ(2 * price_of_both, cost_of(csr, machine, block) - before);
    }
  }
}

}  // namespace
}  // namespace procmap::test
