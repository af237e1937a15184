// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "exec/host_team.hpp"
#include "initial/host_graph.hpp"
#include "procmap/config.hpp"

namespace procmap {

/// A level of multisection: `num_scopes` subgraphs, each to be split into `parts` blocks.
struct SplitTask {
  Block num_scopes = 1;
  Block parts = 1;
  std::vector<Weight> capacity;  // per block: num_scopes * parts
  std::vector<Weight> share;     // per block: its part of the subgraph if all were filled alike
  Block pes_per_block = 1;       // fixed PE p belongs to block p / pes_per_block
};

/// Splits every scope of a small graph, `members` times over, by recursive bisection on the host. `fixed` is empty or
/// holds the PE of every fixed vertex and no_block for the others. The result is laid out as in Population.
std::vector<Block> initial_population(HostGraph const& graph, std::vector<Block> const& scope,
                                      std::vector<Block> const& fixed, SplitTask const& task, int members,
                                      InitialConfig const& config, std::uint64_t seed, HostTeam const& team);

}  // namespace procmap
