// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/traced.hpp"

namespace procmap::test {
namespace {

std::vector<Block> blocks(Graph const& graph, std::string_view preset, std::uint64_t seed, int threads) {
  Options options;
  options.config = Config::preset(preset);
  options.seed = seed;
  options.threads = threads;
  return map(graph, Topology::hierarchy("4:2:3", "1:10:100"), options).blocks;
}

/// Large enough that passes run on several threads.
std::vector<Graph> graphs(std::uint64_t seed) {
  return {grid2d(90, 90), with_weights(random_geometric(6000, seed), seed, 5, 20), rmat(12, 20000, seed)};
}

void expect_same_on_any_threads(std::string_view preset) {
  for (auto const seed : each_seed(2))
    for (auto const& graph : graphs(seed)) {
      auto const expected = blocks(graph, preset, seed, 1);
      for (int const threads : worthwhile_threads({2, 7}))
        EXPECT_EQ(blocks(graph, preset, seed, threads), expected)
            << preset << " on " << threads << " threads, n = " << graph.num_vertices();
    }
}

TEST(Determinism, ImIsTheSameOnAnyNumberOfThreads) { expect_same_on_any_threads("im"); }
TEST(Determinism, HmIsTheSameOnAnyNumberOfThreads) { expect_same_on_any_threads("hm"); }
TEST(Determinism, FastIsTheSameOnAnyNumberOfThreads) { expect_same_on_any_threads("fast"); }
TEST(Determinism, DefaultIsTheSameOnAnyNumberOfThreads) { expect_same_on_any_threads("default"); }

TEST(Determinism, StrongAndHmUltraAreTheSameOnAnyNumberOfThreads) {
  auto const graph = with_weights(random_geometric(5000, 1), 1, 5, 20);
  for (auto const* const preset : {"strong", "hm-ultra"}) {
    auto const expected = blocks(graph, preset, 1, 1);
    for (int const threads : worthwhile_threads({2, 7}))
      EXPECT_EQ(blocks(graph, preset, 1, threads), expected) << preset << ", " << threads;
  }
}

TEST(Determinism, TheSameSeedGivesTheSameBytesAndAnotherOneOthers) {
  auto const graph = random_geometric(1500, 1);
  for (auto const& preset : Config::preset_names()) {
    auto const first = blocks(graph, preset, 1, 2);

    EXPECT_EQ(blocks(graph, preset, 1, 2), first) << preset;
    EXPECT_NE(blocks(graph, preset, 2, 2), first) << preset;
  }
}

TEST(Determinism, TwoCallsAtOnceDoNotDisturbEachOther) {
  auto const graph = random_geometric(3000, 1);
  auto const expected_1 = blocks(graph, "default", 1, 2), expected_2 = blocks(graph, "fast", 2, 2);

  std::vector<Block> result_1, result_2;
  std::thread other([&] { result_1 = blocks(graph, "default", 1, 2); });
  result_2 = blocks(graph, "fast", 2, 2);
  other.join();

  EXPECT_EQ(result_1, expected_1);
  EXPECT_EQ(result_2, expected_2);
}

}  // namespace
}  // namespace procmap::test
