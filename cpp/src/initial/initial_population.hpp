// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/hash.hpp"
#include "initial/host_graph.hpp"
#include "initial/recursive_bisection.hpp"
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

/// The blocks, counted from `first_block`, of the listed vertices that are fixed; empty if nobody is.
std::vector<Block> fixed_blocks(std::vector<Block> const& fixed, std::vector<Vertex> const& vertices,
                                SplitTask const& task, Block first_block);

/// Splits every scope of a small graph, `members` times over, by recursive bisection on the host. `fixed` is empty or
/// holds the PE of every fixed vertex and no_block for the others.
/// `for_each_job(count, job)` runs job(i) for all i < count in any order. The result is laid out as in
/// Population.
template <class ForEachJob>
std::vector<Block> initial_population(HostGraph const& graph, std::vector<Block> const& scope,
                                      std::vector<Block> const& fixed, SplitTask const& task, int members,
                                      InitialConfig const& config, std::uint64_t seed, ForEachJob for_each_job) {
  auto const parts = split_by_scope(graph, scope, task.num_scopes);
  std::vector<Block> block(scope.size() * static_cast<std::size_t>(members));
  for_each_job(Edge{task.num_scopes} * members, [&](Edge job) {
    auto const s = static_cast<std::size_t>(job % task.num_scopes);
    auto const member = static_cast<std::size_t>(job / task.num_scopes);
    auto const& vertices = parts.vertices[s];
    std::vector<Block> local(vertices.size());
    auto const first = s * static_cast<std::size_t>(task.parts);
    std::span<Weight const> const capacity(task.capacity.data() + first, static_cast<std::size_t>(task.parts));
    auto const local_fixed = fixed_blocks(fixed, vertices, task, static_cast<Block>(first));
    recursive_bisection(parts.graph[s].view(), capacity, config, hash(seed, member, s), local, local_fixed);
    auto const offset = static_cast<Block>(member) * task.num_scopes * task.parts + static_cast<Block>(first);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      block[member * scope.size() + static_cast<std::size_t>(vertices[i])] = offset + local[i];
  });
  return block;
}

}  // namespace procmap
