// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "multilevel/methods/multisection.hpp"
#include "support/backend.hpp"
#include "support/clusters.hpp"
#include "support/contraction.hpp"

// What a multisection does with its graph between two levels of the machine.

namespace procmap::test {
namespace {

constexpr std::uint64_t seeds[] = {1, 2, 3};

TEST(DropCrossArcs, KeepsExactlyTheArcsWithinAScope) {
  for (auto const seed : each_seed(seeds))
    for (Block const num_scopes : {1, 2, 9})
      for (auto const& [shape, graph] : all_shapes(seed)) {
        SCOPED_TRACE(shape + ", " + std::to_string(num_scopes) + " scopes, seed " + std::to_string(seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const scope = random_blocks(csr.num_vertices(), num_scopes, seed);
        auto whole = backend.put(csr);
        whole.max_degree = longest_row(csr);

        auto const kept = drop_cross_arcs(backend.ex, whole.view(), backend.put(scope).data());

        EXPECT_EQ(kept.max_degree, whole.max_degree) << "a bound";
        auto const expected = without_cross_arcs(csr, scope);
        auto const result = backend.get(kept);
        EXPECT_EQ(kept.num_vertices, csr.num_vertices());
        EXPECT_EQ(kept.num_arcs, static_cast<Edge>(expected.heads.size()));
        EXPECT_EQ(result.offsets, expected.offsets);
        EXPECT_EQ(sorted_arcs(result), sorted_arcs(expected));
        EXPECT_EQ(result.vertex_weights, expected.vertex_weights);
        expect_symmetric_without_loops(result);
      }
}

TEST(DropCrossArcs, IsTheSameOnAnyNumberOfThreads) {
  for (auto const& [shape, graph] : large_shapes(1))
    for (int const threads : Backend::thread_counts()) {
      Backend backend(threads);
      auto const csr = to_csr(graph);
      auto const scope = striped_blocks(csr.num_vertices(), 12);
      auto const whole = backend.put(csr);

      auto const kept = drop_cross_arcs(backend.ex, whole.view(), backend.put(scope).data());

      auto const expected = without_cross_arcs(csr, scope);
      auto const result = backend.get(kept);
      EXPECT_EQ(result.offsets, expected.offsets) << shape << ", " << threads << " threads";
      EXPECT_EQ(sorted_arcs(result), sorted_arcs(expected)) << shape << ", " << threads << " threads";
    }
}

TEST(ScopeWeights, AddUpTheVerticesOfEveryScope) {
  for (auto const seed : each_seed(seeds))
    for (Block const num_scopes : {1, 2, 9, 1000})
      for (auto const& [shape, graph] : all_shapes(seed)) {
        SCOPED_TRACE(shape + ", " + std::to_string(num_scopes) + " scopes, seed " + std::to_string(seed));
        Backend backend;
        auto const csr = to_csr(graph);
        auto const scope = random_blocks(csr.num_vertices(), num_scopes, seed);
        auto const device_graph = backend.put(csr);

        auto const weight = scope_weights(backend.ex, device_graph.view(), backend.put(scope).data(), num_scopes);

        EXPECT_EQ(weight, weights_by(csr, scope, at(num_scopes)));
      }
}

TEST(ScopeWeights, WithoutScopesAreTheTotal) {
  for (auto const& [shape, graph] : large_shapes(1))
    for (int const threads : Backend::thread_counts()) {
      Backend backend(threads);
      auto const device_graph = backend.put(graph);

      EXPECT_EQ(scope_weights(backend.ex, device_graph.view(), nullptr, 1),
                std::vector<Weight>{graph.total_vertex_weight()})
          << shape << ", " << threads << " threads";
    }
}

}  // namespace
}  // namespace procmap::test
