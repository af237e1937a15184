// SPDX-License-Identifier: MIT
#include "topology/triangle.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace procmap {
namespace {

constexpr Block most_nodes = 512;  // all three of which are looked at in some hundredths of a second

}  // namespace

bool keeps_triangle_inequality(Topology const& machine) {
  auto const* const table = machine.as_table();
  if (!table) return true;  // levels of a hierarchy and steps of a grid
  if (table->num_nodes > most_nodes) return false;
  auto const n = static_cast<std::size_t>(table->num_nodes);
  auto const row = [&](std::size_t x) { return table->distances.data() + x * n; };
  for (std::size_t x = 0; x < n; ++x)
    for (std::size_t y = 0; y < n; ++y) {
      auto const *const from_x = row(x), *const from_y = row(y);
      std::int64_t const between = from_x[y];
      std::int64_t longest = 0;  // detour that is too short
      for (std::size_t z = 0; z < n; ++z)
        longest = std::max<std::int64_t>(longest, std::int64_t{from_x[z]} - from_y[z]);
      if (longest > between) return false;
    }
  return true;
}

}  // namespace procmap
