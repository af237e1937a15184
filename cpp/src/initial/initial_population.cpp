// SPDX-License-Identifier: MIT
#include "initial/initial_population.hpp"

#include "core/hash.hpp"
#include "initial/recursive_bisection.hpp"

namespace procmap {

namespace {

/// The blocks, counted from `first_block`, of the listed vertices that are fixed; empty if nobody is.
std::vector<Block> fixed_blocks(std::vector<Block> const& fixed, std::vector<Vertex> const& vertices,
                                BlockTargets const& targets, Block first_block) {
  std::vector<Block> block;
  if (fixed.empty()) return block;
  block.reserve(vertices.size());
  for (Vertex const v : vertices) {
    Block const pe = fixed[static_cast<std::size_t>(v)];
    block.push_back(pe == no_block ? no_block : pe / targets.pes_per_block - first_block);
  }
  return block;
}

}  // namespace

std::vector<Block> initial_population(InitialProblem const& problem, BlockTargets const& targets, int members,
                                      InitialConfig const& config, std::uint64_t seed, HostTeam const& team) {
  auto const& scope = problem.scope;  // no structured binding: clang 14 lets lambdas capture none
  auto const& fixed = problem.fixed;
  auto const parts = split_by_scope(problem.graph, scope, targets.num_scopes, team);
  std::vector<Block> block(scope.size() * static_cast<std::size_t>(members));
  auto const split_one = [&](Edge job, HostTeam const& helpers) {
    auto const s = static_cast<std::size_t>(job % targets.num_scopes);
    auto const member = static_cast<std::size_t>(job / targets.num_scopes);
    auto const& vertices = parts.vertices[s];
    std::vector<Block> local(vertices.size());
    auto const first = s * static_cast<std::size_t>(targets.parts);
    std::span<Weight const> const capacity(targets.capacity.data() + first, static_cast<std::size_t>(targets.parts));
    auto const local_fixed = fixed_blocks(fixed, vertices, targets, static_cast<Block>(first));
    recursive_bisection(parts.graph[s].view(), capacity, config, hash(seed, member, s), local, local_fixed, helpers);
    auto const offset = static_cast<Block>(member) * targets.num_scopes * targets.parts + static_cast<Block>(first);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      block[member * scope.size() + static_cast<std::size_t>(vertices[i])] = offset + local[i];
  };
  Edge const jobs = Edge{targets.num_scopes} * members;
  if (better_one_by_one(team, jobs, std::max(config.starts, 1)))
    for (Edge job = 0; job < jobs; ++job) split_one(job, team);
  else
    team.for_each_job(jobs, [&](Edge job) { split_one(job, {}); });
  return block;
}

}  // namespace procmap
