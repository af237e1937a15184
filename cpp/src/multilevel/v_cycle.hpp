// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/coarsen.hpp"
#include "multilevel/refine_level.hpp"
#include "multilevel/scopes.hpp"

namespace procmap {

/// How a given mapping is improved by a V-cycle.
struct VCyclePlan {
  CoarseningConfig coarsening;
  CoarseningGoal goal;
  StageTask stage;
  int first_level = 0;  // what the finest graph is called in the stage: 0 or a level of a larger cycle
  int members = 1;      // mappings refined together
};

/// What `label` becomes on the coarse graph: all vertices of a coarse vertex have the same.
template <Executor Exec>
Buffer<Exec, Block> coarse_labels(Exec& ex, Vertex n, Block const* label, Level<Exec> const& level) {
  auto coarse = ex.template buffer<Block>(static_cast<std::size_t>(level.graph.num_vertices));
  auto* const coarse_label = coarse.data();
  auto const* const coarse_of = level.coarse_of.data();
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { racy_store(&coarse_label[coarse_of[v]], label[v]); });
  return coarse;
}

/// The levels above `finest`, finer ones first. Vertices of different labels are never merged; unlike scopes,
/// labels may be joined by arcs, which stay.
template <Executor Exec>
std::vector<Level<Exec>> coarsen_within(Exec& ex, CsrView finest, Block const* label, VCyclePlan const& plan) {
  std::vector<Level<Exec>> levels;
  CsrView graph = finest;
  while (graph.num_vertices > plan.goal.target_vertices) {
    auto const inside = drop_cross_arcs(ex, graph, label);
    auto level = coarsen_once(ex, inside.view(), PairLimits{plan.goal.max_weight, label}, plan.coarsening,
                              hash(plan.stage.seed, levels.size()));
    Vertex const num_coarse = level.graph.num_vertices;
    if (num_coarse > (1.0 - plan.coarsening.min_shrink) * graph.num_vertices) break;
    level.graph = contract(ex, graph, num_coarse, level.coarse_of.data());
    level.scope = coarse_labels(ex, graph.num_vertices, label, level);
    label = level.scope.data();
    graph = level.graph.view();
    levels.push_back(std::move(level));
  }
  return levels;
}

/// Improves `block`: coarsens without merging vertices of different labels, so that every level can
/// represent the mapping, and refines on the way back. Vertices of equal label must be in the same block;
/// the labels are the blocks themselves, or finer. The mapping never becomes worse, since no refinement
/// makes it worse. `scratch` ends with the states of the finest refinement.
template <Executor Exec, class Objective>
void v_cycle(Exec& ex, CsrView finest, Objective objective, BlocksView blocks, RefinementScratch<Exec>& scratch,
             VCyclePlan const& plan, Block const* label, Block* block) {
  auto const levels = coarsen_within(ex, finest, label, plan);
  auto const graph_at = [&](std::size_t level) { return level == 0 ? finest : levels[level - 1].graph.view(); };
  std::vector<Buffer<Exec, Block>> coarse_block;
  auto const block_at = [&](std::size_t level) { return level == 0 ? block : coarse_block[level - 1].data(); };
  for (std::size_t level = 0; level < levels.size(); ++level)
    coarse_block.push_back(coarse_labels(ex, graph_at(level).num_vertices, block_at(level), levels[level]));
  for (std::size_t level = levels.size();; --level) {
    refine_level(ex, graph_at(level), objective, blocks, scratch, block_at(level), plan.stage,
                 plan.first_level + static_cast<int>(level), plan.members);
    if (level == 0) return;
    auto const* const coarse_of = levels[level - 1].coarse_of.data();
    auto const* const from = block_at(level);
    auto* const to = block_at(level - 1);
    ex.for_each(graph_at(level - 1).num_vertices, [=] PROCMAP_LAMBDA(Edge v) { to[v] = from[coarse_of[v]]; });
    coarse_block.pop_back();
  }
}

}  // namespace procmap
