// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/hash.hpp"
#include "support/backend.hpp"
#include "support/reference.hpp"

// Passes over so many items that a lane of a GPU has those with little work to itself, between others.

namespace procmap::test {
namespace {

constexpr Edge num_items = 1'100'007;  // so many that passes of the host have few warps, too
constexpr Vertex num_keys = 5;

PROCMAP_HD inline Edge work_of(Edge i) {
  constexpr Edge mixed[] = {0, 3, 9, 70, 300, 2500};  // for a lane, a tile, a warp and a block
  Edge const stretch = i / 1000 % 100;
  if (stretch == 7) return mixed[i % 6];
  if (stretch % 10 == 3) return i % 4 == 0 ? 5 : 20;
  return i % 9;
}

PROCMAP_HD inline bool is_chosen(Edge i) { return hash(5, static_cast<std::uint64_t>(i)) % 7 == 0; }

struct WorkOf {
  PROCMAP_HD Edge operator()(Edge i) const { return work_of(i); }
};

struct NeedsOf {
  PROCMAP_HD TableNeeds operator()(Edge i) const { return {work_of(i) < num_keys ? work_of(i) : num_keys, work_of(i)}; }
};

/// sums[i] = the sum of i + j for all j below the work of i.
struct SumOfItem {
  Weight* sums;

  template <class Group>
  PROCMAP_HD void operator()(Edge i, Group group) const {
    Weight part = 0;
    for (Edge j = group.rank(); j < work_of(i); j += group.size()) part += i + j;
    part = group.sum(part);
    if (group.rank() == 0) sums[i] = part;
  }
};

/// of_key[i * num_keys + key] = the number of all j below the work of i with that remainder.
struct CountsOfItem {
  Weight* of_key;

  template <class Group, class Table>
  PROCMAP_HD void operator()(Edge i, Group group, Table& table) const {
    for (Edge j = group.rank(); j < work_of(i); j += group.size()) table.add(static_cast<Vertex>(j % num_keys), 1);
    group.sync();
    for (Vertex key = group.rank(); key < num_keys; key += group.size()) of_key[i * num_keys + key] = table.get(key);
  }
};

struct Results {
  Weight* sums;
  Weight* of_key;
  Vertex* chosen;
  Edge* num_chosen;
};

struct AllPasses {
  Results to;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const out = to;
    ex.for_each_in_group(num_items, WorkOf{}, SumOfItem{out.sums});
    ex.for_each_with_table(num_items, NeedsOf{}, num_keys, CountsOfItem{out.of_key});
    Edge const count = ex.collect(
        num_items, [] PROCMAP_LAMBDA(Edge i) { return is_chosen(i); },
        [] PROCMAP_LAMBDA(Edge i) { return static_cast<Vertex>(i); }, out.chosen);
    ex.for_each(1, [=] PROCMAP_LAMBDA(Edge) { *out.num_chosen = count; });
  }
};

void expect_sums(std::vector<Weight> const& sums) {
  for (Edge i = 0; i < num_items; ++i) {
    Edge const work = work_of(i);
    ASSERT_EQ(sums[at(i)], work * i + work * (work - 1) / 2) << "item " << i;
  }
}

void expect_counts(std::vector<Weight> const& of_key) {
  for (Edge i = 0; i < num_items; ++i)
    for (Edge key = 0; key < num_keys; ++key)
      ASSERT_EQ(of_key[at(i * num_keys + key)], (work_of(i) + num_keys - 1 - key) / num_keys) << "item " << i;
}

TEST(LittleWork, IsDoneOncePerItemByPassesOfTheHost) {
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    auto sums = backend.make<Weight>(at(num_items));
    auto of_key = backend.make<Weight>(at(num_items * num_keys));

    backend.ex.for_each_in_group(num_items, WorkOf{}, SumOfItem{sums.data()});
    backend.ex.for_each_with_table(num_items, NeedsOf{}, num_keys, CountsOfItem{of_key.data()});

    expect_sums(backend.get(sums));
    expect_counts(backend.get(of_key));
  }
}

TEST(LittleWork, IsDoneOncePerItemByResidentPasses) {
  for (int const threads : Backend::thread_counts()) {
    Backend backend(threads);
    auto sums = backend.make<Weight>(at(num_items));
    auto of_key = backend.make<Weight>(at(num_items * num_keys));
    auto chosen = backend.make<Vertex>(at(num_items));
    auto num_chosen = backend.make<Edge>(1);

    backend.ex.resident({num_items, decltype(backend.ex)::pass_bytes(at(num_items)), num_keys, 8 * num_items},
                        AllPasses{{sums.data(), of_key.data(), chosen.data(), num_chosen.data()}});

    expect_sums(backend.get(sums));
    expect_counts(backend.get(of_key));
    std::vector<Vertex> expected;
    for (Edge i = 0; i < num_items; ++i)
      if (is_chosen(i)) expected.push_back(static_cast<Vertex>(i));
    ASSERT_EQ(backend.get(num_chosen)[0], static_cast<Edge>(expected.size()));
    auto found = backend.get(chosen);
    found.resize(expected.size());
    std::ranges::sort(found);  // they come in any order
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace procmap::test
