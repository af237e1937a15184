// SPDX-License-Identifier: MIT
#include "multilevel/methods/multisection.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/imbalance.hpp"
#include "support/mapping_task.hpp"

namespace procmap::test {
namespace {

std::vector<Block> multisect_on(MappingJob const& job, SplitMethod method, int threads = 2) {
  Backend backend(threads);
  auto const graph = backend.put(job.graph);
  return backend.get(multisect(backend.ex, graph.view(), job.task(), method));
}

void expect_feasible(MappingJob const& job, std::vector<Block> const& block, std::string const& where) {
  ASSERT_EQ(block.size(), at(job.graph.num_vertices())) << where;
  for (Block const b : block) ASSERT_TRUE(b >= 0 && b < job.topology.num_pes()) << where << ", block " << b;
  for (Weight const load : loads_of(job.graph, block, job.topology.num_pes())) ASSERT_LE(load, job.capacity) << where;
}

TEST(Multisect, EndsFeasibleWithUnitWeights) {
  for (auto const seed : each_seed(2))
    for_each_unit_shape(seed, [&](Graph const& graph, std::string const& name) {
      for (auto const& topology : small_machines())
        for (auto const* const preset : {"default", "hm"})
          for (double const imbalance : {0.0, 0.03}) {
            MappingJob const job(graph, topology, preset, imbalance, seed);
            expect_feasible(job, multisect_on(job, SplitMethod::multilevel),
                            name + ", " + preset + ", eps " + std::to_string(imbalance) + ", " + topology.describe());
          }
    });
}

TEST(Multisect, EndsFeasibleWithUnitWeightsWithoutRefinement) {
  for (auto const seed : each_seed(5))
    for_each_unit_shape(seed, [&](Graph const& graph, std::string const& name) {
      for (auto const& topology : small_machines()) {
        MappingJob const job(graph, topology, "im", 0.03, seed);
        expect_feasible(job, multisect_on(job, SplitMethod::bisection), name + ", " + topology.describe());
      }
    });
}

TEST(Multisect, PutsEveryVertexOfEveryShapeOnAPe) {
  for (auto const seed : each_seed(2))
    for (auto const& [name, graph] : all_shapes(seed))
      for (auto const& topology : small_machines()) {
        MappingJob const job(graph, topology, "default", 0.03, seed);
        for (Block const b : multisect_on(job, SplitMethod::multilevel))
          ASSERT_TRUE(b >= 0 && b < topology.num_pes()) << name << ", block " << b;
      }
}

TEST(Multisect, KeepsCliquesOfTheMachineTogether) {
  // Six cliques of eight, two to a node: nothing has to leave a processor.
  auto const clique = complete(8);
  MappingJob const job(side_by_side({clique, clique, clique, clique, clique, clique}),
                       Topology::hierarchy("2:3", "1:10"), "default", 0.0, 3);

  auto const block = multisect_on(job, SplitMethod::multilevel);

  EXPECT_EQ(cost_of(to_csr(job.graph), job.topology, block), 0);
}

TEST(Multisect, GivesTheSameBytesOnAnyNumberOfThreads) {
  for (auto const* const preset : {"default", "hm"}) {
    MappingJob const job(with_weights(random_geometric(6000, 2), 2, 3, 9), Topology::hierarchy("4:2:3", "1:10:100"),
                         preset, 0.03, 2);
    auto const expected = multisect_on(job, SplitMethod::multilevel, 1);
    for (int const threads : Backend::thread_counts())
      EXPECT_EQ(multisect_on(job, SplitMethod::multilevel, threads), expected)
          << preset << ", " << threads << " threads";
  }
}

TEST(ChildCapacity, StaysPositiveWhenPesHoldMoreThanCanBeCounted) {
  constexpr auto huge = Weight{1} << 62;
  for (int depth = 1; depth <= 8; ++depth)
    EXPECT_GE(child_capacity(1000, PeCapacities(1 << 22, huge).room(0, 1 << 21),
                             PeCapacities(1 << 22, huge).room(0, 1 << 22), depth),
              1000)
        << "depth " << depth;
}

}  // namespace
}  // namespace procmap::test
