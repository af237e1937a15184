// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/host_graph.hpp"
#include "multilevel/plans.hpp"

namespace procmap {

/// One split of a population, for somebody who shares no memory with the call: split_scopes with these arguments.
struct MemberJob {
  HostGraph graph;
  std::vector<Block> scope;  // empty: there is one
  std::vector<Block> fixed;  // empty: none
  BlockTargets targets;
  SplitPlan plan;
};

/// The bytes of a job, for the same version of procmap on the same kind of machine.
std::string packed(MemberJob const& job);

/// Throws ConfigError if packed() of this version did not make them.
MemberJob unpacked_member(std::string_view bytes);

/// The bytes of an answer: the block of every vertex.
std::string packed(std::vector<Block> const& blocks);

/// Throws ConfigError unless there are so many blocks below `num_blocks`.
std::vector<Block> unpacked_blocks(std::string_view bytes, Vertex num_vertices, Block num_blocks);

/// Which members of a population others make: of every share + 1 the first stays here. `share` is how many others there
/// are.
std::vector<int> members_away(int population, int share);

}  // namespace procmap
