// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refinement/flow/extreme_cuts.hpp"
#include "refinement/flow/scratch.hpp"
#include "support/backend.hpp"
#include "support/max_flow.hpp"
#include "support/reference.hpp"

// Push-relabel on networks of all kinds: the value of a minimum cut and both extreme cuts.

namespace procmap::test {
namespace {

/// Networks side by side in one set of arrays, each to be solved by a team of its own.
struct HostNetworks {
  std::vector<PairState> state;
  std::vector<Edge> row_begin, row_end, reverse;
  std::vector<Vertex> head;
  std::vector<Weight> residual, excess, to_sink;
  std::vector<Weight> certain;  // what goes straight through a vertex from source to sink

  void add(FlowCase const& flow);
};

void HostNetworks::add(FlowCase const& flow) {
  PairState work;
  work.first_vertex = static_cast<Edge>(excess.size());
  work.first_arc = static_cast<Edge>(head.size());
  work.size = flow.num_vertices();
  state.push_back(work);

  struct Arc {
    Vertex head;
    Edge reverse;
    Weight capacity;
  };
  std::vector<std::vector<Arc>> rows(flow.from_source.size());
  for (auto const& link : flow.links) {  // reverse: the place in the row first
    auto const forth = static_cast<Edge>(rows[at(link.u)].size()), back = static_cast<Edge>(rows[at(link.v)].size());
    rows[at(link.u)].push_back({link.v, back, link.capacity});
    rows[at(link.v)].push_back({link.u, forth, link.capacity});
  }
  std::vector<Edge> first(1, 0);
  for (auto const& row : rows) first.push_back(first.back() + static_cast<Edge>(row.size()));
  certain.push_back(0);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    row_begin.push_back(first[v]);
    row_end.push_back(first[v + 1]);
    for (auto const& arc : rows[v]) {
      head.push_back(arc.head);
      reverse.push_back(first[at(arc.head)] + arc.reverse);
      residual.push_back(arc.capacity);
    }
    Weight const common = std::min(flow.from_source[v], flow.to_sink[v]);
    certain.back() += common;
    excess.push_back(flow.from_source[v] - common);
    to_sink.push_back(flow.to_sink[v] - common);
  }
}

template <class Exec>
void solve_on(Exec& ex, FlowArrays arrays, PairState* state, Edge num_networks) {
  ex.for_each_team(num_networks, 1 << 20, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const network = arrays.network_of(state[i], group.counters(state[i].counts));
    team_for(group, network.num_vertices, [&](Vertex v) { network.received[v] = 0; });
    group.sync();
    maximum_preflow(network, group);
    mark_source_side(network, group);
  });
}

std::vector<ExtremeCuts> solve(std::vector<FlowCase> const& flows, int threads = 2) {
  HostNetworks host;
  for (auto const& flow : flows) host.add(flow);
  Backend backend(threads);
  FlowScratch<Backend::Exec> scratch;
  scratch.make_vertices(backend.ex, host.excess.size());
  scratch.row_begin = backend.put(host.row_begin);
  scratch.row_end = backend.put(host.row_end);
  scratch.excess = backend.put(host.excess);
  scratch.to_sink = backend.put(host.to_sink);
  scratch.head = backend.put(host.head);
  scratch.reverse = backend.put(host.reverse);
  scratch.capacity = backend.put(host.residual);
  scratch.residual = backend.put(host.residual);
  auto const state = backend.put(host.state);

  solve_on(backend.ex, scratch.view(), state.data(), static_cast<Edge>(flows.size()));

  auto const height = backend.get(scratch.height), near_source = backend.get(scratch.near_source);
  auto const to_sink = backend.get(scratch.to_sink);
  std::vector<ExtremeCuts> cuts;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    ExtremeCuts cut{host.certain[i], {}, {}};
    auto const first = at(host.state[i].first_vertex);
    for (std::size_t v = first; v < first + flows[i].from_source.size(); ++v) {
      cut.value += host.to_sink[v] - to_sink[v];
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

std::vector<FlowCase> larger_cases(std::uint64_t seed) {
  std::vector<FlowCase> flows;
  for (auto const& [name, graph] : all_shapes(seed))
    if (graph.num_vertices() <= 200) flows.push_back(flow_case(to_csr(graph), Weight{1} << (7 * (seed % 5)), seed));
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

TEST(FlowNetwork, TheCutsDoNotDependOnTheNumberOfThreads) {
  auto const flows = larger_cases(4);
  auto const expected = solve(flows, 1);

  for (int const threads : Backend::thread_counts()) EXPECT_EQ(solve(flows, threads), expected) << threads;
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
