// SPDX-License-Identifier: MIT
#include "topology/joined_levels.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace procmap {

Topology joined_levels(Topology const& machine) {
  auto const* const hierarchy = machine.as_hierarchy();
  if (!hierarchy) return machine;
  Hierarchy joined;
  for (std::size_t i = 0; i < hierarchy->sizes.size(); ++i) {
    auto const size = hierarchy->sizes[i];
    auto const distance = hierarchy->distances[i];
    if (size == 1) continue;
    if (!joined.sizes.empty() && joined.distances.back() == distance) {
      joined.sizes.back() *= size;
    } else {
      joined.sizes.push_back(size);
      joined.distances.push_back(distance);
    }
  }
  if (joined.sizes.empty() || joined.sizes.size() == hierarchy->sizes.size()) return machine;
  return Topology::hierarchy(std::move(joined.sizes), std::move(joined.distances));
}

}  // namespace procmap
