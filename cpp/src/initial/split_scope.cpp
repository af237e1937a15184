// SPDX-License-Identifier: MIT
#include "initial/split_scope.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "initial/pack_components.hpp"
#include "initial/recursive_bisection.hpp"

namespace procmap {

namespace {

/// The blocks of all vertices, given those of a graph with small components as single vertices.
std::vector<Block> expanded(SmallComponents const& small, std::vector<Block> const& coarse) {
  std::vector<Block> block;
  block.reserve(small.vertex_of.size());
  for (Vertex const v : small.vertex_of) block.push_back(coarse[index(v)]);
  return block;
}

/// Recursive bisection of a graph with small components as single vertices.
std::vector<Block> bisect_coarse(ScopeProblem const& problem, SmallComponents const& small, InitialConfig const& config,
                                 std::uint64_t seed, HostTeam const& team) {
  auto const graph = small.graph.view();
  std::vector<Block> block(index(graph.num_vertices)), fixed(problem.fixed.empty() ? 0 : block.size(), no_block);
  for (std::size_t v = 0; v < problem.fixed.size(); ++v)
    if (problem.fixed[v] != no_block) fixed[index(small.vertex_of[v])] = problem.fixed[v];
  recursive_bisection(graph, problem.finest_capacity, config, seed, block, fixed, team);
  return block;
}

/// The small components but for some.
std::optional<SmallComponents> without(std::vector<Vertex> const& some, SmallComponents const& small,
                                       ScopeProblem const& problem) {
  std::vector<char> is_left_out(small.graph.vertex_weights.size(), 0);
  for (Vertex const v : some) is_left_out[index(v)] = 1;
  auto apart = problem.fixed;
  apart.resize(small.vertex_of.size(), no_block);
  for (std::size_t v = 0; v < apart.size(); ++v)
    if (is_left_out[index(small.vertex_of[v])]) apart[v] = 0;
  return small_components(problem.graph, std::ranges::max(problem.finest_capacity), apart);
}

/// By how much blocks are overloaded in all.
Weight overload(CsrView graph, std::span<Weight const> capacity, std::vector<Block> const& block) {
  std::vector<Weight> room(capacity.begin(), capacity.end());
  for (Vertex v = 0; v < graph.num_vertices; ++v) room[index(block[index(v)])] -= graph.vertex_weight(v);
  Weight sum = 0;
  for (Weight const left : room) sum += std::max<Weight>(-left, 0);
  return sum;
}

/// Small components go into blocks as a whole: bisections that grow a side vertex by vertex would cut many of them.
/// Where no room is left for some, these are bisected, with all others as single vertices. Of such attempts the one
/// counts that overloads blocks least.
std::vector<Block> split_by_components(ScopeProblem const& problem, InitialConfig const& config, PackingOrder order,
                                       HostTeam const& team) {
  constexpr int attempts = 3;
  auto small = problem.small;
  std::vector<Block> best;
  Weight least = 0;
  for (int attempt = 0; small && attempt < attempts; ++attempt) {
    std::vector<Block> block(small->graph.vertex_weights.size());
    auto const keep = [&] {
      Weight const now = overload(small->graph.view(), problem.finest_capacity, block);
      if (!best.empty() && now >= least) return;
      best = expanded(*small, block);
      least = now;
    };
    if (index(small->count) < block.size()) {
      block = bisect_coarse(problem, *small, config, order.seed, team);
      if (attempt > 0) keep();
    }
    auto const too_heavy = pack_components(*small, problem.finest_capacity, order, block);
    keep();
    if (too_heavy.empty()) break;
    small = without(too_heavy, *small, problem);
  }
  return best;
}

}  // namespace

std::vector<Block> split_scope(ScopeProblem const& problem, std::size_t member, InitialConfig const& config,
                               std::uint64_t seed, HostTeam const& team) {
  constexpr double disorder = 0.25;
  if (problem.small && member % 2 == 0)
    return split_by_components(problem, config, {member == 0 ? 0 : disorder, seed}, team);
  std::vector<Block> block(index(problem.graph.num_vertices));
  recursive_bisection(problem.graph, problem.capacity, config, seed, block, problem.fixed, team,
                      problem.has_much_slack && member % 4 == 3 ? SlackUse::at_once : SlackUse::even);
  return block;
}

}  // namespace procmap
