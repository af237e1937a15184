// SPDX-License-Identifier: MIT
#include "initial/initial_population.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/hash.hpp"
#include "core/imbalance.hpp"
#include "core/index.hpp"
#include "initial/split_scope.hpp"

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

ScopeProblem scope_problem(HostGraph const& graph, std::vector<Vertex> const& vertices, std::vector<Block> const& fixed,
                           BlockTargets const& targets, bool much_slack, std::size_t scope) {
  auto const parts = index(targets.parts), first = scope * parts;
  auto const of_scope = [&](std::vector<Weight> const& of_all) { return std::span(of_all).subspan(first, parts); };
  auto const capacity = of_scope(targets.capacity);
  auto const finest = targets.finest_capacity.empty() ? capacity : of_scope(targets.finest_capacity);
  auto blocks = fixed_blocks(fixed, vertices, targets, static_cast<Block>(first));
  auto small = small_components(graph.view(), std::ranges::max(finest), blocks);
  return {graph.view(), capacity, finest, std::move(blocks), std::move(small), much_slack};
}

}  // namespace

std::vector<Block> initial_population(InitialProblem const& problem, BlockTargets const& targets, int members,
                                      InitialConfig const& config, std::uint64_t seed, HostTeam const& team) {
  auto const& scope = problem.scope;  // no structured binding: clang 14 lets lambdas capture none
  auto const parts = split_by_scope(problem.graph, scope, targets.num_scopes, team);
  auto const& weights = problem.graph.vertex_weights;
  Weight const weight = std::accumulate(weights.begin(), weights.end(), Weight{0});
  bool const much_slack = has_much_slack(targets, weight);
  std::vector<ScopeProblem> scopes(index(targets.num_scopes));
  team.for_each_job(targets.num_scopes, [&](Edge s) {
    scopes[index(s)] =
        scope_problem(parts.graph[index(s)], parts.vertices[index(s)], problem.fixed, targets, much_slack, index(s));
  });
  std::vector<Block> block(scope.size() * static_cast<std::size_t>(members));
  auto const split_one = [&](Edge job, HostTeam const& helpers) {
    auto const s = index(job % targets.num_scopes), member = index(job / targets.num_scopes);
    auto const local = split_scope(scopes[s], member, config, hash(seed, member, s), helpers);
    auto const offset = static_cast<Block>(member * scopes.size() + s) * targets.parts;
    for (std::size_t i = 0; i < local.size(); ++i)
      block[member * scope.size() + index(parts.vertices[s][i])] = offset + local[i];
  };
  Edge const jobs = Edge{targets.num_scopes} * members;
  if (better_one_by_one(team, jobs, std::max(config.starts, 1)))
    for (Edge job = 0; job < jobs; ++job) split_one(job, team);
  else
    team.for_each_job(jobs, [&](Edge job) { split_one(job, {}); });
  return block;
}

}  // namespace procmap
