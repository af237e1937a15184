// SPDX-License-Identifier: MIT
#include "multilevel/split/start_several.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "core/hash.hpp"
#include "core/imbalance.hpp"
#include "core/pe_capacities.hpp"
#include "initial/recursive_bisection.hpp"
#include "objective/edge_cut.hpp"
#include "refinement/weights/scope_refiner.hpp"

namespace procmap {
namespace {

/// Vertices that become blocks [first, first + count) of a scope.
struct Part {
  HostGraph graph;
  std::vector<Vertex> origin;  // per vertex: in the graph of the scope
  std::vector<Block> fixed;    // per vertex: block of the scope, or no_block; empty: nobody is fixed
  Block first, count;
};

/// What the blocks of a scope may hold.
struct ScopeLimits {
  std::span<Weight const> capacity;  // per block: of the sum of all weights
  std::span<Weight const> limits;    // per block and weight
};

Weight room_of(std::span<Weight const> limits, Block first, Block count, int i, int stride) {
  __int128 sum = 0;
  for (Block b = first; b < first + count; ++b)
    sum += limits[static_cast<std::size_t>(b) * static_cast<std::size_t>(stride) + static_cast<std::size_t>(i)];
  return static_cast<Weight>(std::min<__int128>(sum, PeCapacities::unbounded));
}

/// What the two sides of a part may hold, with the adaptive imbalance of multisection.
std::vector<Weight> limits_of_sides(Part const& part, std::span<Weight const> limits, std::span<Weight const> loads,
                                    int num) {
  Block const half = (part.count + 1) / 2;
  int const depth = std::bit_width(static_cast<unsigned>(part.count - 1));
  std::vector<Weight> sides(2 * static_cast<std::size_t>(num));
  for (int i = 0; i < num; ++i) {
    auto const at = static_cast<std::size_t>(i), stride = static_cast<std::size_t>(num);
    Weight total = 0;
    for (std::size_t v = at; v < loads.size(); v += stride) total += loads[v];
    Weight const first = room_of(limits, part.first, half, i, num);
    Weight const second = room_of(limits, part.first + half, part.count - half, i, num);
    Weight const both = std::min(first + second, PeCapacities::unbounded);
    sides[at] = child_capacity(total, first, both, depth);
    sides[stride + at] = child_capacity(total, second, both, depth);
  }
  return sides;
}

class Bisector {
 public:
  Bisector(InitialConfig const& config, ScopeLimits limits, std::vector<Block>& block)
      : config_(config), limits_(limits), block_(block) {}

  void split(Part part, std::uint64_t seed) {
    if (part.count == 1 || part.origin.empty()) {
      for (Vertex const v : part.origin) block_[static_cast<std::size_t>(v)] = part.first;
      return;
    }
    auto const side = best_bisection(part, seed);
    auto sides = split_by_scope(part.graph, side, 2);
    Block const half = (part.count + 1) / 2;
    for (std::size_t s = 0; s < 2; ++s) {
      Part child{std::move(sides.graph[s]),
                 {},
                 {},
                 s == 0 ? part.first : part.first + half,
                 s == 0 ? half : part.count - half};
      for (Vertex const v : sides.vertices[s]) {
        child.origin.push_back(part.origin[static_cast<std::size_t>(v)]);
        if (!part.fixed.empty()) child.fixed.push_back(part.fixed[static_cast<std::size_t>(v)]);
      }
      split(std::move(child), hash(seed, s));
    }
  }

 private:
  /// The best of some: least excess, then least cut.
  std::vector<Block> best_bisection(Part const& part, std::uint64_t seed) {
    constexpr std::uint64_t tries = 4;
    std::vector<Block> best;
    std::pair<Weight, Weight> best_standing;
    for (std::uint64_t i = 0; i < tries; ++i) {
      auto [side, state] = bisection(part, hash(seed, i, 1));
      std::pair const standing(state.best_overload, state.best_cost);
      if (i > 0 && standing >= best_standing) continue;
      best = std::move(side);
      best_standing = standing;
    }
    return best;
  }

  std::pair<std::vector<Block>, ScopeState> bisection(Part const& part, std::uint64_t seed) {
    auto const graph = part.graph.view();
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const capacity = limits_of_sides(part, limits_.capacity, part.graph.vertex_weights, 1);
    auto const limits = limits_of_sides(part, limits_.limits, part.graph.loads, graph.num_loads);
    std::vector<Block> side(n), fixed;
    for (Block const b : part.fixed)
      fixed.push_back(b == no_block ? no_block : Block{b - part.first >= (part.count + 1) / 2});
    recursive_bisection(graph, capacity, config_, seed, side, fixed);
    RefinementProblem<EdgeCut> const problem{
        graph, EdgeCut{2}, {2, 2, capacity.data(), nullptr, limits.data()}, {fixed.empty() ? nullptr : fixed.data()}};
    std::vector<Vertex> vertices(n);
    std::iota(vertices.begin(), vertices.end(), 0);
    std::vector<Weight> bound(n);
    std::vector<std::uint8_t> mark(n);
    ScopeState state;
    RefinementRules rules;
    rules.is_last = false;
    ScopeRefiner<EdgeCut>(problem, 0, 2, vertices, side.data(), {bound.data(), mark.data()}, seed).run(rules, state);
    return {std::move(side), state};
  }

  InitialConfig const& config_;
  ScopeLimits limits_;
  std::vector<Block>& block_;  // of the vertices of the scope
};

std::vector<Block> fixed_in_scope(std::vector<Block> const& fixed, std::vector<Vertex> const& vertices,
                                  BlockTargets const& targets, Block first) {
  std::vector<Block> local;
  for (std::size_t i = 0; !fixed.empty() && i < vertices.size(); ++i) {
    Block const pe = fixed[static_cast<std::size_t>(vertices[i])];
    local.push_back(pe == no_block ? no_block : pe / targets.pes_per_block - first);
  }
  return local;
}

}  // namespace

std::vector<Block> start_several(InitialProblem const& problem, BlockTargets const& targets, int members,
                                 InitialConfig const& config, std::uint64_t seed, HostTeam const& team) {
  auto const scopes = split_by_scope(problem.graph, problem.scope, targets.num_scopes, team);
  auto const n = problem.scope.size();
  auto const num = static_cast<std::size_t>(problem.graph.num_loads);
  auto const parts = static_cast<std::size_t>(targets.parts);
  std::vector<Block> block(n * static_cast<std::size_t>(members));
  team.for_each_job(Edge{targets.num_scopes} * members, [&](Edge job) {
    auto const s = static_cast<std::size_t>(job % targets.num_scopes);
    auto const member = static_cast<std::size_t>(job / targets.num_scopes);
    auto const& vertices = scopes.vertices[s];
    auto const first = static_cast<Block>(s * parts);
    ScopeLimits const limits{std::span(targets.capacity).subspan(s * parts, parts),
                             std::span(targets.limits).subspan(s * parts * num, parts * num)};
    std::vector<Block> local(vertices.size());
    std::vector<Vertex> origin(vertices.size());
    std::iota(origin.begin(), origin.end(), 0);
    Bisector(config, limits, local)
        .split({scopes.graph[s], std::move(origin), fixed_in_scope(problem.fixed, vertices, targets, first), 0,
                targets.parts},
               hash(seed, member, s));
    auto const offset = static_cast<Block>(member) * targets.num_blocks() + first;
    for (std::size_t i = 0; i < vertices.size(); ++i)
      block[member * n + static_cast<std::size_t>(vertices[i])] = offset + local[i];
  });
  return block;
}

}  // namespace procmap
