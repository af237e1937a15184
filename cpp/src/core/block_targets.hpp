// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// What the blocks of `num_scopes` independent problems of `parts` blocks each are to hold. Block b of scope s is at
/// s * parts + b.
struct BlockTargets {
  Block num_scopes = 1;
  Block parts = 1;
  std::vector<Weight> capacity;  // per block
  std::vector<Weight> share;     // per block: its part of the scope's weight if all were filled alike
  std::vector<Weight> finest_capacity = {};  // per block, if coarse levels may hold more than the finest one
  std::vector<Weight> limits = {};  // of several weights, what a block may hold of each: [b * number + i]
  Block pes_per_block = 1;       // fixed PE p belongs to block p / pes_per_block

  Block num_blocks() const { return num_scopes * parts; }
};

}  // namespace procmap
