// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "procmap/procmap.h"
#include "procmap/procmap.hpp"

namespace {

/// A ring of n vertices in the arrays that the C interface takes.
struct Ring {
  explicit Ring(std::int32_t n) {
    for (std::int32_t v = 0; v <= n; ++v) offsets.push_back(2 * v);
    for (std::int32_t v = 0; v < n; ++v) heads.insert(heads.end(), {(v + n - 1) % n, (v + 1) % n});
  }
  std::vector<std::int32_t> offsets, heads;
};

procmap_graph* ring_graph(std::int32_t n) {
  Ring const ring(n);
  procmap_graph* graph = nullptr;
  EXPECT_EQ(procmap_graph_create_i32(n, ring.offsets.data(), ring.heads.data(), nullptr, nullptr, &graph), PROCMAP_OK);
  return graph;
}

procmap_topology* machine(char const* text) {
  procmap_topology* topology = nullptr;
  EXPECT_EQ(procmap_topology_parse(text, &topology), PROCMAP_OK) << procmap_last_message();
  return topology;
}

std::string message() { return procmap_last_message(); }

TEST(CInterface, HasTheVersionsOfItsHeader) {
  EXPECT_EQ(procmap_abi_version(), PROCMAP_ABI_VERSION);
  EXPECT_NE(std::string(procmap_version()), "");
  EXPECT_STREQ(procmap_device_name(0), "cpu");
  EXPECT_EQ(procmap_device_name(-1), nullptr);
  EXPECT_EQ(procmap_device_name(1000), nullptr);
  EXPECT_STREQ(procmap_status_name(PROCMAP_ERROR_INTERNAL), "PROCMAP_ERROR_INTERNAL");
  EXPECT_STREQ(procmap_status_name(-1), "unknown");
  EXPECT_STREQ(procmap_status_name(11), "unknown");
}

TEST(CInterface, MapsAsTheCppInterfaceDoes) {
  constexpr std::int32_t n = 64;
  auto* const graph = ring_graph(n);
  auto* const topology = machine("4:4/1:10");
  procmap_options* options = nullptr;
  ASSERT_EQ(procmap_options_create(&options), PROCMAP_OK);
  EXPECT_EQ(procmap_options_set(options, "preset", "fast"), PROCMAP_OK);
  EXPECT_EQ(procmap_options_set_int(options, "seed", -1), PROCMAP_OK);
  EXPECT_EQ(procmap_options_set_real(options, "imbalance", 0.1), PROCMAP_OK);
  EXPECT_EQ(procmap_options_set(options, "refinement.rounds", "9"), PROCMAP_OK);
  std::vector<std::int32_t> pes(n);
  procmap_report* report = nullptr;
  ASSERT_EQ(procmap_map(graph, topology, options, pes.data(), &report), PROCMAP_OK) << message();

  Ring const ring(n);
  auto const same = procmap::Graph::from_csr(
      {std::vector<procmap::Edge>(ring.offsets.begin(), ring.offsets.end()), ring.heads, {}, {}});
  procmap::Options expected;
  expected.config = procmap::Config::preset("fast");
  procmap::set_field(expected.config, "refinement.rounds", "9");
  expected.seed = ~std::uint64_t{0};
  expected.imbalance = 0.1;
  auto const mapping = procmap::map(same, procmap::Topology::hierarchy("4:4", "1:10"), expected);
  EXPECT_EQ(pes, mapping.blocks);
  EXPECT_EQ(procmap_report_cost(report), mapping.report.cost);
  EXPECT_EQ(procmap_report_edge_cut(report), mapping.report.edge_cut);
  EXPECT_EQ(procmap_report_num_blocks(report), 16);
  EXPECT_EQ(procmap_report_block_weights(report)[3], mapping.report.block_weights[3]);
  EXPECT_TRUE(procmap_report_feasible(report));
  EXPECT_STREQ(procmap_report_device(report), "cpu");

  procmap_report* evaluated = nullptr;
  ASSERT_EQ(procmap_evaluate(graph, topology, nullptr, pes.data(), &evaluated), PROCMAP_OK) << message();
  EXPECT_EQ(procmap_report_cost(evaluated), mapping.report.cost);
  procmap_report_free(evaluated);
  procmap_report_free(report);
  procmap_options_free(options);
  procmap_topology_free(topology);
  procmap_graph_free(graph);
}

TEST(CInterface, GivesEveryRankAPeUnlessToldOtherwise) {
  auto* const graph = ring_graph(16);
  auto* const topology = machine("4:4/1:10");
  std::array<std::int32_t, 16> pes{};
  procmap_report* report = nullptr;
  ASSERT_EQ(procmap_map(graph, topology, nullptr, pes.data(), &report), PROCMAP_OK);
  EXPECT_EQ(procmap_report_max_block_weight(report), 1);
  procmap_report_free(report);
  procmap_topology_free(topology);
  procmap_graph_free(graph);
}

TEST(CInterface, TakesArraysOfEveryWidth) {
  std::vector<std::int64_t> const offsets{0, 1, 2}, heads{1, 0}, edges{7, 7}, loads{2, 3};
  std::vector<std::int32_t> const narrow_heads{1, 0};
  procmap_graph* graph = nullptr;
  ASSERT_EQ(procmap_graph_create_i64(2, offsets.data(), heads.data(), edges.data(), loads.data(), &graph), PROCMAP_OK);
  EXPECT_EQ(procmap_graph_total_vertex_weight(graph), 5);
  EXPECT_EQ(procmap_graph_num_edges(graph), 1);
  procmap_graph_free(graph);
  ASSERT_EQ(procmap_graph_wrap(2, offsets.data(), narrow_heads.data(), edges.data(), nullptr, &graph), PROCMAP_OK);
  EXPECT_EQ(procmap_graph_num_vertices(graph), 2);
  procmap_graph_free(graph);
}

TEST(CInterface, BalancesSeveralWeights) {
  constexpr std::int32_t n = 64;
  auto* const ring = ring_graph(n);
  // The first half of the ring has work, the second half memory: blocks that are pieces of the ring would not do.
  std::vector<std::int64_t> weights;
  for (std::int32_t v = 0; v < n; ++v) weights.insert(weights.end(), {v < n / 2 ? 3 : 0, v < n / 2 ? 0 : 5});
  procmap_graph* graph = nullptr;
  ASSERT_EQ(procmap_graph_with_weights(ring, 2, weights.data(), &graph), PROCMAP_OK) << message();
  procmap_graph_free(ring);  // shares its arrays with the new one
  EXPECT_EQ(procmap_graph_num_weights(graph), 2);
  EXPECT_EQ(procmap_graph_total_weight(graph, 0), 96);
  EXPECT_EQ(procmap_graph_total_weight(graph, 1), 160);
  EXPECT_EQ(procmap_graph_total_weight(graph, 2), 0);

  procmap_options* options = nullptr;
  ASSERT_EQ(procmap_options_create(&options), PROCMAP_OK);
  std::array<double, 2> const imbalances{0, 0.25};
  ASSERT_EQ(procmap_options_set_imbalances(options, imbalances.data(), 2), PROCMAP_OK);
  std::vector<std::int32_t> blocks(n);
  procmap_report* report = nullptr;
  ASSERT_EQ(procmap_partition(graph, 4, options, blocks.data(), &report), PROCMAP_OK) << message();
  EXPECT_TRUE(procmap_report_feasible(report));
  EXPECT_EQ(procmap_report_num_weights(report), 2);
  EXPECT_EQ(procmap_report_max_block_weight_of(report, 0), 24);
  EXPECT_EQ(procmap_report_capacity_of(report, 1), 50);
  EXPECT_LE(procmap_report_max_block_weight_of(report, 1), 50);
  EXPECT_DOUBLE_EQ(procmap_report_imbalance_of(report, 1),
                   static_cast<double>(procmap_report_max_block_weight_of(report, 1)) / 40 - 1);
  std::array<std::int64_t, 4> memory{};
  for (std::int32_t v = n / 2; v < n; ++v) memory[static_cast<std::size_t>(blocks[static_cast<std::size_t>(v)])] += 5;
  for (int b = 0; b < 4; ++b)
    EXPECT_EQ(procmap_report_block_weights_of(report, 1)[b], memory[static_cast<std::size_t>(b)]);
  EXPECT_EQ(procmap_report_block_weights_of(report, 2), nullptr);
  EXPECT_EQ(procmap_report_capacity_of(report, -1), 0);

  // Capacities of every block and weight; the last block takes no memory.
  std::array<std::int64_t, 8> const capacities{24, 60, 24, 60, 24, 60, 24, 0};
  ASSERT_EQ(procmap_options_set_capacities(options, capacities.data(), 8), PROCMAP_OK);
  auto* const topology = machine("flat:4");
  ASSERT_EQ(procmap_map(graph, topology, options, blocks.data(), nullptr), PROCMAP_OK) << message();
  procmap_report* evaluated = nullptr;
  ASSERT_EQ(procmap_evaluate(graph, topology, options, blocks.data(), &evaluated), PROCMAP_OK) << message();
  EXPECT_TRUE(procmap_report_feasible(evaluated));
  EXPECT_EQ(procmap_report_block_weights_of(evaluated, 1)[3], 0);
  procmap_report_free(evaluated);
  procmap_report_free(report);
  procmap_options_free(options);
  procmap_topology_free(topology);
  procmap_graph_free(graph);
}

TEST(CInterface, NamesWhatIsWrongWithSeveralWeights) {
  auto* const ring = ring_graph(2);
  std::array<std::int64_t, 4> const weights{1, 2, 3, -4};
  procmap_graph* graph = nullptr;
  EXPECT_EQ(procmap_graph_with_weights(ring, 2, weights.data(), &graph), PROCMAP_ERROR_GRAPH);
  EXPECT_EQ(message(), "vertex_weights[1, 1] = -4 is negative");
  EXPECT_EQ(procmap_graph_with_weights(ring, 9, weights.data(), &graph), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(message(), "num_weights = 9 is not in [1, 8]");
  EXPECT_EQ(procmap_graph_with_weights(ring, 0, weights.data(), &graph), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_graph_with_weights(ring, 2, nullptr, &graph), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_graph_with_weights(nullptr, 2, weights.data(), &graph), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(graph, nullptr);
  procmap_graph_free(ring);
}

TEST(CInterface, NamesWhatIsWrongWithAGraph) {
  procmap_graph* graph = nullptr;
  std::array<std::int64_t, 3> const offsets{0, 1, 2};
  std::array<std::int64_t, 2> const far_heads{std::int64_t{1} << 32, 0}, heads{1, 1};
  EXPECT_EQ(procmap_graph_create_i64(2, offsets.data(), far_heads.data(), nullptr, nullptr, &graph),
            PROCMAP_ERROR_GRAPH);
  EXPECT_NE(message().find("4294967296"), std::string::npos) << message();
  EXPECT_EQ(procmap_graph_create_i64(2, offsets.data(), heads.data(), nullptr, nullptr, &graph), PROCMAP_ERROR_GRAPH);
  EXPECT_NE(message(), "");
  EXPECT_EQ(procmap_graph_create_i64(-1, offsets.data(), heads.data(), nullptr, nullptr, &graph),
            PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_graph_create_i64(2, nullptr, heads.data(), nullptr, nullptr, &graph), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(message(), "offsets is NULL");
  EXPECT_EQ(procmap_graph_create_i64(2, offsets.data(), nullptr, nullptr, nullptr, &graph), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_graph_create_i64(2, offsets.data(), heads.data(), nullptr, nullptr, nullptr),
            PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_graph_read_metis("/nowhere", &graph), PROCMAP_ERROR_FILE);
  EXPECT_NE(message().find("/nowhere"), std::string::npos);
  EXPECT_EQ(graph, nullptr);
}

TEST(CInterface, NamesWhatIsWrongWithAMachine) {
  procmap_topology* topology = nullptr;
  std::array<std::int32_t, 2> const sizes{4, 0};
  std::array<std::int64_t, 4> const distances{1, 10, 2, 0};
  EXPECT_EQ(procmap_topology_hierarchy(2, sizes.data(), distances.data(), &topology), PROCMAP_ERROR_TOPOLOGY);
  EXPECT_EQ(procmap_topology_hierarchy(9, sizes.data(), distances.data(), &topology), PROCMAP_ERROR_TOPOLOGY);
  EXPECT_EQ(procmap_topology_hierarchy(0, sizes.data(), distances.data(), &topology), PROCMAP_ERROR_TOPOLOGY);
  EXPECT_EQ(procmap_topology_hierarchy(2, nullptr, distances.data(), &topology), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_topology_flat(0, &topology), PROCMAP_ERROR_TOPOLOGY);
  EXPECT_EQ(procmap_topology_torus(1, sizes.data(), nullptr, nullptr), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_topology_matrix(2, distances.data(), &topology), PROCMAP_ERROR_TOPOLOGY);
  EXPECT_EQ(procmap_topology_matrix(-2, distances.data(), &topology), PROCMAP_ERROR_TOPOLOGY);
  EXPECT_EQ(procmap_topology_parse(nullptr, &topology), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(topology, nullptr);
}

TEST(CInterface, NamesWhatIsWrongWithAnOption) {
  procmap_options* options = nullptr;
  ASSERT_EQ(procmap_options_create(&options), PROCMAP_OK);
  EXPECT_EQ(procmap_options_set(options, "preset", "fastest"), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(procmap_options_set(options, "seed", "1x"), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(message(), "seed = \"1x\" is not an integer in range");
  EXPECT_EQ(procmap_options_set(options, "imbalance", ""), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(procmap_options_set(options, "allow_empty", "maybe"), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(procmap_options_set(options, "no.such", "1"), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(procmap_options_set(options, nullptr, "1"), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_options_set_int(options, "threads", std::int64_t{1} << 40), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(procmap_options_set_capacities(options, nullptr, 3), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_options_set_fixed(options, nullptr, -1), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_options_set(nullptr, "seed", "1"), PROCMAP_ERROR_ARGUMENT);
  procmap_options_free(options);
}

TEST(CInterface, LeavesResultsAloneIfACallFails) {
  auto* const graph = ring_graph(8);
  auto* const topology = machine("flat:4");
  procmap_options* options = nullptr;
  ASSERT_EQ(procmap_options_create(&options), PROCMAP_OK);
  ASSERT_EQ(procmap_options_set(options, "imbalance", "-1"), PROCMAP_OK);  // its range is the call's affair
  std::array<std::int32_t, 8> pes{};
  pes.fill(-5);
  auto* const untouched = reinterpret_cast<procmap_report*>(&pes);
  auto* report = untouched;
  EXPECT_EQ(procmap_map(graph, topology, options, pes.data(), &report), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(report, untouched);
  EXPECT_EQ(pes[0], -5);
  EXPECT_EQ(procmap_map(graph, topology, nullptr, nullptr, nullptr), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_map(nullptr, topology, nullptr, pes.data(), nullptr), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_map(graph, nullptr, nullptr, pes.data(), nullptr), PROCMAP_ERROR_ARGUMENT);
  EXPECT_EQ(procmap_partition(graph, 0, nullptr, pes.data(), nullptr), PROCMAP_ERROR_TOPOLOGY);
  pes[2] = 4;
  EXPECT_EQ(procmap_evaluate(graph, topology, nullptr, pes.data(), &report), PROCMAP_ERROR_ARGUMENT);
  procmap_options_free(options);
  procmap_topology_free(topology);
  procmap_graph_free(graph);
}

TEST(CInterface, StopsWhenItsMonitorSaysSo) {
  auto* const graph = ring_graph(1000);
  procmap_options* options = nullptr;
  ASSERT_EQ(procmap_options_create(&options), PROCMAP_OK);
  int calls = 0;
  auto const interrupted = [](void* data) { return ++*static_cast<int*>(data) > 2 ? 1 : 0; };
  ASSERT_EQ(procmap_options_set_monitor(options, interrupted, nullptr, &calls), PROCMAP_OK);
  std::vector<std::int32_t> blocks(1000);
  EXPECT_EQ(procmap_partition(graph, 8, options, blocks.data(), nullptr), PROCMAP_ERROR_INTERRUPTED);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(procmap_partition(graph, 8, nullptr, blocks.data(), nullptr), PROCMAP_OK);
  EXPECT_EQ(message(), "");
  procmap_options_free(options);
  procmap_graph_free(graph);
}

TEST(CInterface, TakesNullWhereNothingIsMeant) {
  procmap_graph_free(nullptr);
  procmap_topology_free(nullptr);
  procmap_options_free(nullptr);
  procmap_report_free(nullptr);
  EXPECT_EQ(procmap_graph_num_vertices(nullptr), 0);
  EXPECT_EQ(procmap_graph_num_weights(nullptr), 0);
  EXPECT_EQ(procmap_graph_total_weight(nullptr, 0), 0);
  EXPECT_EQ(procmap_report_num_weights(nullptr), 0);
  EXPECT_EQ(procmap_report_imbalance_of(nullptr, 0), 0);
  EXPECT_EQ(procmap_topology_num_pes(nullptr), 0);
  EXPECT_EQ(procmap_report_cost(nullptr), 0);
  EXPECT_EQ(procmap_report_block_weights(nullptr), nullptr);
  EXPECT_STREQ(procmap_report_device(nullptr), "");
}

TEST(CInterface, CutsLongMessagesOff) {
  procmap_options* options = nullptr;
  ASSERT_EQ(procmap_options_create(&options), PROCMAP_OK);
  EXPECT_EQ(procmap_options_set(options, "seed", std::string(5000, 'x').c_str()), PROCMAP_ERROR_OPTION);
  EXPECT_EQ(message().size(), 1023u);
  procmap_options_free(options);
}

}  // namespace
