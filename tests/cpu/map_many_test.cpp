// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"
#include "support/traced.hpp"

namespace procmap::test {
namespace {

Topology const machine = Topology::hierarchy("2:2:3", "1:10:100");

Options options(std::string_view preset, std::uint64_t seed) {
  Options options;
  options.config = Config::preset(preset);
  options.seed = seed;
  return options;
}

std::vector<Graph> graphs() {
  std::vector<Graph> graphs;
  for (Vertex n = 3; n < 40; ++n) graphs.push_back(grid2d(n % 11 + 1, n));
  graphs.push_back(grid2d(60, 60));  // more than the share of a thread
  return graphs;
}

TEST(MapManyJobs, AreMappedAsAlone) {
  auto many = graphs();
  if (sanitized) many.erase(many.begin(), many.begin() + 18);  // half, and the large one
  for (auto const* const preset : {"fast", "default"}) {
    std::vector<MapRequest> requests;
    std::vector<Mapping> alone;
    for (std::size_t i = 0; i < many.size(); ++i) {
      requests.push_back({&many[i], options(preset, i)});
      alone.push_back(map(many[i], machine, requests[i].options));
    }
    for (int const threads : worthwhile_threads({1, 2, 5})) {
      auto const found = map_many(requests, machine, threads);

      ASSERT_EQ(found.size(), many.size());
      for (std::size_t i = 0; i < many.size(); ++i) {
        ASSERT_EQ(found[i].blocks, alone[i].blocks) << preset << ", graph " << i << ", " << threads << " threads";
        EXPECT_EQ(found[i].report.cost, alone[i].report.cost);
      }
    }
  }
}

TEST(MapManyJobs, MayBeNone) { EXPECT_TRUE(map_many({}, machine).empty()); }

TEST(MapManyJobs, NameTheGraphThatCannotBeMapped) {
  auto const graph = grid2d(4, 4);
  std::vector<MapRequest> requests(5, {&graph, options("fast", 1)});
  requests[3].options.imbalance = -1;

  auto const message = message_of<ConfigError>([&] { map_many(requests, machine, 2); });

  EXPECT_EQ(message.substr(0, 11), "graphs[3]: ");
}

TEST(MapManyJobs, EndWhenTheCallerWantsTo) {
  auto const graph = grid2d(70, 70);
  std::vector<MapRequest> const requests(200, {&graph, options("strong", 1)});
  auto const caller = std::this_thread::get_id();
  int asked = 0;
  Monitor const monitor{[&] {
                          EXPECT_EQ(std::this_thread::get_id(), caller);
                          return ++asked > 5;
                        },
                        {}};

  EXPECT_THROW(map_many(requests, machine, 3, monitor), Interrupted);
}

}  // namespace
}  // namespace procmap::test
