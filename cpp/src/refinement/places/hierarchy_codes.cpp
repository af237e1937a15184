// SPDX-License-Identifier: MIT
#include "refinement/places/hierarchy_codes.hpp"

namespace procmap {

HierarchyCodes::HierarchyCodes(Hierarchy const& machine, std::vector<Block> const& pe_of_place)
    : code_(pe_of_place.size(), 0) {
  int bits = 0;
  Block group = 1;  // PEs
  for (std::size_t level = 0; level < machine.sizes.size(); ++level) {
    Block const size = machine.sizes[level];
    for (std::size_t p = 0; p < code_.size(); ++p)
      code_[p] |= static_cast<std::uint32_t>(pe_of_place[p] / group % size) << bits;
    int const end = bits + static_cast<int>(std::bit_width(static_cast<std::uint32_t>(size - 1)));
    while (bits < end) of_bit_[static_cast<std::size_t>(++bits)] = machine.distances[level];
    group *= size;
  }
}

}  // namespace procmap
