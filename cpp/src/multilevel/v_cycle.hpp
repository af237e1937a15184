// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/levels.hpp"
#include "multilevel/refine_level.hpp"

namespace procmap {

/// A mapping of a coarse level and what holds its vertices.
template <class Exec>
struct CoarseMapping {
  Buffer<Exec, Block> block, home;
  Buffer<Exec, Weight> pull;
};

/// What mapping and anchors become on a coarse graph. All vertices of a coarse vertex have the same block and home; to
/// leave costs a coarse vertex as much as all of them together.
template <HostExecutor Exec>
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
template <HostExecutor Exec, class Objective>
void v_cycle(Exec& ex, RefinementProblem<Objective> const& finest, RefinementScratch<Exec>& scratch,
             VCyclePlan const& plan, Block const* label, Block* block) {
  auto const levels = make_levels(ex, finest.graph, {label, finest.anchors.fixed, true}, plan.coarsening);
  std::vector<CoarseMapping<Exec>> coarse;
  auto const block_at = [&](std::size_t level) { return level == 0 ? block : coarse[level - 1].block.data(); };
  auto const problem_at = [&](std::size_t level) {
    if (level == 0) return finest;
    auto const& mapping = coarse[level - 1];
    AnchorsView const anchors{levels.labels(level).fixed, mapping.home.data(), mapping.pull.data()};
    return RefinementProblem<Objective>{levels.graph(level), finest.objective, finest.blocks, anchors};
  };
  for (std::size_t level = 0; level < levels.coarsest(); ++level) {
    auto const problem = problem_at(level);
    coarse.push_back(
        restrict_mapping(ex, problem.graph.num_vertices, block_at(level), problem.anchors, levels.coarser[level]));
  }
  uncoarsen(
      levels.coarsest(),
      [&](std::size_t level) {
        refine_level(ex, problem_at(level), scratch, block_at(level), plan.stage, static_cast<int>(level));
      },
      [&](std::size_t level) { project(ex, levels, level, block_at(level + 1), block_at(level)); });
}

}  // namespace procmap
