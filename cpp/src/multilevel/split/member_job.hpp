// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "coarsening/coarsen.hpp"
#include "graph/host_graph.hpp"
#include "multilevel/plans.hpp"

namespace procmap {

/// A split for somebody who shares no memory with whoever asks for it: split_scopes with these arguments.
struct MemberJob {
  HostGraph graph;
  std::vector<Block> scope;  // empty: there is one
  std::vector<Block> fixed;  // empty: none
  BlockTargets targets;
  SplitPlan plan;
};

/// Copies what a split needs to the host.
template <HostExecutor Exec>
MemberJob member_job(Exec& ex, CsrView graph, VertexLabels labels, BlockTargets const& targets, SplitPlan const& plan) {
  Vertex const n = graph.num_vertices;
  return {download_graph(ex, graph), download_labels(ex, labels.scope, n), download_labels(ex, labels.fixed, n),
          targets, plan};
}

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
