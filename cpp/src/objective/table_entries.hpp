// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Distances of any machine, from a table over its nodes.
struct TableEntries {
  Edge num_nodes = 0;
  Block const* node = nullptr;            // per block
  std::int32_t const* entries = nullptr;  // [x * num_nodes + y]

  PROCMAP_HD Weight distance(Block a, Block b) const { return a == b ? 0 : entries[node[a] * num_nodes + node[b]]; }
};

}  // namespace procmap
