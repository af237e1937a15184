// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "core/atomic.hpp"
#include "exec/copies.hpp"
#include "support/backend.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

// Below and above the sizes at which the CPU uses several threads for tables, loops and sorting.
constexpr Edge sizes[] = {0, 1, 513, 5000, 100'003};

struct Case {
  int threads;
  Edge n;
};

std::ostream& operator<<(std::ostream& out, Case const& c) { return out << c.threads << " threads, n = " << c.n; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int const threads : Backend::thread_counts())
    for (Edge const n : sizes) all.push_back({threads, n});
  return all;
}

class EveryVerb : public ::testing::TestWithParam<Case> {
 protected:
  Edge const n = GetParam().n;
  std::uint64_t const seed = 1000 + static_cast<std::uint64_t>(n);
  Backend backend{GetParam().threads};

  std::vector<Weight> numbers(std::int64_t bound) const {
    std::vector<Weight> values(at(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_below(bound, seed, i) - bound / 3;
    return values;
  }
};

INSTANTIATE_TEST_SUITE_P(Executor, EveryVerb, ::testing::ValuesIn(cases()), [](auto const& test) {
  return "threads" + std::to_string(test.param.threads) + "_n" + std::to_string(test.param.n);
});

template <class Exec>
void count_visits(Exec& ex, Edge n, int* visits) {
  ex.fill(visits, n, 0);
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge i) { visits[i] += 1 + static_cast<int>(i % 3); });
}

TEST_P(EveryVerb, ForEachVisitsEveryIndexOnce) {
  auto visits = backend.make<int>(at(n));

  count_visits(backend.ex, n, visits.data());

  auto const result = backend.get(visits);
  for (Edge i = 0; i < n; ++i) ASSERT_EQ(result[at(i)], 1 + i % 3) << i;
}

template <class Exec>
ScannedRows scan_lengths(Exec& ex, Edge n, Edge const* length, Edge* begin) {
  return ex.scan_rows(n, [=] PROCMAP_LAMBDA(Edge i) { return length[i]; }, begin);
}

TEST_P(EveryVerb, ScanRowsSaysWhereRowsBeginAndHowLongTheLongestIs) {
  std::vector<Edge> lengths(at(n));
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = random_below(1000, seed, i);
  std::vector<Edge> expected{0};
  for (Edge const length : lengths) expected.push_back(expected.back() + length);
  auto const begin = backend.make<Edge>(at(n) + 1);

  auto const [sum, longest] = scan_lengths(backend.ex, n, backend.put(lengths).data(), begin.data());

  EXPECT_EQ(backend.get(begin), expected);
  EXPECT_EQ(sum, expected.back());
  EXPECT_EQ(longest, n == 0 ? 0 : *std::ranges::max_element(lengths));
}

template <class Exec>
void list_thirds(Exec& ex, Edge n, Edge* out) {
  ex.list(n, [=] PROCMAP_LAMBDA(Edge i) { return i % 3 == 1; }, [=] PROCMAP_LAMBDA(Edge i) { return 2 * i; }, out);
}

TEST_P(EveryVerb, ListKeepsTheOrder) {
  std::vector<Edge> expected;
  for (Edge i = 1; i < n; i += 3) expected.push_back(2 * i);
  auto const found = backend.make<Edge>(expected.size());

  list_thirds(backend.ex, n, found.data());

  EXPECT_EQ(backend.get(found), expected);
}

template <class Exec>
void sum_and_best_of_items(Exec& ex, Edge n, Weight* sums, Vertex* largest) {
  auto const work = [=] PROCMAP_LAMBDA(Edge i) -> Edge { return i % 3 == 0 ? 40 : i % 3 == 1 ? 4000 : 400000; };
  ex.for_each_in_group(n, work, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Weight part = 0;
    Vertex mine = -1;
    for (int j = group.rank(); j < 40; j += group.size()) {
      part += i + j;
      mine = j;
    }
    part = group.sum(part);
    mine = group.best(mine, [](Vertex a, Vertex b) { return a > b; });
    if (group.rank() != 0) return;
    sums[i] = part;
    largest[i] = mine;
  });
}

TEST_P(EveryVerb, TheLanesOfAGroupShareEveryItem) {
  auto sums = backend.make<Weight>(at(n));
  auto largest = backend.make<Vertex>(at(n));

  sum_and_best_of_items(backend.ex, n, sums.data(), largest.data());

  auto const sum = backend.get(sums);
  EXPECT_EQ(backend.get(largest), std::vector<Vertex>(at(n), 39));
  for (Edge i = 0; i < n; ++i) ASSERT_EQ(sum[at(i)], 40 * i + 780) << i;
}

/// Arcs of row i: none, few, and more than the lanes of a tile or of a warp take at a time.
PROCMAP_HD inline Edge arcs_of_row(Edge i) {
  constexpr Edge lengths[] = {0, 1, 7, 40, 255, 257, 3000};
  return lengths[i % 7];
}

/// Every team adds up the arcs of its rows: by row, by its lanes, and by a counter that all of them share.
template <class Exec>
void count_arcs_in_teams(Exec& ex, Edge num_teams, Edge work, Vertex rows, Weight* of_row, Weight* of_lanes,
                         Weight* of_counter) {
  ex.for_each_team(num_teams, work, [=] PROCMAP_LAMBDA(Edge i, auto team) {
    Vertex own[num_team_counters];
    auto* const counter = team.counters(own);
    if (team.rank() == 0) *counter = 0;
    team.sync();
    Weight mine = 0;
    auto const size = [](Vertex row) { return arcs_of_row(row); };
    team.for_rows(rows, size, [&](Vertex row, auto lanes) {
      Weight arcs = 0;
      for (Edge e = lanes.rank(); e < size(row); e += lanes.size()) ++arcs;
      mine += arcs;
      Weight const before = lanes.sum_below(arcs);
      Weight const all = lanes.sum(arcs);
      if (lanes.rank() + 1 == lanes.size()) of_row[i * rows + row] = before + arcs == all ? all : -1;
      if (lanes.rank() == 0) atomic_add(counter, static_cast<Vertex>(all));
    });
    mine = team.sum(mine);
    team.sync();
    if (team.rank() == 0) {
      of_lanes[i] = mine;
      of_counter[i] = *counter;
    }
  });
}

TEST(Teams, ShareTheRowsOfTheirItems) {
  constexpr Vertex rows = 100;
  std::vector<Weight> expected;
  for (Vertex row = 0; row < rows; ++row) expected.push_back(arcs_of_row(row));
  auto const all = std::accumulate(expected.begin(), expected.end(), Weight{0});
  for (Edge const num_teams : {1, 5, 700})
    for (Edge const work : {Edge{0}, Edge{1} << 30}) {  // small and large teams
      Backend backend;
      auto of_row = backend.make<Weight>(at(num_teams * rows));
      auto of_lanes = backend.make<Weight>(at(num_teams)), of_counter = backend.make<Weight>(at(num_teams));

      count_arcs_in_teams(backend.ex, num_teams, work, rows, of_row.data(), of_lanes.data(), of_counter.data());

      auto const found = backend.get(of_row);
      for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i % rows]) << "row " << i;
      EXPECT_EQ(backend.get(of_lanes), std::vector<Weight>(at(num_teams), all));
      EXPECT_EQ(backend.get(of_counter), std::vector<Weight>(at(num_teams), all));
    }
}

TEST(FastMemory, TakesArraysAsLongAsThereIsRoom) {
  alignas(16) std::byte room[64];
  FastMemory memory{room, sizeof room};
  Vertex elsewhere[100];
  Vertex* first = elsewhere;
  Vertex* too_long = elsewhere;
  Weight* last = nullptr;

  memory.take(first, 5);
  memory.take(too_long, 100);
  memory.take(last, 4);

  EXPECT_EQ(static_cast<void*>(first), room);
  EXPECT_EQ(too_long, elsewhere);
  EXPECT_EQ(static_cast<void*>(last), room + 32);
  EXPECT_EQ(memory.bytes, 0U);
}

TEST(FastMemory, InSeveralPlacesHoldsAShareOfEveryArrayInEach) {
  alignas(16) std::byte room[64];
  FastMemory memory{room, sizeof room, 8};
  Weight* first = nullptr;
  Weight* second = nullptr;
  Weight* too_long = nullptr;

  memory.take(first, 9);
  memory.take(too_long, 57);
  memory.take(second, 48);

  EXPECT_EQ(static_cast<void*>(first), room);
  EXPECT_EQ(static_cast<void*>(second), room + 16);
  EXPECT_EQ(too_long, nullptr);
  EXPECT_EQ(memory.bytes, 0U);
}

TEST_P(EveryVerb, UploadCopyAndDownloadKeepAllValues) {
  auto const values = numbers(1 << 30);

  auto const original = backend.put(values);
  auto copy = backend.make<Weight>(at(n));
  backend.ex.copy(original.data(), n, copy.data());

  EXPECT_EQ(backend.get(copy), values);
}

// Threads of the host share the copies of arrays of some megabytes.
TEST(Copies, OfLargeArraysKeepAllValues) {
  for (int const threads : {1, 3, 16})
    for (std::size_t const n : {(std::size_t{1} << 21) - 1, std::size_t{1} << 21, std::size_t{5'000'011}}) {
      Backend backend(threads);
      std::vector<int> values(n);
      std::iota(values.begin(), values.end(), 7);
      for (int repetition = 0; repetition < 2; ++repetition)
        ASSERT_TRUE(backend.get(backend.put(values)) == values) << n << " values, " << threads << " threads";
    }
}

TEST_P(EveryVerb, FillSetsAllValuesAndReadReturnsOne) {
  auto buffer = backend.make<Weight>(at(n) + 1);
  backend.ex.fill(buffer.data(), n + 1, Weight{7});

  backend.ex.fill(buffer.data(), n, Weight{-5});

  auto expected = std::vector<Weight>(at(n), -5);
  expected.push_back(7);
  EXPECT_EQ(backend.get(buffer), expected);
  EXPECT_EQ(backend.ex.read(buffer.data() + n), 7);
}

TEST_P(EveryVerb, ShrinkKeepsTheFirstElements) {
  auto values = numbers(1000);
  auto buffer = backend.put(values);

  buffer.shrink(values.size() + 5);
  EXPECT_EQ(buffer.size(), values.size());
  for (auto const size : {values.size() / 3, std::size_t{0}}) {
    buffer.shrink(size);
    values.resize(size);
    EXPECT_EQ(backend.get(buffer), values);
  }
}

template <class Exec>
Weight sum_of(Exec& ex, Edge n, Weight const* values) {
  return ex.sum(n, [=] PROCMAP_LAMBDA(Edge i) { return values[i]; });
}

template <class Exec>
Weight max_of(Exec& ex, Edge n, Weight const* values) {
  return ex.max(n, [=] PROCMAP_LAMBDA(Edge i) { return values[i]; });
}

TEST_P(EveryVerb, SumAddsAllTerms) {
  auto const values = numbers(Weight{1} << 45);
  auto const buffer = backend.put(values);

  EXPECT_EQ(sum_of(backend.ex, n, buffer.data()), std::accumulate(values.begin(), values.end(), Weight{0}));
}

template <class Exec>
void number_copies(Exec& ex, Edge copies, Edge n, Edge* out) {
  for_each_in_copies(ex, copies, n, [=] PROCMAP_LAMBDA(Edge copy, Edge i) { out[n * copy + i] += 1000 * copy + i; });
}

TEST_P(EveryVerb, ForEachInCopiesVisitsEveryItemOfEveryCopyOnce) {
  Edge const copies = 3;
  auto const out = backend.put(std::vector<Edge>(at(copies * n), 0));

  number_copies(backend.ex, copies, n, out.data());

  auto const numbers = backend.get(out);
  for (Edge j = 0; j < copies * n; ++j) ASSERT_EQ(numbers[at(j)], 1000 * (j / n) + j % n);
}

TEST_P(EveryVerb, MaxIsTheLargestTermAlsoOfNegativeOnes) {
  auto values = numbers(Weight{1} << 45);
  for (auto& value : values) value -= Weight{1} << 45;
  auto const buffer = backend.put(values);

  auto const expected = n == 0 ? std::numeric_limits<Weight>::min() : *std::ranges::max_element(values);
  EXPECT_EQ(max_of(backend.ex, n, buffer.data()), expected);
}

template <class Exec>
Edge scan_of(Exec& ex, Edge n, Edge const* values, Edge* out) {
  return ex.scan(n, [=] PROCMAP_LAMBDA(Edge i) { return values[i]; }, out);
}

TEST_P(EveryVerb, ScanGivesTheSumBeforeEveryIndexAndTheTotal) {
  auto values = numbers(1000);
  auto const buffer = backend.put(values);
  auto out = backend.make<Edge>(at(n) + 1);

  auto const total = scan_of(backend.ex, n, buffer.data(), out.data());

  values.push_back(0);
  std::exclusive_scan(values.begin(), values.end(), values.begin(), Weight{0});
  EXPECT_EQ(backend.get(out), values);
  EXPECT_EQ(total, values.back());
}

TEST_P(EveryVerb, ScanMayOverwriteItsOwnTerms) {
  auto values = numbers(1000);
  values.push_back(123);  // where the total goes
  auto buffer = backend.put(values);

  auto const total = scan_of(backend.ex, n, buffer.data(), buffer.data());

  values.back() = 0;
  std::exclusive_scan(values.begin(), values.end(), values.begin(), Weight{0});
  EXPECT_EQ(backend.get(buffer), values);
  EXPECT_EQ(total, values.back());
}

template <class Exec>
Edge multiples_of(Exec& ex, Edge n, Weight const* values, Weight divisor, Vertex* out) {
  return ex.select(
      n, [=] PROCMAP_LAMBDA(Edge i) { return divisor != 0 && values[i] % divisor == 0; },
      [=] PROCMAP_LAMBDA(Edge i) { return static_cast<Vertex>(2 * i); }, out);
}

TEST_P(EveryVerb, SelectKeepsTheOrderOfWhatItChooses) {
  auto const values = numbers(1000);
  auto const buffer = backend.put(values);
  for (Weight const divisor : {0, 1, 3, 100}) {  // none, all, many, few
    auto out = backend.make<Vertex>(at(n));

    auto const count = multiples_of(backend.ex, n, buffer.data(), divisor, out.data());

    std::vector<Vertex> expected;
    for (Edge i = 0; i < n; ++i)
      if (divisor != 0 && values[at(i)] % divisor == 0) expected.push_back(static_cast<Vertex>(2 * i));
    EXPECT_EQ(count, static_cast<Edge>(expected.size())) << "divisor " << divisor;
    EXPECT_EQ(backend.get(out.data(), expected.size()), expected) << "divisor " << divisor;
  }
}

template <class Exec>
void sort_pairs(Exec& ex, Edge n, KeyedId* list) {
  ex.sort(list, n, [] PROCMAP_LAMBDA(KeyedId const& a, KeyedId const& b) {
    return a.key != b.key ? a.key < b.key : a.id < b.id;
  });
}

TEST_P(EveryVerb, SortFollowsATotalOrderAmongManyEqualKeys) {
  for (std::int64_t const num_keys : {std::int64_t{1}, std::int64_t{10}, std::int64_t{1} << 40}) {
    std::vector<KeyedId> pairs(at(n));
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {static_cast<std::uint64_t>(random_below(num_keys, seed, i)) << 20,
                  static_cast<Vertex>(n) - static_cast<Vertex>(i)};
    auto buffer = backend.put(pairs);

    sort_pairs(backend.ex, n, buffer.data());

    std::ranges::sort(pairs, {}, [](KeyedId const& p) { return std::pair(p.key, p.id); });
    auto const result = backend.get(buffer);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      ASSERT_TRUE(result[i].key == pairs[i].key && result[i].id == pairs[i].id) << i << ", " << num_keys << " keys";
  }
}

}  // namespace
}  // namespace procmap::test
