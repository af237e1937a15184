// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Coordinates [pe * dimensions + i] of PEs that are numbered with the last dimension running fastest.
inline std::vector<Block> row_major(std::vector<Block> const& sizes, Block num_pes) {
  auto const dimensions = sizes.size();
  std::vector<Block> coordinates(static_cast<std::size_t>(num_pes) * dimensions);
  for (Block pe = 0; pe < num_pes; ++pe) {
    Block rest = pe;
    for (std::size_t i = dimensions; i-- > 0; rest /= sizes[i])
      coordinates[static_cast<std::size_t>(pe) * dimensions + i] = rest % sizes[i];
  }
  return coordinates;
}

}  // namespace procmap
