// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refinement/flow/extreme_cuts.hpp"
#include "refinement/flow/narrow.hpp"
#include "refinement/flow/scratch.hpp"
#include "support/backend.hpp"
#include "support/flow_networks.hpp"

// Push-relabel on networks of all kinds: the value of a minimum cut and both extreme cuts.

namespace procmap::test {
namespace {

/// Solves the networks, each of which has a cut of capacity `known`, and writes what its flow falls short of that. With
/// `becomes`, vertices are contracted in the middle, and the search goes on from there; the cut is one that allows it.
template <class Exec>
void solve_on(Exec& ex, FlowArrays arrays, PairState* state, Edge num_networks, Weight* known,
              Contracted const* becomes) {
  ex.for_each_team(num_networks, 1 << 20, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto network = arrays.network_of(state[i], group.counters(state[i].counts));
    Weight missing = maximum_preflow(network, group, known[i]);
    mark_source_side(network, group);
    if (becomes != nullptr) {
      Vertex const count = list_becoming(network, becomes + state[i].first_vertex, group);
      missing = maximum_preflow(network, group, missing - contract_listed(network, group, count));
      mark_source_side(network, group);
    }
    if (group.rank() == 0) known[i] = missing;
  });
}

/// What tests may ask for.
struct Solving {
  int threads = 2;
  std::vector<Weight> known = {};  // capacities of some cuts, without what goes straight through vertices; by default
                                   // those that part the sink from all
  std::vector<Contracted> becomes = {};  // per vertex of all networks
};

std::vector<ExtremeCuts> solve(std::vector<FlowCase> const& flows, Solving how = {}) {
  HostNetworks host;
  for (auto const& flow : flows) host.add(flow);
  Backend backend(how.threads);
  FlowScratch<Backend::Exec> scratch;
  scratch.make_vertices(backend.ex, host.excess.size());
  scratch.row_begin = backend.put(host.row_begin);
  scratch.row_end = backend.put(host.row_end);
  scratch.excess = backend.put(host.excess);
  scratch.to_sink = backend.put(host.to_sink);
  scratch.arc = backend.put(host.arc);
  scratch.capacity = backend.put(host.capacity);
  auto const state = backend.put(host.state);
  auto const& known = how.known.empty() ? host.around_sink : how.known;
  auto const missing = backend.put(known);
  auto const becomes = backend.put(how.becomes);

  solve_on(backend.ex, scratch.view(), state.data(), static_cast<Edge>(flows.size()), missing.data(),
           how.becomes.empty() ? nullptr : becomes.data());

  auto const height = backend.get(scratch.height), near_source = backend.get(scratch.near_source);
  auto const left = backend.get(missing);
  std::vector<ExtremeCuts> cuts;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    ExtremeCuts cut{host.certain[i] + known[i] - left[i], {}, {}};
    auto const first = at(host.state[i].first_vertex);
    for (std::size_t v = first; v < first + flows[i].from_source.size(); ++v) {
      cut.source_side.push_back(near_source[v] != 0);
      cut.sink_side.push_back(height[v] <= flows[i].num_vertices());
    }
    cuts.push_back(cut);
  }
  return cuts;
}

std::vector<FlowCase> small_cases() {
  std::vector<FlowCase> flows;
  for (auto const seed : each_seed(40))
    for (auto const& graph : {path(9), cycle(8), star(9), complete(7), grid2d(3, 3), no_edges(4), single_vertex(),
                              random_graph(9, 0.3, seed)})
      flows.push_back(flow_case(to_csr(graph), 1 + static_cast<Weight>(seed % 4), seed));
  return flows;
}

TEST(FlowNetwork, SmallNetworksHaveTheExtremeCutsThatEnumerationFinds) {
  auto const flows = small_cases();

  auto const cuts = solve(flows);

  for (std::size_t i = 0; i < flows.size(); ++i) EXPECT_EQ(cuts[i], enumerated_cuts(flows[i])) << "network " << i;
}

TEST(FlowNetwork, LargerNetworksHaveTheExtremeCutsThatAugmentingPathsFind) {
  for (auto const seed : each_seed(5)) {
    auto const flows = larger_cases(seed);

    auto const cuts = solve(flows);

    for (std::size_t i = 0; i < flows.size(); ++i)
      EXPECT_EQ(cuts[i], AugmentingPaths(flows[i]).solve()) << "network " << i;
  }
}

TEST(FlowNetwork, TheCutsDoNotDependOnTheOrderOfArcs) {
  auto const flows = larger_cases(3);
  auto reversed = flows;
  for (auto& flow : reversed) std::reverse(flow.links.begin(), flow.links.end());

  EXPECT_EQ(solve(reversed), solve(flows));
}

TEST(FlowNetwork, TheCutsDoNotDependOnWhetherAMinimumCutWasKnown) {
  auto const flows = larger_cases(2);
  auto const expected = solve(flows);
  HostNetworks host;
  std::vector<Weight> least;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    host.add(flows[i]);
    least.push_back(expected[i].value - host.certain[i]);
  }

  EXPECT_EQ(solve(flows, {.known = least}), expected);
}

TEST(FlowNetwork, TheCutsDoNotDependOnTheNumberOfThreads) {
  auto const flows = larger_cases(4);
  auto const expected = solve(flows, {.threads = 1});

  for (int const threads : Backend::thread_counts()) EXPECT_EQ(solve(flows, {.threads = threads}), expected) << threads;
}

TEST(FlowNetwork, AFlowGoesOnWhenVerticesBecomeOneWithTerminals) {
  for (auto const seed : each_seed(6)) {
    auto flows = larger_cases(seed);
    auto const small = small_cases();
    flows.insert(flows.end(), small.begin(), small.end());
    Solving how;
    std::vector<ExtremeCuts> expected;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      auto const becomes = some_contracted(flows[i], hash(seed, i));
      how.becomes.insert(how.becomes.end(), becomes.begin(), becomes.end());
      how.known.push_back(around_source(flows[i], becomes));
      expected.push_back(AugmentingPaths(tied_to_terminals(flows[i], becomes)).solve());
    }

    auto const cuts = solve(flows, how);

    for (std::size_t i = 0; i < flows.size(); ++i) EXPECT_EQ(cuts[i], expected[i]) << "network " << i;
  }
}

TEST(FlowNetwork, APathIsCutAtItsWeakestLinks) {
  // source =9= 0 -2- 1 -5- 2 -2- 3 =9= sink: two weakest links, one for each extreme cut.
  FlowCase const flow{{9, 0, 0, 0}, {0, 0, 0, 9}, {{0, 1, 2}, {1, 2, 5}, {2, 3, 2}}};

  auto const cut = solve({flow}).front();

  EXPECT_EQ(cut, (ExtremeCuts{2, {true, false, false, false}, {false, false, false, true}}));
}

TEST(FlowNetwork, WhatGoesStraightThroughAVertexIsPartOfTheValue) {
  FlowCase const flow{{7, 0}, {4, 2}, {}};

  auto const cut = solve({flow}).front();

  EXPECT_EQ(cut, (ExtremeCuts{4, {true, false}, {false, true}}));
}

}  // namespace
}  // namespace procmap::test
