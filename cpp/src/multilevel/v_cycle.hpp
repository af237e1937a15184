// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/coarsen.hpp"
#include "multilevel/refine_level.hpp"

namespace procmap {

/// How a given mapping is improved by a V-cycle.
struct VCyclePlan {
  CoarseningConfig coarsening;
  CoarseningGoal goal;
  StageTask stage;
};

/// A mapping of a coarse level and what holds its vertices.
template <class Exec>
struct CoarseMapping {
  Buffer<Exec, Block> block, home;
  Buffer<Exec, Weight> pull;
};

/// What mapping and anchors become on a coarse graph. All vertices of a coarse vertex have the same block and home; to
/// leave costs a coarse vertex as much as all of them together.
template <Executor Exec>
CoarseMapping<Exec> restrict_mapping(Exec& ex, Vertex n, Block const* block, AnchorsView anchors,
                                     Level<Exec> const& level) {
  auto const* const coarse_of = level.coarse_of.data();
  Vertex const num_coarse = level.graph.num_vertices;
  CoarseMapping<Exec> coarse{restrict_labels(ex, block, n, coarse_of, num_coarse),
                             restrict_labels(ex, anchors.home, n, coarse_of, num_coarse),
                             ex.template buffer<Weight>(anchors.home ? static_cast<std::size_t>(num_coarse) : 0)};
  if (!anchors.home) return coarse;
  auto* const pull = coarse.pull.data();
  ex.fill(pull, num_coarse, Weight{0});
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { atomic_add(&pull[coarse_of[v]], anchors.pull[v]); });
  return coarse;
}

/// Improves `block`: coarsens without merging vertices of different labels, so that every level can
/// represent the mapping, and refines on the way back. Vertices of equal label must be in the same block and,
/// if there are anchors, have the same home; the labels are the blocks themselves, or finer. The mapping never
/// becomes worse, since no refinement makes it worse. `scratch` ends with the states of the finest refinement.
template <Executor Exec, class Objective>
void v_cycle(Exec& ex, CsrView finest, Objective objective, BlocksView blocks, RefinementScratch<Exec>& scratch,
             VCyclePlan const& plan, Block const* label, Block* block, AnchorsView anchors = {}) {
  auto const levels = coarsen(ex, finest, {label, anchors.fixed, true}, plan.goal, plan.coarsening, plan.stage.seed);
  auto const graph_at = [&](std::size_t level) { return level == 0 ? finest : levels[level - 1].graph.view(); };
  std::vector<CoarseMapping<Exec>> coarse;
  auto const block_at = [&](std::size_t level) { return level == 0 ? block : coarse[level - 1].block.data(); };
  auto const anchors_at = [&](std::size_t level) {
    if (level == 0) return anchors;
    auto const& mapping = coarse[level - 1];
    return AnchorsView{levels[level - 1].fixed.data(), mapping.home.data(), mapping.pull.data()};
  };
  for (std::size_t level = 0; level < levels.size(); ++level)
    coarse.push_back(
        restrict_mapping(ex, graph_at(level).num_vertices, block_at(level), anchors_at(level), levels[level]));
  for (std::size_t level = levels.size();; --level) {
    refine_level(ex, graph_at(level), objective, blocks, scratch, block_at(level), plan.stage, static_cast<int>(level),
                 1, anchors_at(level));
    if (level == 0) return;
    auto const* const coarse_of = levels[level - 1].coarse_of.data();
    auto const* const from = block_at(level);
    auto* const to = block_at(level - 1);
    ex.for_each(graph_at(level - 1).num_vertices, [=] PROCMAP_LAMBDA(Edge v) { to[v] = from[coarse_of[v]]; });
    coarse.pop_back();
  }
}

}  // namespace procmap
