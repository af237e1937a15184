// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "objective/edge_cut.hpp"
#include "refinement/flow/cut_pair.hpp"
#include "support/flow_networks.hpp"
#include "support/refinement.hpp"
#include "support/thread_team.hpp"

// Minimum cuts by a team whose lanes are threads: visits meet as they do on a GPU.

namespace procmap::test {
namespace {

constexpr std::size_t no_fast_memory = 0, much_fast_memory = std::size_t{1} << 20;

/// Solves a network of which a cut is known, without what goes straight through vertices. Returns what the flow falls
/// short of it. If it is known what vertices become, they are contracted in the middle; the cut allows it. If a network
/// is parted the cut is that between its halves, and if that is a minimum one nothing is contracted.
Weight solve(ThreadTeam team, FlowArrays const& arrays, PairState& state, Edge arcs, Weight known, bool parted,
             std::vector<Contracted> const& becomes) {
  auto const given = arrays.network_of(state, team.counters(state.counts));
  CutSolver<ThreadTeam> solver(given, arcs, team.fast_memory());
  auto const network = solver.network();
  team_for(team, network.num_vertices, [&](Vertex v) {
    network.row_begin[v] = given.row_begin[v];
    network.row_end[v] = given.row_end[v];
    network.excess[v] = given.excess[v];
    network.to_sink[v] = given.to_sink[v];
  });
  team.sync();
  Weight missing = solver.solve(known, team, parted);
  if (!becomes.empty() && !(parted && missing == 0)) {
    solver.put_back(team);
    Vertex const count = list_becoming(network, becomes.data(), team);
    missing = solver.solve(missing - contract_listed(network, team, count), team, false);
  }
  team_for(team, network.num_vertices, [&](Vertex v) { given.height[v] = network.height[v]; });
  return missing;
}

/// Solves one network with so much fast memory; `known` is the capacity of a cut.
ExtremeCuts solve_with_threads(FlowCase const& flow, Weight known, std::size_t fast_memory,
                               std::vector<Vertex> const& in_a, std::vector<Contracted> const& becomes = {}) {
  HostNetworks host;
  host.add(flow, in_a);
  auto const n = at(flow.num_vertices());
  std::vector<Vertex> height(n), lists[2] = {height, height};
  auto& near_source = host.near_source;
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
  Weight missing = 0;
  std::vector<std::byte> memory(fast_memory);

  run_team(
      [&](ThreadTeam team) {
        Weight const left = solve(team, arrays, state, static_cast<Edge>(host.arc.size()), known - host.certain.front(),
                                  !in_a.empty(), becomes);
        if (team.rank() == 0) missing = left;
      },
      memory);

  ExtremeCuts cuts{known - missing, {}, {}};
  for (std::size_t v = 0; v < n; ++v) {
    cuts.source_side.push_back(near_source[v] != 0);
    cuts.sink_side.push_back(height[v] <= flow.num_vertices());
  }
  return cuts;
}

/// How much fast memory there is, and whether networks come in halves.
class TeamOfThreads : public testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  static std::size_t fast_memory() { return std::get<0>(GetParam()); }
  static std::vector<Vertex> block_of(FlowCase const& flow, std::uint64_t seed) {
    return std::get<1>(GetParam()) ? some_block(flow, seed) : std::vector<Vertex>{};
  }
};

TEST_P(TeamOfThreads, FindsTheExtremeCuts) {
  for (auto const seed : each_seed(3))
    for (auto const& flow : larger_cases(seed)) {
      auto const expected = AugmentingPaths(flow).solve();
      auto const in_a = block_of(flow, seed);
      auto const known =
          in_a.empty() ? std::vector{expected.value + 1, expected.value} : std::vector{present_cut(flow, in_a)};

      for (Weight const cut : known)
        EXPECT_EQ(solve_with_threads(flow, cut, fast_memory(), in_a), expected) << cut << ", seed " << seed;
    }
}

TEST_P(TeamOfThreads, FindsTheExtremeCutsOfHalvesIfTheOneBetweenThemIsTheLeast) {
  for (auto const seed : each_seed(3))
    for (auto const& flow : larger_cases(seed)) {
      auto const expected = AugmentingPaths(flow).solve();

      for (bool const source : {true, false}) {
        auto const& side = source ? expected.source_side : expected.sink_side;
        std::vector<Vertex> in_a;
        for (bool const is_in : side) in_a.push_back(is_in == source);
        EXPECT_EQ(solve_with_threads(flow, expected.value, fast_memory(), in_a), expected) << "seed " << seed;
      }
    }
}

/// What goes from the source to the sink by one vertex alone.
Weight straight_through(FlowCase const& flow) {
  Weight value = 0;
  for (std::size_t v = 0; v < flow.to_sink.size(); ++v) value += std::min(flow.to_sink[v], flow.from_source[v]);
  return value;
}

TEST_P(TeamOfThreads, GoesOnWhenVerticesBecomeOneWithTerminals) {
  for (auto const seed : each_seed(3))
    for (auto const& flow : larger_cases(seed)) {
      auto const in_a = block_of(flow, seed);
      auto becomes = some_contracted(flow, seed);
      if (!in_a.empty()) becomes = within_blocks(becomes, in_a);
      auto const expected = AugmentingPaths(tied_to_terminals(flow, becomes)).solve();
      Weight const known =
          in_a.empty() ? around_source(flow, becomes) + straight_through(flow) : present_cut(flow, in_a);
      if (!in_a.empty() && AugmentingPaths(flow).solve().value == known) continue;  // nothing is contracted

      EXPECT_EQ(solve_with_threads(flow, known, fast_memory(), in_a, becomes), expected) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(FastMemory, TeamOfThreads,
                         testing::Combine(testing::Values(no_fast_memory, much_fast_memory), testing::Bool()));

/// A graph in two blocks and a third one, and the cut of its first two.
struct PairCase {
  Graph graph;
  std::vector<Block> block;
  std::vector<Weight> capacity, load;
  std::vector<KeyedId> border;
  BlockPair pair{0, 1, 0, 0, 0};

  PairCase(Graph const& of, Weight slack, std::uint64_t seed)
      : graph(of), block(at(of.num_vertices())), capacity(3), load(3, 0) {
    for (std::size_t v = 0; v < block.size(); ++v) {
      block[v] =
          static_cast<Block>(hash(seed, v) % 6 == 0 ? hash(seed, v, 1) % 3 : std::uint64_t(3) * v / block.size());
      load[at(block[v])] += view_of(graph).vertex_weight(static_cast<Vertex>(v));
      border.push_back({0, static_cast<Vertex>(v)});  // more than there need be
    }
    for (std::size_t b = 0; b < 3; ++b) capacity[b] = load[b] + slack;
    pair.last = static_cast<Edge>(border.size());
  }
};

/// What became of it: per vertex, no_block outside the band and where there was no choice.
struct CutResult {
  CutChoice choice;
  Weight saved;
  std::vector<Block> block;

  bool operator==(CutResult const&) const = default;
};

/// The arrays of one team.
struct CutArrays {
  std::vector<Vertex> place, vertices, lists[2], height, near_source;
  std::vector<Edge> row_begin, row_end;
  std::vector<Weight> excess, to_sink, capacity;
  std::vector<std::uint32_t> listed;
  std::vector<FlowArc> arc;
  std::vector<GrownStep> step;

  CutArrays(std::size_t n, std::size_t m, int depth)
      : place(n, no_vertex),
        vertices(n),
        lists{vertices, vertices},
        height(n),
        near_source(n),
        row_begin(n),
        row_end(n),
        excess(n),
        to_sink(n),
        capacity(m),
        listed(n),
        arc(m),
        step(static_cast<std::size_t>(most_steps(depth, static_cast<Edge>(n)))) {}

  FlowArrays view() {
    return {place.data(),     vertices.data(), {lists[0].data(), lists[1].data()},
            row_begin.data(), row_end.data(),  excess.data(),
            to_sink.data(),   height.data(),   near_source.data(),
            listed.data(),    arc.data(),      capacity.data(),
            step.data()};
  }
};

/// Grows the band of the pair and cuts it.
template <class Team>
void cut_with(Team team, FlowProblem const& problem, BlockPair const& pair, FlowArrays const& arrays,
              PairState& state) {
  auto const band = arrays.band_of(state, problem.block, team.counters(state.counts));
  grow_band(problem, pair, state, band, team);
  Edge const arcs = band_arcs(problem.graph, state, band, team);
  if (team.rank() == 0) state.arcs = arcs;
  team.sync();
  cut_pair(problem, EdgeCut{3}, pair, state, arrays, team);
}

constexpr std::size_t one_lane = 0;

/// By a team of threads with so much fast memory, or by one lane.
CutResult cut(PairCase const& a_case, FlowConfig const& config, std::size_t fast_memory) {
  auto const graph = view_of(a_case.graph);
  FlowProblem const problem{graph,
                            {3, 3, a_case.capacity.data()},
                            a_case.block.data(),
                            a_case.load.data(),
                            nullptr,
                            a_case.border.data(),
                            config,
                            5};
  CutArrays arrays(a_case.block.size(), static_cast<std::size_t>(graph.num_arcs), config.max_depth);
  PairState state;
  std::vector<std::byte> memory(fast_memory);
  if (fast_memory == one_lane)
    cut_with(SerialGroup{}, problem, a_case.pair, arrays.view(), state);
  else
    run_team([&](ThreadTeam team) { cut_with(team, problem, a_case.pair, arrays.view(), state); }, memory);
  CutResult result{state.choice, state.choice == CutChoice::none ? 0 : state.saved,
                   std::vector<Block>(a_case.block.size(), no_block)};
  for (Vertex i = 0; i < state.size && state.choice != CutChoice::none; ++i)
    result.block[at(arrays.vertices[at(i)])] = arrays.near_source[at(i)] != 0 ? a_case.pair.a : a_case.pair.b;
  return result;
}

TEST(CutByThreads, IsThatOfOneLane) {
  constexpr std::size_t for_all = std::size_t{1} << 20, for_some = std::size_t{1} << 14, for_none = 5000;
  constexpr std::size_t memories[] = {for_all, for_some, for_none};
  FlowConfig config;
  config.retries = 3;
  int chosen = 0;
  std::uint64_t cases = 0;
  WorthwhileCases worthwhile;
  for (auto const seed : each_seed(2))
    for (auto const& [name, graph] : all_shapes(seed))
      for (auto const& weighted : {graph, with_weights(graph, seed, 9, 30), with_weights(graph, seed, 1 << 20, 3)}) {
        if (!worthwhile.next()) continue;
        auto const draw = random_below(12, seed, cases++);  // all bands, slacks and memories come up
        config.band = draw % 2 ? 0.1 : 0.6;
        PairCase const a_case(weighted, draw / 2 % 2 ? 0 : 5, seed);
        auto const expected = cut(a_case, config, one_lane);
        chosen += expected.choice != CutChoice::none;
        auto const memory = memories[draw / 4];
        EXPECT_EQ(cut(a_case, config, memory), expected) << name << ", seed " << seed << ", " << memory;
      }
  EXPECT_GT(chosen, 10);
}

}  // namespace
}  // namespace procmap::test
