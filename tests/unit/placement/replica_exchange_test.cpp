// SPDX-License-Identifier: MIT
#include "placement/replica_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "core/hash.hpp"

namespace procmap::test {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Random experts, two of which have two replicas, on 6 GPUs of 2 nodes.
struct Problem {
  std::int64_t experts = 10, gpus = 6;
  std::vector<std::int64_t> expert{0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<std::int64_t> gpu{0, 1, 2, 3, 0, 1, 2, 3, 4, 4, 5, 5};
  std::vector<Weight> load, traffic, distance;
  std::vector<std::uint8_t> home;
  Weight bound;

  explicit Problem(std::uint64_t seed, Weight bound_) : bound(bound_) {
    auto const random = [&](std::uint64_t a, std::uint64_t b, std::uint64_t below) {
      return static_cast<Weight>(hash(seed, a, b) % below);
    };
    auto const n = expert.size();
    for (std::size_t i = 0; i < n; ++i) load.push_back(10 + random(at(expert[i]), 99, 20));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        auto const [a, b] = std::minmax(expert[i], expert[j]);
        traffic.push_back(a == b ? 0 : random(at(a), at(b), 30));
      }
    for (std::int64_t g = 0; g < gpus; ++g)
      for (std::int64_t h = 0; h < gpus; ++h) distance.push_back(g == h ? 0 : g / 3 == h / 3 ? 1 : 10);
    for (std::size_t i = 0; i < at(experts * gpus); ++i) home.push_back(random(i, 7, 3) == 0);
  }

  Replicas replicas() const { return {experts, gpus, expert, load, traffic, distance, home, 25, bound}; }

  /// With traffic and moves, and with one of them alone.
  std::array<Replicas, 3> of_all_kinds() const {
    auto only_traffic = replicas(), only_moves = replicas();
    only_traffic.home = {};
    only_moves.traffic = {};
    return {replicas(), only_traffic, only_moves};
  }

  std::vector<std::int64_t> solved(Replicas const& given) const {
    auto places = gpu;
    exchange_replicas(given, places);
    return places;
  }
};

/// Load above the bound, then J and moves, from their definitions.
std::tuple<Weight, Weight> standing(Replicas const& replicas, std::vector<std::int64_t> const& gpu) {
  std::vector<Weight> loads(at(replicas.num_gpus));
  Weight price = 0;
  for (std::size_t i = 0; i < gpu.size(); ++i) {
    loads[at(gpu[i])] += replicas.load[i];
    if (!replicas.home.empty() && replicas.home[at(replicas.expert[i] * replicas.num_gpus + gpu[i])] == 0)
      price += replicas.move_cost;
    for (std::size_t j = 0; j < gpu.size() && !replicas.traffic.empty(); ++j)
      price += replicas.traffic[i * gpu.size() + j] * replicas.distance[at(gpu[i] * replicas.num_gpus + gpu[j])];
  }
  Weight excess = 0;
  for (auto const load : loads) excess += std::max(load - replicas.bound, Weight{0});
  return {excess, price};
}

bool holds_an_expert_twice(Replicas const& replicas, std::vector<std::int64_t> const& gpu) {
  for (std::size_t i = 0; i < gpu.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (replicas.expert[i] == replicas.expert[j] && gpu[i] == gpu[j]) return true;
  return false;
}

void expect_no_better_exchange(Replicas const& replicas, std::vector<std::int64_t> const& gpu) {
  auto const found = standing(replicas, gpu);
  for (std::size_t i = 0; i < gpu.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      auto other = gpu;
      std::swap(other[i], other[j]);
      EXPECT_FALSE(!holds_an_expert_twice(replicas, other) && standing(replicas, other) < found) << i << ", " << j;
    }
}

TEST(ExchangeReplicas, LeavesNoExchangeThatIsBetter) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Problem const problem(seed, seed % 4 == 0 ? 30 : 50);
    for (auto const& replicas : problem.of_all_kinds()) {
      auto const gpu = problem.solved(replicas);

      EXPECT_LE(standing(replicas, gpu), standing(replicas, problem.gpu));
      EXPECT_FALSE(holds_an_expert_twice(replicas, gpu));
      expect_no_better_exchange(replicas, gpu);
    }
  }
}

TEST(ExchangeReplicas, BringsWhatTalksToOneNode) {
  Problem problem(1, 100);
  std::ranges::fill(problem.load, 1);
  std::ranges::fill(problem.traffic, 0);
  problem.traffic[4 * 12 + 10] = problem.traffic[10 * 12 + 4] = 5;
  auto replicas = problem.replicas();
  replicas.home = {};

  auto const gpu = problem.solved(replicas);

  EXPECT_EQ(gpu[4], gpu[10]);
}

TEST(ExchangeReplicas, AnnealingIsNoWorseAndLeavesNoExchange) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Problem const problem(seed, seed % 4 == 0 ? 30 : 50);
    for (auto const& replicas : problem.of_all_kinds())
      for (double const heat : {0.1, 1.0}) {
        auto annealed = problem.gpu;
        exchange_replicas(replicas, annealed, heat);

        EXPECT_LE(standing(replicas, annealed), standing(replicas, problem.solved(replicas)));
        EXPECT_FALSE(holds_an_expert_twice(replicas, annealed));
        expect_no_better_exchange(replicas, annealed);
      }
  }
}

/// Experts that all talk, most in pairs, more within nodes than between them.
TEST(ExchangeReplicas, AnnealingFindsPairs) {
  std::int64_t const n = 24, gpus = 12;
  std::vector<std::int64_t> expert, gpu;
  std::vector<Weight> const load(at(n), 1);
  std::vector<Weight> traffic, distance;
  for (std::int64_t i = 0; i < n; ++i) {
    expert.push_back(i);
    gpu.push_back(i % gpus);
    for (std::int64_t j = 0; j < n; ++j) {
      auto const a = i * 7 % n, b = j * 7 % n;  // of successive numbers those talk most that make a pair
      traffic.push_back(a == b ? 0 : a / 2 == b / 2 ? 20 : a / 6 == b / 6 ? 5 : 1);
    }
  }
  for (std::int64_t g = 0; g < gpus; ++g)
    for (std::int64_t h = 0; h < gpus; ++h) distance.push_back(g == h ? 0 : g / 3 == h / 3 ? 1 : 10);
  Replicas const replicas{n, gpus, expert, load, traffic, distance, {}, 0, 2};

  exchange_replicas(replicas, gpu, 1.0);

  // Per expert: 4 others of its node on other GPUs at distance 1, and 18 of other nodes at distance 10.
  EXPECT_EQ(standing(replicas, gpu), std::tuple(0, n * (4 * 5 + 18 * 10)));
}

TEST(ExchangeReplicas, NothingIsLeftAsItIs) {
  std::vector<std::int64_t> none;

  exchange_replicas({}, none);

  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace procmap::test
