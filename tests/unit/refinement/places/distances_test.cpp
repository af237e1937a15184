// SPDX-License-Identifier: MIT
#include "refinement/places/distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

/// Every third PE, backwards.
std::vector<Block> some_pes(Block num_pes) {
  std::vector<Block> pes;
  for (Block pe = num_pes - 1; pe >= 0; pe -= 3) pes.push_back(pe);
  return pes;
}

/// Numbers in some order on a line, `step` apart.
Topology on_a_line(Block num_pes, Weight step) {
  std::vector<Weight> distances;
  auto const number = shuffled(num_pes, 3);
  for (Block const a : number)
    for (Block const b : number) distances.push_back(step * std::abs(a - b));
  return Topology::from_distance_matrix(distances, num_pes);
}

/// As whoever asks for many: by the keys of places.
template <class Distance>
Weight between(Distance const& distance, std::size_t p, std::size_t q) {
  return distance.from(distance.key(static_cast<Block>(p)))[distance.key(static_cast<Block>(q))];
}

void expect_distances(PlaceDistances const& distances, Topology const& machine, std::vector<Block> const& pes) {
  ASSERT_EQ(distances.num_places(), pes.size());
  distances.with([&](auto const& distance) {
    for (std::size_t p = 0; p < pes.size(); ++p)
      for (std::size_t q = 0; q < pes.size(); ++q)
        EXPECT_EQ(between(distance, p, q), machine.distance(pes[p], pes[q])) << p << " to " << q;
  });
}

TEST(PlaceDistances, AreThoseOfTheirPesInATableAndComputed) {
  for_each_machine([](PlacedBlocks const& on, std::string const& name) {
    SCOPED_TRACE(name);
    auto const pes = some_pes(on.topology.num_pes());
    for (Block const most : {0, 1000}) {
      PlaceDistances const distances(on.topology, pes, most);
      EXPECT_EQ(distances.in_table(), most > 0);
      expect_distances(distances, on.topology, pes);
    }
  });
}

// In four dimensions, without wrapping, where steps cost different things; and so long that there are three tables, or
// none.
TEST(PlaceDistances, OfGridsAreThoseOfTheirPes) {
  for (auto const& machine : {Topology::torus({3, 4, 2, 5}), Topology::mesh({5, 2, 3}), Topology::torus({24}),
                              Topology::mesh({4, 6, 3}, {3, 7, 2}), Topology::torus({600}),
                              Topology::torus({23, 24, 25}), Topology::mesh({3, 600, 2}, {2, 1, 5})}) {
    auto pes = some_pes(machine.num_pes());
    pes.resize(std::min<std::size_t>(pes.size(), 500));
    expect_distances({machine, pes, 0}, machine, pes);
  }
}

// In a table of small numbers or of any, in two tables, and by levels.
TEST(PlaceDistances, OfManyPlacesAreInATableAndComputed) {
  for (auto const& machine :
       {Topology::torus({40, 30}), Topology::hierarchy("3:5:1:80", "0:2:2:7"), Topology::hierarchy("600:2", "1:10"),
        Topology::torus({600}), Topology::dragonfly(13, 12, 2), on_a_line(400, 1), on_a_line(400, 1'000)}) {
    Block const k = machine.num_pes();
    PlaceDistances const distances(machine, identity(k), 2000);
    ASSERT_TRUE(distances.in_table());
    distances.with([&](auto const& distance) {
      for (Block p = 0; p < k; p += 7)
        for (std::size_t q = 0; q < at(k); ++q) {
          ASSERT_EQ(distances.row(p)[q], machine.distance(p, static_cast<Block>(q))) << p << " to " << q;
          ASSERT_EQ(between(distance, at(p), q), distances.row(p)[q]) << p << " to " << q;
        }
    });
  }
}

// Levels of any size, of one too, and levels at the same distance.
TEST(PlaceDistances, OfHierarchiesAreThoseOfTheirPes) {
  for (auto const& machine : {Topology::hierarchy("1:1", "3:4"), Topology::hierarchy("3:1:5:4", "0:1:6:6"),
                              Topology::hierarchy("2:2:2:2:2:2:2:3", "1:2:3:4:5:6:7:8"), Topology::flat(100)}) {
    auto const pes = some_pes(machine.num_pes());
    expect_distances({machine, pes, 0}, machine, pes);
  }
}

TEST(PlaceDistances, OfSomePlacesAreThoseOfTheirPes) {
  auto const torus = Topology::torus({4, 5});
  PlaceDistances const all(torus, some_pes(20), 4);
  ASSERT_FALSE(all.in_table());

  auto const some = all.of({5, 0, 2});

  EXPECT_TRUE(some.in_table()) << "few enough";
  expect_distances(some, torus, {4, 19, 13});
}

TEST(PlaceDistances, AreStillThereWhenMoved) {
  auto const torus = Topology::torus({4, 5});
  PlaceDistances first(torus, some_pes(20), 0);
  auto const moved = std::move(first);
  expect_distances(moved, torus, some_pes(20));
}

TEST(CostOfPlaces, CountsTheDistancesOfThePesOnThem) {
  for (Block const most_in_table : {0, 3}) {
    PlaceDistances const on_a_line(Topology::mesh({5}), {4, 2, 0}, most_in_table);
    EXPECT_EQ(cost_of_places(host_graph(to_csr(path(3))), on_a_line, {0, 2, 1}), 2 * (4 + 2));
  }
}

}  // namespace
}  // namespace procmap::test
