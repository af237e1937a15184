// SPDX-License-Identifier: MIT
#include "refinement/places/annealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "procmap/error.hpp"
#include "refinement/places/best_places.hpp"
#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

/// Annealing of `changed(places)` ends as that of the places of every machine.
template <class Change>
void expect_the_same_of(Change changed) {
  for_each_machine([&](PlacedBlocks const& places, std::string const& name) {
    auto place = identity(places.topology.num_pes()), other = place;

    places.anneal(place, {10'000, 5});
    changed(places).anneal(other, {10'000, 5});

    EXPECT_EQ(other, place) << name;
  });
}

TEST(PlaceAnnealing, DoesNotDependOnTheOrderOfArcs) { expect_the_same_of(std::mem_fn(&PlacedBlocks::reversed)); }

TEST(PlaceAnnealing, DoesNotDependOnHowDistancesAreKept) {
  expect_the_same_of(std::mem_fn(&PlacedBlocks::without_table));
}

// They are kept in half the memory where they fit.
TEST(PlaceAnnealing, DoesNotDependOnTheUnitOfWeights) {
  expect_the_same_of([](PlacedBlocks places) {
    for (Weight& weight : places.traffic.arc_weights) weight <<= 33;
    return places;
  });
}

TEST(PlaceAnnealing, IsLeftOutInAHurry) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto on = places.on_team(false);
    on.team.in_hurry = [] { return true; };
    auto place = identity(places.topology.num_pes());

    EXPECT_FALSE(anneal_places(places.traffic, on, {10'000, 5}, place)) << name;
    EXPECT_FALSE(anneal_cool_and_hot(places.traffic, on, {10'000, 5}, place)) << name;
    EXPECT_FALSE(exchange_places(places.traffic, on, {20, 3, 1}, place)) << name;

    EXPECT_EQ(place, identity(places.topology.num_pes())) << name;
  });
}

TEST(PlaceAnnealing, LeavesHeldBlocksWhereTheyAre) {
  int improved = 0;
  for_each_machine([&](PlacedBlocks places, std::string const& name) {
    SCOPED_TRACE(name);
    places.hold_every_third();
    auto cool = identity(places.topology.num_pes()), hot = cool;

    improved += places.anneal(cool, {10'000, 5});
    improved += places.anneal_cool_and_hot(hot, {10'000, 5});

    expect_held_stay(places, cool);
    expect_held_stay(places, hot);
  });
  EXPECT_GT(improved, 0);
}

TEST(PlaceAnnealing, EndsWhenTheCallIsToEnd) {
  PlacedBlocks const places(Topology::torus({4, 5}), random_traffic(20, 1));
  auto on_team = places.on_team(false);
  on_team.team.checkpoint = [] { throw Interrupted(); };
  auto place = identity(20);
  EXPECT_THROW(anneal_places(places.traffic, on_team, {100'000, 1}, place), Interrupted);
  EXPECT_THROW(anneal_cool_and_hot(places.traffic, on_team, {100'000, 1}, place), Interrupted);
}

// Two tasks on every place, with two weights each, and no more room than they need: whatever the exchanges are.
TEST(PlaceAnnealing, KeepsToLimitsOfSeveralWeightsAndLeavesFixedTasks) {
  constexpr Vertex n = 40;
  constexpr Block k = 20;
  for (auto const seed : each_seed(5, 1)) {
    PlacedBlocks places(Topology::torus({4, 5}), random_traffic(n, seed));
    places.traffic.num_loads = 2;
    std::vector<Weight> limits(2 * at(k), 0);
    std::vector<Block> place(at(n)), fixed(at(n), no_block);
    for (Vertex v = 0; v < n; ++v) {
      place[at(v)] = v % k;
      if (v % 7 == 0) fixed[at(v)] = v % k;
      for (std::size_t i = 0; i < 2; ++i) {
        places.traffic.loads.push_back(static_cast<Weight>(hash(seed, at(v), i) % 3));
        limits[2 * at(v % k) + i] += places.traffic.loads.back();
      }
    }
    auto on_team = places.on_team(false);
    on_team.limits = limits;
    on_team.anchors.fixed = fixed.data();
    auto const before = places.cost(place);

    EXPECT_TRUE(anneal_places(places.traffic, on_team, {100'000, seed}, place)) << "seed " << seed;

    EXPECT_LT(places.cost(place), before);
    std::vector<Weight> loads(limits.size(), 0);
    for (Vertex v = 0; v < n; ++v) {
      if (fixed[at(v)] != no_block) {
        EXPECT_EQ(place[at(v)], fixed[at(v)]) << "task " << v;
      }
      for (std::size_t i = 0; i < 2; ++i) loads[2 * at(place[at(v)]) + i] += places.traffic.loads[2 * at(v) + i];
    }
    for (std::size_t j = 0; j < loads.size(); ++j) EXPECT_LE(loads[j], limits[j]) << "limit " << j;
  }
}

/// Three tasks of weights that differ on every place of a torus, with as much room on all as the fullest needs; with
/// spare seats if that is wanted.
struct ThreeEach {
  static constexpr Vertex n = 60;
  static constexpr Block k = 20;

  ThreeEach(std::uint64_t seed, bool spare)
      : places(Topology::torus({4, 5}), with_weights(random_geometric(n, seed), seed, 9, 9)), load(at(k), 0) {
    for (Vertex v = 0; v < n; ++v) {
      place.push_back(v % k);
      load[at(v % k)] += places.traffic.vertex_weights[at(v)];
    }
    auto const room = *std::ranges::max_element(load);
    places.capacity.assign(at(k), room);
    if (!spare) return;
    place = with_spare_seats(std::move(place), places.capacity, 2);
    places.traffic = with_empty_blocks(std::move(places.traffic), static_cast<Block>(place.size()));
  }

  bool anneal(std::uint64_t seed, AnchorsView anchors = {}) {
    bool const spare = place.size() > at(n);
    bool const better = places.anneal(place, {.proposals = 40'000, .seed = seed, .tasks = spare ? n : 0}, anchors);
    place.resize(at(n));
    return better;
  }

  PlacedBlocks places;
  std::vector<Weight> load;
  std::vector<Block> place;
};

TEST(PlaceAnnealing, MovesSingleTasksToSpareSeatsThatFitAndLeavesNoPlaceEmpty) {
  bool counts_differ = false;
  for (auto const seed : each_seed(10, 1)) {
    ThreeEach tasks(seed, true);
    auto const start = tasks.place;
    std::vector<Block> fixed(start.size(), no_block);
    for (Vertex v = 0; v < ThreeEach::n; v += 7) fixed[at(v)] = start[at(v)];

    tasks.anneal(seed, {.fixed = fixed.data()});

    std::vector<Weight> load(at(ThreeEach::k), 0), count(at(ThreeEach::k), 0);
    for (Vertex v = 0; v < ThreeEach::n; ++v) {
      auto const p = at(tasks.place[at(v)]);
      load[p] += tasks.places.traffic.vertex_weights[at(v)];
      ++count[p];
      if (fixed[at(v)] != no_block) {
        EXPECT_EQ(tasks.place[at(v)], fixed[at(v)]) << "task " << v << ", seed " << seed;
      }
    }
    for (std::size_t p = 0; p < load.size(); ++p) {
      EXPECT_LE(load[p], tasks.places.capacity[p]) << "seed " << seed;
      EXPECT_GE(count[p], 1) << "seed " << seed;
      counts_differ = counts_differ || count[p] != 3;
    }
  }
  EXPECT_TRUE(counts_differ);
}

TEST(PlaceAnnealing, FindsMoreWithSpareSeats) {
  Weight with = 0, without = 0;
  for (auto const seed : each_seed(10, 1)) {
    ThreeEach spare(seed, true), none(seed, false);
    spare.anneal(seed);
    none.anneal(seed);
    with += spare.places.cost(spare.place);
    without += none.places.cost(none.place);
  }
  EXPECT_LT(with, without);
}

TEST(PlaceAnnealing, KeepsToCapacities) {
  for (auto const seed : each_seed(10, 1)) {
    auto const places = tight_places(seed);
    auto place = identity(20);

    places.anneal(place, {20'000, seed});

    expect_all_fit(places, place);
  }
}

TEST(PlaceAnnealing, KnowsWhetherTheCostFellAndNeverRaisesIt) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto place = identity(places.topology.num_pes());
    auto const before = places.cost(place);

    bool const improved = places.anneal(place, {10'000, 5});

    ASSERT_TRUE(is_permutation_of_places(place)) << name;
    EXPECT_LE(places.cost(place), before) << name;
    EXPECT_EQ(improved, places.cost(place) < before) << name;
  });
}

TEST(PlaceAnnealing, DoesNotDependOnTheOrderOfJobs) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto forwards = identity(places.topology.num_pes()), backwards = forwards;

    places.anneal(forwards, {5'000, 1}, false);
    places.anneal(backwards, {5'000, 1}, true);

    EXPECT_EQ(forwards, backwards) << name;
  });
}

TEST(CoolAndHotAnnealing, KnowsWhetherTheCostFellAndDoesNotDependOnTheOrderOfJobs) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto forwards = identity(places.topology.num_pes()), backwards = forwards;
    auto const before = places.cost(forwards);

    bool const improved = places.anneal_cool_and_hot(forwards, {10'000, 5});
    places.anneal_cool_and_hot(backwards, {10'000, 5}, true);

    ASSERT_TRUE(is_permutation_of_places(forwards)) << name;
    EXPECT_EQ(improved, places.cost(forwards) < before) << name;
    EXPECT_EQ(forwards, backwards) << name;
  });
}

// A shuffled grid is far from any good mapping.
TEST(CoolAndHotAnnealing, FindsMoreThanACoolOneOfTheSameLength) {
  PlacedBlocks const places(Topology::mesh({12, 12}), grid2d(12, 12));
  Weight of_both = 0, of_one = 0;
  for (std::uint64_t const seed : {1, 2, 3, 4, 5}) {
    auto const start = shuffled(144, seed);
    auto place = start;
    places.anneal(place, {400'000, seed});
    of_one += places.cost(place);

    place = start;
    places.anneal_cool_and_hot(place, {400'000, seed});
    of_both += places.cost(place);
  }
  EXPECT_LT(of_both, of_one);
}

// A shuffled grid on a mesh of the same shape: every edge could go one step.
TEST(PlaceAnnealing, FindsWhatExchangesThatMustHelpDoNot) {
  PlacedBlocks const places(Topology::mesh({8, 8}), grid2d(8, 8));
  Weight annealed = 0, exchanged = 0;
  for (auto const seed : each_seed(5, 1)) {
    auto shuffled = identity(64);
    std::ranges::sort(shuffled, {}, [&](Block b) { return hash(seed, static_cast<std::uint64_t>(b)); });
    auto place = shuffled;
    places.exchange(place);
    exchanged += places.cost(place);

    place = shuffled;
    places.anneal(place, {300'000, seed});

    annealed += places.cost(place);
  }
  EXPECT_LE(5 * annealed, 4 * exchanged);
}

TEST(PlaceAnnealing, LeavesFixedBlocksWhereTheyAre) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto place = identity(places.topology.num_pes());
    std::vector<Block> fixed(place.size(), no_block);
    for (std::size_t b = 0; b < fixed.size(); b += 3) fixed[b] = place[b];

    places.anneal(place, {10'000, 5}, {.fixed = fixed.data()});

    ASSERT_TRUE(is_permutation_of_places(place)) << name;
    for (std::size_t b = 0; b < fixed.size(); b += 3) EXPECT_EQ(place[b], fixed[b]) << name << ", " << b;
  });
}

TEST(PlaceAnnealing, WeighsTrafficAgainstMigration) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto const home = identity(places.topology.num_pes());
    for (Weight const each : {Weight{1}, Weight{20}, Weight{1'000'000}}) {
      std::vector<Weight> const pull(home.size(), each);
      AnchorsView const anchors{.home = home.data(), .pull = pull.data()};
      auto const total = [&](std::vector<Block> const& place) {
        Weight sum = places.cost(place);
        for (Vertex b = 0; b < static_cast<Vertex>(place.size()); ++b) sum += anchors.cost(b, place[at(b)]);
        return sum;
      };
      auto place = home;

      bool const improved = places.anneal(place, {10'000, 5}, anchors);

      EXPECT_LE(total(place), total(home)) << name;
      EXPECT_EQ(improved, total(place) < total(home)) << name;
      if (each == 1'000'000) {
        EXPECT_EQ(place, home) << name;
      }
    }
  });
}

TEST(PlaceAnnealing, LeavesNothingToDoAlone) {
  PlacedBlocks const no_traffic(Topology::torus({5}), no_edges(5)), two(Topology::torus({2}), path(2));
  for (auto const* const places : {&no_traffic, &two}) {
    auto place = identity(places->topology.num_pes());

    EXPECT_FALSE(places->anneal(place, {1000, 1}));

    EXPECT_EQ(place, identity(places->topology.num_pes()));
  }
}

/// Three blocks on every place, of weights that differ or all the same, and what places may hold.
PlacedBlocks three_per_place(std::uint64_t seed, Weight heaviest) {
  PlacedBlocks places(Topology::torus({4, 3}), with_weights(random_geometric(36, seed), seed, heaviest, 30));
  places.capacity.assign(12, 3 * heaviest + 2);
  places.capacity[5] = 0;  // overloaded from the start
  return places;
}

std::vector<Weight> loads(PlacedBlocks const& places, std::vector<Block> const& place) {
  std::vector<Weight> load(places.capacity.size());
  for (std::size_t b = 0; b < place.size(); ++b) load[at(place[b])] += places.traffic.vertex_weights[b];
  return load;
}

TEST(PlaceAnnealing, OfSeveralPerPlaceFillsNoneBeyondItsCapacity) {
  for (auto const seed : each_seed(10, 1))
    for (Weight const heaviest : {1, 9}) {
      auto const places = three_per_place(seed, heaviest);
      auto place = identity(36);
      for (auto& p : place) p %= 12;
      auto const before = place;

      bool const improved = places.anneal(place, {20'000, seed});

      EXPECT_EQ(improved, places.cost(place) < places.cost(before));
      EXPECT_LE(places.cost(place), places.cost(before));
      auto const load = loads(places, place), at_first = loads(places, before);
      for (std::size_t p = 0; p < load.size(); ++p) EXPECT_LE(load[p], std::max(places.capacity[p], at_first[p])) << p;
      for (Block p = 0; p < 12; ++p) EXPECT_EQ(std::ranges::count(place, p), 3) << "an exchange keeps the number";
    }
}

// Pairs of partners on two places each: exchanges bring partners together.
TEST(PlaceAnnealing, BringsPartnersOntoOnePlace) {
  PlacedBlocks places(Topology::torus({8}), graph_from_edges(16, {{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}}));
  places.capacity.assign(8, 2);
  auto place = identity(16);
  for (auto& p : place) p /= 2;

  EXPECT_TRUE(places.anneal(place, {20'000, 1}));

  EXPECT_EQ(places.cost(place), 0);
}

}  // namespace
}  // namespace procmap::test
