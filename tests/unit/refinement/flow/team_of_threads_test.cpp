// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "refinement/flow/extreme_cuts.hpp"
#include "support/flow_networks.hpp"
#include "support/thread_team.hpp"

// Push-relabel by a team whose lanes are threads: visits meet as they do on a GPU.

namespace procmap::test {
namespace {

/// Solves one network, of which a cut of capacity `known` is known.
ExtremeCuts solve_with_threads(FlowCase const& flow, Weight known) {
  HostNetworks host;
  host.add(flow);
  auto const n = at(flow.num_vertices());
  std::vector<Vertex> height(n), near_source(n), lists[2] = {height, height};
  std::vector<std::uint32_t> listed(n);
  PairState& state = host.state.front();
  FlowArrays arrays;
  arrays.list[0] = lists[0].data();
  arrays.list[1] = lists[1].data();
  arrays.row_begin = host.row_begin.data();
  arrays.row_end = host.row_end.data();
  arrays.excess = host.excess.data();
  arrays.to_sink = host.to_sink.data();
  arrays.height = height.data();
  arrays.near_source = near_source.data();
  arrays.listed = listed.data();
  arrays.arc = host.arc.data();
  arrays.capacity = host.capacity.data();
  auto const network = arrays.network_of(state, state.counts);
  Weight missing = 0;

  run_team([&](ThreadTeam team) {
    Weight const left = maximum_preflow(network, team, known - host.certain.front());
    mark_source_side(network, team);
    if (team.rank() == 0) missing = left;
  });

  ExtremeCuts cuts{known - missing, {}, {}};
  for (std::size_t v = 0; v < n; ++v) {
    cuts.source_side.push_back(near_source[v] != 0);
    cuts.sink_side.push_back(height[v] <= flow.num_vertices());
  }
  return cuts;
}

TEST(TeamOfThreads, FindsTheExtremeCuts) {
  for (auto const seed : each_seed(10))
    for (auto const& flow : larger_cases(seed)) {
      auto const expected = AugmentingPaths(flow).solve();

      EXPECT_EQ(solve_with_threads(flow, expected.value + 1), expected) << "seed " << seed;
      EXPECT_EQ(solve_with_threads(flow, expected.value), expected) << "minimum known, seed " << seed;
    }
}

}  // namespace
}  // namespace procmap::test
