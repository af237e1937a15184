// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "opinion.hpp"
#include "procmap/error.hpp"
#include "procmap/topology.hpp"
#include "words.hpp"

// Machines, from text ("4:8:6", "1:10:100") and from numbers: refused exactly if they are none, and else with the
// distances of their definitions. The first byte says what is made of the others.

namespace procmap::fuzz {
namespace {

constexpr std::int64_t largest_distance = std::numeric_limits<std::int32_t>::max();
using Numbers = std::vector<std::int64_t>;
/// Of two different PEs.
using Distance = std::function<Weight(Block, Block)>;

bool fit(Numbers const& values, std::int64_t low, std::int64_t high) {
  return std::all_of(values.begin(), values.end(), [=](auto value) { return low <= value && value <= high; });
}

/// Nothing if they are more than a machine may have.
std::optional<Block> product(Numbers const& sizes) {
  std::int64_t product = 1;
  for (auto const size : sizes) {
    if (size < 1 || size > Topology::max_pes) return {};
    product *= size;
    if (product > Topology::max_pes) return {};
  }
  return static_cast<Block>(product);
}

template <class T>
std::vector<T> narrow(Numbers const& values) {
  return {values.begin(), values.end()};
}

template <class Make>
std::optional<Topology> made(Make make) {
  try {
    return make();
  } catch (TopologyError const& error) {
    expect_readable(error);
    return {};
  }
}

void expect_is(std::optional<Topology> const& machine, bool legal, Block num_pes, Distance const& distance) {
  expect(machine.has_value() == legal, legal ? "refused, but correct" : "accepted");
  if (!machine) return;
  expect(machine->num_pes() == num_pes, "another number of PEs");
  expect(!machine->describe().empty(), "no description");
  Weight farthest = 0;
  for (Block i = 0; i < std::min<Block>(num_pes, 12); ++i) {
    Block const a = num_pes > 12 ? static_cast<Block>(std::int64_t{i} * (num_pes - 1) / 11) : i;
    for (Block b = 0; b <= std::min<Block>(num_pes - 1, 40); ++b) {
      auto const right = a == b ? 0 : distance(a, b);
      expect(machine->distance(a, b) == right && machine->distance(b, a) == right, "another distance");
      farthest = std::max(farthest, right);
    }
  }
  expect(machine->max_distance() >= farthest, "a distance above the largest");
}

// ---- hierarchies

bool is_hierarchy(Numbers const& sizes, Numbers const& distances) {
  return sizes.size() == distances.size() && !sizes.empty() && sizes.size() <= Topology::max_levels && product(sizes) &&
         fit(distances, 0, std::numeric_limits<Weight>::max()) && std::is_sorted(distances.begin(), distances.end());
}

void check_hierarchy(std::optional<Topology> const& machine, Numbers const& sizes, Numbers const& distances) {
  bool const legal = is_hierarchy(sizes, distances);
  expect_is(machine, legal, product(sizes).value_or(0), [&](Block a, Block b) {
    std::size_t level = 0;
    for (Block group = static_cast<Block>(sizes[0]); a / group != b / group; group *= static_cast<Block>(sizes[level]))
      ++level;
    return distances[level];
  });
}

std::string joined(Numbers const& values) {
  std::string text;
  for (auto const value : values) text += (text.empty() ? "" : ":") + std::to_string(value);
  return text;
}

void check_text(std::string_view text) {
  auto const lines = split(text, "\n");
  auto const sizes = lines[0], distances = lines.size() > 1 ? lines[1] : std::string_view();
  auto const machine = made([&] { return Topology::hierarchy(sizes, distances); });
  auto const numbers = [](std::string_view list, std::int64_t largest) {
    Numbers values;
    for (auto const word : split(list, ":")) values.push_back(natural(word, largest).value_or(-1));
    return values;
  };
  auto const a = numbers(sizes, Topology::max_pes), d = numbers(distances, std::numeric_limits<Weight>::max());
  check_hierarchy(machine, a, d);
  if (machine) expect(Topology::hierarchy(joined(a), joined(d)) == *machine, "written and read, it is another machine");
}

void check_levels(Numbers const& sizes, Numbers const& distances) {
  if (!fit(sizes, std::numeric_limits<Block>::min(), std::numeric_limits<Block>::max())) return;
  check_hierarchy(made([&] { return Topology::hierarchy(narrow<Block>(sizes), distances); }), sizes, distances);
}

// ---- grids

void check_grid(Numbers const& sizes, Numbers const& costs, bool wraps) {
  if (!fit(sizes, std::numeric_limits<Block>::min(), std::numeric_limits<Block>::max())) return;
  auto const machine = made([&] {
    return wraps ? Topology::torus(narrow<Block>(sizes), costs) : Topology::mesh(narrow<Block>(sizes), costs);
  });
  bool const legal = !sizes.empty() && sizes.size() <= Topology::max_dimensions && product(sizes) &&
                     (costs.empty() || costs.size() == sizes.size()) && fit(costs, 0, largest_distance);
  expect_is(machine, legal, product(sizes).value_or(0), [&](Block a, Block b) {
    Weight sum = 0;
    for (std::size_t i = sizes.size(); i-- > 0; a /= static_cast<Block>(sizes[i]), b /= static_cast<Block>(sizes[i])) {
      auto steps = std::abs(a % sizes[i] - b % sizes[i]);
      if (wraps) steps = std::min(steps, sizes[i] - steps);
      sum += steps * (costs.empty() ? 1 : costs[i]);
    }
    return sum;
  });
}

void check_hypercube(std::int64_t dimensions) {
  if (!fit({dimensions}, std::numeric_limits<int>::min(), std::numeric_limits<int>::max())) return;
  auto const machine = made([&] { return Topology::hypercube(static_cast<int>(dimensions)); });
  bool const legal = dimensions >= 0 && dimensions <= Topology::max_dimensions;
  expect_is(machine, legal, legal ? Block{1} << dimensions : 0,
            [](Block a, Block b) { return std::popcount(static_cast<unsigned>(a ^ b)); });
}

// ---- networks of switches

void check_fat_tree(std::int64_t ports, std::int64_t pes) {
  if (!fit({ports, pes}, std::numeric_limits<Block>::min(), std::numeric_limits<Block>::max())) return;
  auto const machine = made([&] { return Topology::fat_tree(static_cast<Block>(ports), static_cast<Block>(pes)); });
  auto const count = product({pes, ports / 2, ports / 2, ports});
  expect_is(machine, ports >= 2 && ports % 2 == 0 && count, count.value_or(0), [=](Block a, Block b) -> Weight {
    auto const below = [=](std::int64_t group) { return a / group == b / group; };
    if (below(pes)) return 1;
    if (below(pes * (ports / 2))) return 2;
    return below(pes * (ports / 2) * (ports / 2)) ? 4 : 6;
  });
}

void check_dragonfly(Numbers const& counts, Numbers const& costs) {
  if (!fit(counts, std::numeric_limits<Block>::min(), std::numeric_limits<Block>::max())) return;
  // Of every two routers there is an entry: large ones take seconds.
  auto const routers = static_cast<__int128>(counts[0]) * counts[1];
  if (counts[0] > 0 && counts[1] > 0 && routers > 100 && routers <= Topology::max_nodes) return;
  auto const machine = made([&] {
    return Topology::dragonfly(static_cast<Block>(counts[0]), static_cast<Block>(counts[1]),
                               static_cast<Block>(counts[2]), {costs[0], costs[1], costs[2]});
  });
  bool const legal = product(counts) && routers <= Topology::max_nodes && fit(costs, 0, largest_distance / 5);
  auto const port = [&](std::int64_t from, std::int64_t to) {
    return (to - (to > from)) * counts[1] / (counts[0] - 1);
  };
  expect_is(machine, legal, product(counts).value_or(0), [&](Block a, Block b) {
    auto const x = a / counts[2], y = b / counts[2], from = x / counts[1], to = y / counts[1];
    auto const ends = 2 * costs[0];
    if (x == y) return ends;
    if (from == to) return ends + costs[1];
    return ends + costs[2] + (x % counts[1] != port(from, to) ? costs[1] : 0) +
           (y % counts[1] != port(to, from) ? costs[1] : 0);
  });
}

// ---- matrices, and parts of machines

void check_matrix(Numbers const& entries, std::int64_t k) {
  auto const machine = made([&] { return Topology::from_distance_matrix(entries, static_cast<Block>(k)); });
  bool legal = k >= 1 && k <= Topology::max_nodes && entries.size() == static_cast<std::size_t>(k * k) &&
               fit(entries, 0, largest_distance);
  auto const entry = [&](std::int64_t a, std::int64_t b) { return entries[static_cast<std::size_t>(a * k + b)]; };
  for (std::int64_t a = 0; legal && a < k; ++a) {
    legal = entry(a, a) == 0;
    for (std::int64_t b = 0; b < a; ++b) legal = legal && entry(a, b) == entry(b, a);
  }
  expect_is(machine, legal, static_cast<Block>(k), entry);
}

void check_part(Numbers const& pes) {
  if (!fit(pes, std::numeric_limits<Block>::min(), std::numeric_limits<Block>::max())) return;
  for (auto const& whole :
       {Topology::hierarchy("2:3:2", "1:10:100"), Topology::torus({3, 4}, {2, 5}), Topology::dragonfly(3, 2, 2)}) {
    auto const machine = made([&] { return whole.sub(narrow<Block>(pes)); });
    auto sorted = pes;
    std::sort(sorted.begin(), sorted.end());
    bool const legal = !pes.empty() && fit(pes, 0, whole.num_pes() - 1) &&
                       std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    expect_is(machine, legal, static_cast<Block>(pes.size()), [&](Block a, Block b) {
      return whole.distance(static_cast<Block>(pes[static_cast<std::size_t>(a)]),
                            static_cast<Block>(pes[static_cast<std::size_t>(b)]));
    });
  }
}

Numbers numbers(Bytes& bytes, int longest) {
  Numbers values(static_cast<std::size_t>(bytes.below(longest + 1)));
  for (auto& value : values) value = bytes.odd_integer();
  return values;
}

Numbers exactly(Bytes& bytes, std::size_t count) {
  Numbers values(count);
  for (auto& value : values) value = bytes.odd_integer();
  return values;
}

Numbers matrix(Bytes& bytes, std::int64_t k) {
  Numbers entries(static_cast<std::size_t>(k * k), 0);
  for (std::int64_t a = 0; a < k; ++a)
    for (std::int64_t b = 0; b < a; ++b)
      entries[static_cast<std::size_t>(a * k + b)] = entries[static_cast<std::size_t>(b * k + a)] = bytes.odd_integer();
  for (; !bytes.empty() && !entries.empty(); bytes.next())
    entries[static_cast<std::size_t>(bytes.next()) % entries.size()] = bytes.odd_integer();
  return entries;
}

void check_numbers(int kind, Bytes bytes) {
  switch (kind) {
    case 0: {
      auto const sizes = numbers(bytes, 9);
      return check_levels(sizes, bytes.one_in(8) ? numbers(bytes, 9) : exactly(bytes, sizes.size()));
    }
    case 1:
    case 2: {
      auto const sizes = numbers(bytes, 5);
      return check_grid(sizes, bytes.one_in(2) ? numbers(bytes, 5) : Numbers{}, kind == 1);
    }
    case 3:
      return check_hypercube(bytes.odd_integer());
    case 4: {
      auto const ports = bytes.odd_integer();
      return check_fat_tree(ports, bytes.odd_integer());
    }
    case 5: {
      auto const counts = exactly(bytes, 3);
      return check_dragonfly(counts, exactly(bytes, 3));
    }
    case 6: {
      auto const k = bytes.below(8);
      return check_matrix(matrix(bytes, k), bytes.one_in(16) ? bytes.next() : k);
    }
    default:
      return check_part(numbers(bytes, 14));
  }
}

}  // namespace
}  // namespace procmap::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  constexpr int kinds = 8;
  // Digits are the first byte of text; below them are the other machines.
  if (size > 0 && data[0] < kinds)
    procmap::fuzz::check_numbers(data[0], {data + 1, size - 1});
  else
    procmap::fuzz::check_text({reinterpret_cast<char const*>(data), size});
  return 0;
}
