// SPDX-License-Identifier: MIT
#include "multilevel/mean_distances.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/random.hpp"

namespace procmap {
namespace {

constexpr Block most_asked = 4096;  // slots, of every level
constexpr Weight fractions = 16;    // of a unit

/// A slot of another one of the `size` groups of `group` slots that form the next larger group around `slot`.
Block slot_of_another(Block slot, Block group, Block size) {
  auto const number = hash(static_cast<std::uint64_t>(group), static_cast<std::uint64_t>(slot));
  Block const first = slot - slot % (group * size), own = slot / group % size;
  auto const further = static_cast<Block>(choose(number, static_cast<std::size_t>(size - 1)));
  auto const within = static_cast<Block>(choose(number << 32, static_cast<std::size_t>(group)));
  return first + (own + 1 + further) % size * group + within;
}

/// Between slots of neighbouring groups, in fractions of a unit.
template <class Distances>
Weight mean_distance(Distances const& of, Block num_slots, Block group, Block size) {
  Block const asked = std::min(num_slots, most_asked);
  __int128 sum = 0;
  for (Block i = 0; i < asked; ++i) {
    auto const slot = static_cast<Block>(Edge{i} * num_slots / asked);
    sum += of.from(of.key(slot))[of.key(slot_of_another(slot, group, size))];
  }
  return static_cast<Weight>(sum * fractions / asked);
}

}  // namespace

Topology with_mean_distances(Topology const& hierarchy, PlaceDistances const& distance) {
  auto const sizes = hierarchy.sizes();
  auto means = distance.with([&](auto const& of) {
    std::vector<Weight> found;
    Block group = 1;
    for (Block const size : sizes) {
      Weight const inner = found.empty() ? 0 : found.back();
      found.push_back(size > 1 ? std::max(inner, mean_distance(of, hierarchy.num_pes(), group, size)) : inner);
      group *= size;
    }
    return found;
  });
  return Topology::hierarchy(sizes, std::move(means));
}

}  // namespace procmap
