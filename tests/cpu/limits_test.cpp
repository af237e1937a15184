// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "exec/cpu_executor.hpp"
#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

Topology machine() { return Topology::hierarchy("2:3:2", "1:10:100"); }

Options options(std::string_view preset) {
  Options options;
  options.config = Config::preset(preset);
  options.threads = 2;
  return options;
}

/// Every edge weighs `arc`, every vertex `vertex`.
Graph with_constant_weights(Graph const& graph, Weight vertex, Weight arc) {
  auto csr = to_csr(graph);
  csr.arc_weights.assign(csr.heads.size(), arc);
  csr.vertex_weights.assign(static_cast<std::size_t>(csr.num_vertices()), vertex);
  return csr.graph();
}

TEST(Limits, CostsOfHugeWeightsAreExact) {
  for (Weight const weight : {Weight{1} << 28, (Weight{1} << 33) + 3})
    for (auto const& preset : {"im", "hm", "fast", "default"}) {
      auto const graph = with_constant_weights(grid2d(20, 20), weight, weight);

      auto const mapping = map(graph, machine(), options(preset));

      EXPECT_EQ(mapping.report.cost, cost_of(to_csr(graph), machine(), mapping.blocks)) << preset << ", " << weight;
      EXPECT_EQ(mapping.report.cost % weight, 0) << preset;
      EXPECT_TRUE(mapping.report.feasible) << preset;
    }
}

TEST(Limits, TrafficInHugeUnitsIsMappedAsWellAsInSmallOnes) {
  for (auto const& preset : {"im", "hm", "fast", "default"}) {
    auto const graph = random_geometric(500, 3);
    auto const small = map(graph, machine(), options(preset)).report;
    auto const large = map(with_constant_weights(graph, 1, Weight{1} << 40), machine(), options(preset)).report;

    EXPECT_NEAR(static_cast<double>(large.cost) / static_cast<double>(Weight{1} << 40), static_cast<double>(small.cost),
                0.25 * static_cast<double>(small.cost))
        << preset;
  }
}

TEST(Limits, ACostThatCouldReachTwoToThe62IsRefusedBeforeAnyWork) {
  // 2 arcs of weight 2^61 / 100 at distance 100: just below 2^62; one more is too much.
  auto const below = with_constant_weights(path(2), 1, (Weight{1} << 61) / 100);
  auto const above = with_constant_weights(path(2), 1, (Weight{1} << 61) / 100 + 1);

  EXPECT_NO_THROW(map(below, machine(), options("default")));
  EXPECT_NO_THROW(evaluate(below, machine(), std::vector<Block>{0, 11}));
  EXPECT_THROW(map(above, machine(), options("default")), std::overflow_error);
  EXPECT_THROW(evaluate(above, machine(), std::vector<Block>{0, 11}), std::overflow_error);
  auto const message = message_of<std::overflow_error>([&] { map(above, machine(), options("default")); });
  EXPECT_NE(message.find("100"), std::string::npos) << message;
}

TEST(Limits, CostsNearTwoToThe62AreExact) {
  auto const graph = with_constant_weights(path(2), 1, (Weight{1} << 61) / 100);

  auto const report = evaluate(graph, machine(), std::vector<Block>{0, 11});

  EXPECT_EQ(report.cost, 2 * ((Weight{1} << 61) / 100) * 100);
}

TEST(Limits, LoadsNearTwoToThe62AreMapped) {
  auto const graph = with_constant_weights(grid2d(8, 8), (Weight{1} << 55) - 1, 1);
  for (auto const& preset : {"im", "hm", "fast", "default"}) {
    auto const mapping = map(graph, machine(), options(preset));

    EXPECT_EQ(mapping.report.block_weights, weights_by(to_csr(graph), mapping.blocks, 12)) << preset;
  }
}

TEST(Limits, BadBlocksAreNamed) {
  auto const graph = path(3);
  auto const message_for = [&](std::vector<Block> const& blocks) {
    return message_of<std::invalid_argument>([&] { evaluate(graph, machine(), blocks); });
  };

  EXPECT_EQ(message_for({0, 12, 0}), "blocks[1] = 12 is outside [0, 12)");
  EXPECT_EQ(message_for({0, 0, -1}), "blocks[2] = -1 is outside [0, 12)");
  EXPECT_EQ(message_for({0, 0}), "blocks has 2 entries, expected 3");
}

TEST(Limits, BadOptionsAreRefused) {
  auto how = options("default");
  how.imbalance = -1;
  EXPECT_THROW(map(path(3), machine(), how), ConfigError);

  how = options("default");
  how.config.refinement.rounds = -1;
  EXPECT_THROW(map(path(3), machine(), how), ConfigError);
}

TEST(Interrupt, StopsAfterAnyNumberOfPollsAndTheNextCallWorks) {
  auto const graph = random_geometric(1500, 2);
  for (auto const& preset : {"im", "hm", "fast", "default"}) {
    auto const expected = map(graph, machine(), options(preset)).blocks;
    int polls = 0;
    auto how = options(preset);
    how.threads = 1;  // with more, how often the caller polls depends on what the others do
    how.monitor.interrupted = [&] { return ++polls < 0; };
    EXPECT_EQ(map(graph, machine(), how).blocks, expected) << preset << " watched";
    int const all = polls;
    EXPECT_GT(all, 50) << preset;
    for (int const last : {1, 2, 10, all / 2, all}) {
      polls = 0;
      how.monitor.interrupted = [&] { return ++polls >= last; };
      EXPECT_THROW(map(graph, machine(), how), Interrupted) << preset << ", poll " << last << " of " << all;
      EXPECT_EQ(polls, last) << preset;
    }
    how.threads = 3;
    for (int const last : {1, 2, 10}) {
      polls = 0;
      how.monitor.interrupted = [&] { return ++polls >= last; };
      EXPECT_THROW(map(graph, machine(), how), Interrupted) << preset << ", poll " << last << " on three threads";
    }
    EXPECT_EQ(map(graph, machine(), options(preset)).blocks, expected) << preset << " after an interrupt";
  }
}

TEST(Monitor, IsCalledFromTheCallingThreadOnly) {
  auto const caller = std::this_thread::get_id();
  int foreign = 0, lines = 0;
  auto how = options("default");
  how.monitor.interrupted = [&] { return foreign += std::this_thread::get_id() != caller, false; };
  how.monitor.progress = [&](std::string const& line) {
    foreign += std::this_thread::get_id() != caller;
    lines += !line.empty();
  };

  map(random_geometric(2000, 1), machine(), how);

  EXPECT_EQ(foreign, 0);
  EXPECT_GT(lines, 3);
}

TEST(Monitor, MayThrowItsOwnException) {
  auto how = options("fast");
  how.monitor.interrupted = [polls = 0]() mutable -> bool {
    if (++polls == 20) throw std::runtime_error("mine");
    return false;
  };

  EXPECT_EQ(message_of<std::runtime_error>([&] { map(random_geometric(2000, 1), machine(), how); }), "mine");
}

template <class... How>
concept Evaluates = requires(Graph const& graph, std::vector<Block> const& blocks, How... how) {
  evaluate(graph, machine(), blocks, how...);
};

TEST(Evaluate, TakesOptionsByNameSoThatNoneIsTakenForAnother) {
  static_assert(Evaluates<> && Evaluates<EvaluateOptions>);
  static_assert(!Evaluates<double> && !Evaluates<double, int> && !Evaluates<double, int, char const*>);

  auto const report = evaluate(grid2d(2, 2), machine(), std::vector<Block>(4), {.imbalance = 11, .device = "cpu"});

  EXPECT_EQ(report.capacity, 4);
}

TEST(Stats, TellTheTimeOfPhasesAndTheCostOfLevels) {
  auto const mapping = map(random_geometric(2000, 1), machine(), options("default"));

  double in_phases = 0;
  for (auto const& phase : mapping.stats.phases) in_phases += phase.seconds;
  EXPECT_GT(in_phases, 0);
  EXPECT_LE(in_phases, mapping.stats.seconds);
  EXPECT_EQ(mapping.stats.threads, 2);
  EXPECT_EQ(mapping.stats.levels.front().stage, "multisection 3");
}

TEST(Stats, PhasesNeverTakeLongerThanTheCall) {
  for (auto const* preset : {"fast", "default", "im", "hm"})
    for (auto const& [name, graph] : {Shape{"star", star(3000)}, Shape{"no edges", no_edges(3000)}}) {
      SCOPED_TRACE(name + ", " + preset);

      auto const stats = map(graph, machine(), options(preset)).stats;

      double in_phases = 0;
      for (auto const& phase : stats.phases) in_phases += phase.seconds;
      EXPECT_GT(in_phases, 0);
      EXPECT_LE(in_phases, stats.seconds);
    }
}

int threads_of(Graph const& graph, int wanted) {
  Options how = options("fast");
  how.threads = wanted;
  return map(graph, machine(), how).stats.threads;
}

TEST(Stats, SmallGraphsGetFewThreadsUnlessMoreAreAskedFor) {
  auto const usable = CpuExecutor::usable_threads(0);

  EXPECT_EQ(threads_of(grid2d(3, 10), 0), 1) << "124 arcs and vertices";
  EXPECT_EQ(threads_of(grid2d(10, 10), 0), std::min(3, usable)) << "460 arcs and vertices";
  EXPECT_EQ(threads_of(random_geometric(1000, 1), 0), std::min(4, usable));
  EXPECT_EQ(threads_of(grid2d(3, 10), 2), 2);
}

}  // namespace
}  // namespace procmap::test
