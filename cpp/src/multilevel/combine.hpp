// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "multilevel/population.hpp"
#include "multilevel/split_plan.hpp"
#include "multilevel/v_cycle.hpp"
#include "objective/edge_cut.hpp"

namespace procmap {

/// The two parents of every child: it starts as a copy of `first` and may change where `second` disagrees.
struct Parents {
  int first;
  int second;
};

/// All other members are combined with the best one, once from each side.
inline std::vector<Parents> pairs_with_best(int size) {
  std::vector<Parents> pairs;
  for (int i = 1; i < size; ++i) pairs.insert(pairs.end(), {{0, i}, {i, 0}});
  return pairs;
}

/// Children that fit into one disjoint union: more than one only of graphs too small to fill a machine.
inline int combine_batch(CsrView graph, Block blocks_per_member, Block parts, int children) {
  constexpr Edge small_union = Edge{1} << 22;  // arcs
  auto const by_arcs = small_union / std::max<Edge>(1, graph.num_arcs);
  auto const by_labels = std::numeric_limits<Block>::max() / (Edge{blocks_per_member} * parts);
  return static_cast<int>(std::clamp<Edge>(std::min(by_arcs, by_labels), 1, children));
}

/// A child of every pair, and the states of all their scopes, child by child.
template <class Exec>
struct Children {
  Population<Exec> population;
  std::vector<ScopeState> states;
};

/// Fills `children` with copies of the first parents and `label` with the overlay of both: vertices have equal
/// labels if both parents put them into the same block.
template <Executor Exec>
void overlay(Exec& ex, Population<Exec> const& members, Vertex n, Block blocks_per_member, Block parts,
             std::span<Parents const> pairs, Block* child, Block* label) {
  auto const* const from = members.block.data();
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    int const first = pairs[c].first;
    int const second = pairs[c].second;
    Edge const start = Edge{n} * static_cast<Edge>(c);
    Block const offset = blocks_per_member * static_cast<Block>(c);
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) {
      Block const block = from[Edge{n} * first + v] - blocks_per_member * first + offset;
      child[start + v] = block;
      label[start + v] = block * parts + from[Edge{n} * second + v] % parts;  // parents share the scopes
    });
  }
}

/// Do the pairs of blocks of two members have labels? Not for millions of PEs that are split a thousand ways at once.
inline bool labels_fit(SplitTask const& task) {
  return static_cast<Edge>(task.capacity.size()) * task.parts <= std::numeric_limits<Block>::max();
}

/// Overlay combine (algorithms: contract the intersection of two mappings, refine the better one): what both
/// parents agree on moves as a whole, on every level of a V-cycle. No child is worse than its first parent.
template <Executor Exec>
Children<Exec> combine(Exec& ex, CsrView graph, Block const* fixed, SplitTask const& task, SplitPlan const& plan,
                       int level, RefinementScratch<Exec>& scratch, Population<Exec> const& members,
                       std::vector<Parents> const& pairs) {
  Vertex const n = graph.num_vertices;
  auto const blocks_per_member = static_cast<Block>(task.capacity.size());
  int const children = static_cast<int>(pairs.size());
  int const batch = combine_batch(graph, blocks_per_member, task.parts, children);
  Children<Exec> result{{children, ex.template buffer<Block>(static_cast<std::size_t>(n) * pairs.size())}, {}};
  auto label = ex.template buffer<Block>(static_cast<std::size_t>(n) * static_cast<std::size_t>(batch));
  for (int first = 0; first < children; first += batch) {
    int const size = std::min(batch, children - first);
    auto* const child = result.population.block.data() + Edge{n} * first;
    overlay(ex, members, n, blocks_per_member, task.parts,
            std::span(pairs).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)), child,
            label.data());
    auto const blocks = place_blocks(ex, task, size);
    VCyclePlan cycle{plan.coarsening, plan.goal, plan.stage, level, size};
    cycle.goal.target_vertices = static_cast<Vertex>(std::min<Edge>(Edge{cycle.goal.target_vertices} * size, 1 << 30));
    cycle.stage.seed = hash(plan.stage.seed, 0xc0b1ull, static_cast<std::uint64_t>(first));
    auto const copies = replicate(ex, graph, size);
    auto const copies_fixed = replicate(ex, fixed, fixed ? n : 0, size);
    v_cycle(ex, copies.view(), EdgeCut{blocks.view.num_blocks}, blocks.view, scratch, cycle, label.data(), child,
            {copies_fixed.data()});
    auto const scopes = static_cast<std::size_t>(blocks.view.num_scopes());
    result.states.resize(result.states.size() + scopes);
    ex.download(scratch.scope.data(), static_cast<Edge>(scopes), result.states.data() + result.states.size() - scopes);
    if (first > 0) ex.for_each(Edge{n} * size, [=] PROCMAP_LAMBDA(Edge v) { child[v] += blocks_per_member * first; });
  }
  return result;
}

}  // namespace procmap
