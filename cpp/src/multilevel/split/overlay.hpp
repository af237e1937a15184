// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "multilevel/split/split.hpp"

namespace procmap {

/// How many of `members` fit into one label of the overlay; 1 if not even two, as for millions of PEs that are split a
/// thousand ways at once.
inline int overlay_size(BlockTargets const& targets, int members) {
  Edge labels = targets.num_blocks();
  int size = 1;
  for (; size < members && labels <= std::numeric_limits<Block>::max() / targets.parts; ++size) labels *= targets.parts;
  return size;
}

/// The overlay of the members: vertices have equal labels if all members put them into the same block.
template <HostExecutor Exec>
Buffer<Exec, Block> overlay(Exec& ex, Population<Exec> const& members, Vertex n, Block parts) {
  auto label = ex.template buffer<Block>(static_cast<std::size_t>(n));
  auto* const to = label.data();
  auto const* const block = members.block.data();
  int const size = members.size;
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) {
    Block cell = block[v];
    for (int t = 1; t < size; ++t) cell = cell * parts + block[Edge{n} * t + v] % parts;  // members share the scopes
    to[v] = cell;
  });
  return label;
}

/// The members on a coarse graph, none of whose vertices a member cuts.
template <HostExecutor Exec>
Population<Exec> restrict_members(Exec& ex, Population<Exec> const& members, Vertex n, Level<Exec> const& level) {
  Vertex const num_coarse = level.graph.num_vertices;
  auto const total = static_cast<std::size_t>(num_coarse) * static_cast<std::size_t>(members.size);
  Population<Exec> coarse{members.size, ex.template buffer<Block>(total)};
  auto const* const coarse_of = level.coarse_of.data();
  auto const* const from = members.block.data();
  auto* const to = coarse.block.data();
  for (int t = 0; t < members.size; ++t)
    ex.for_each(
        n, [=] PROCMAP_LAMBDA(Edge v) { racy_store(&to[Edge{num_coarse} * t + coarse_of[v]], from[Edge{n} * t + v]); });
  return coarse;
}

/// The members of one population and those of another.
template <HostExecutor Exec>
Population<Exec> join(Exec& ex, Population<Exec> const& first, Population<Exec> const& second, Vertex n,
                      Block blocks_per_member) {
  int const size = first.size + second.size;
  Edge const before = Edge{n} * first.size;
  Block const offset = blocks_per_member * first.size;
  Population<Exec> all{size, ex.template buffer<Block>(static_cast<std::size_t>(n) * static_cast<std::size_t>(size))};
  ex.copy(first.block.data(), before, all.block.data());
  auto const* const from = second.block.data();
  auto* const to = all.block.data() + before;
  ex.for_each(Edge{n} * second.size, [=] PROCMAP_LAMBDA(Edge i) { to[i] = from[i] + offset; });
  return all;
}

/// As combine, but graphs with at most `host_arcs` arcs are the host's, and as many members are left as go on to a
/// graph with plan.finer vertices.
template <HostExecutor Exec>
Ascent<Exec> combine_with_host(Exec& ex, CsrView graph, VertexLabels labels, BlockTargets const& targets,
                               SplitPlan const& plan, Population<Exec> members, Edge host_arcs) {
  members.size = overlay_size(targets, members.size);
  auto const label = overlay(ex, members, graph.num_vertices, targets.parts);
  auto levels = make_levels(ex, graph, {label.data(), labels.fixed, true}, above(plan.coarsening, host_arcs));
  levels.finest_labels = labels;
  for (std::size_t level = 0; level < levels.coarsest(); ++level) {
    auto& coarser = levels.coarser[level];
    Vertex const n = levels.graph(level).num_vertices;
    coarser.scope =
        restrict_labels(ex, levels.labels(level).scope, n, coarser.coarse_of.data(), coarser.graph.num_vertices);
    members = restrict_members(ex, members, n, coarser);
  }
  auto const coarsest = levels.coarsest_graph();
  auto const start = [&] {
    auto const fresh = start_population(ex, levels, targets, plan);
    return ascent_from(join(ex, members, fresh, coarsest.num_vertices, targets.num_blocks()), coarsest.num_vertices);
  };
  ClusterHistory<Exec>* const no_history = nullptr;
  auto ascent =
      coarsest.num_arcs <= host_arcs ? leave_to_host(ex, levels, targets, plan, members, no_history) : start();
  return refine_up(ex, std::move(levels), targets, plan, std::move(ascent));
}

/// A member of its own for the first one.
template <HostExecutor Exec>
Population<Exec> first_member(Exec& ex, Population<Exec> const& members, Vertex n) {
  Population<Exec> first{1, ex.template buffer<Block>(static_cast<std::size_t>(n))};
  ex.copy(members.block.data(), n, first.block.data());
  return first;
}

/// Of two mappings the better one of every scope, of equal ones `first`.
template <HostExecutor Exec>
Population<Exec> better_of(Exec& ex, SplitLevel const& level, BlockTargets const& of_finest,
                           RefinementConfig const& config, Population<Exec>& first, Population<Exec>& second) {
  Vertex const n = level.graph.num_vertices;
  auto const targets = targets_of_level(of_finest, level.number, n);
  auto states = measure_scopes(ex, level.graph, targets, config, first.block.data());
  auto const others = measure_scopes(ex, level.graph, targets, config, second.block.data());
  states.insert(states.end(), others.begin(), others.end());
  auto const both = join(ex, first, second, n, targets.num_blocks());
  return keep_best(ex, both, 1, {n, level.labels.scope}, targets.num_blocks(), states);
}

/// Overlay combine (algorithms: contract the intersection of mappings): what all members agree on moves as a whole on
/// every level of another split, in the tournament of which the members take part. They come from best to worst in
/// every scope, and the result is in no scope worse than any of them. At most overlay_size() members are taken, the
/// first ones.
template <HostExecutor Exec>
Population<Exec> combine(Exec& ex, CsrView graph, VertexLabels labels, BlockTargets const& targets,
                         SplitPlan const& plan, Population<Exec> members) {
  auto best = first_member(ex, members, graph.num_vertices);
  auto child = combine_with_host(ex, graph, labels, targets, plan, std::move(members), host_arcs(ex, plan)).population;
  // Coarse levels have more room than finer ones, so what is better there may be worse here.
  return better_of(ex, {graph, labels, plan.first_level}, targets, plan.stage.refinement, child, best);
}

}  // namespace procmap
