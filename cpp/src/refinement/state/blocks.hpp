// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"

namespace procmap {

/// The blocks of a problem. Blocks come in scopes of equal size: scope s owns blocks
/// s * per_scope ... (s + 1) * per_scope - 1, and a vertex never leaves the scope it is in. Scopes share
/// no arcs, so they are independent problems solved in one pass: the subgraphs of a multisection level,
/// and the members of a tournament.
struct BlocksView {
  Block num_blocks = 0;
  Block per_scope = 1;
  Weight const* capacity = nullptr;  // per block
  Weight const* share = nullptr;     // per block: the weight it would have if all were filled alike
  Weight const* limits = nullptr;    // of several weights, what a block may hold of each: [b * graph.num_loads + i]

  PROCMAP_HD Block num_scopes() const { return per_scope > 0 ? num_blocks / per_scope : 0; }
  PROCMAP_HD Block scope_of(Block b) const { return per_scope == num_blocks ? 0 : b / per_scope; }
  PROCMAP_HD Block first_of(Block scope) const { return scope * per_scope; }
};

}  // namespace procmap
