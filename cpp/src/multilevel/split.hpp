// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/projection.hpp"
#include "multilevel/split_plan.hpp"
#include "objective/edge_cut.hpp"

namespace procmap {

template <Executor Exec>
Population<Exec> start_population(Exec& ex, CsrView coarsest, VertexLabels labels, SplitTask const& task,
                                  SplitPlan const& plan) {
  Phase phase(ex.run(), "initial mapping");
  auto const graph = download_graph(ex, coarsest);
  auto const n = static_cast<std::size_t>(coarsest.num_vertices);
  std::vector<Block> scopes(n, 0);
  if (labels.scope) ex.download(labels.scope, coarsest.num_vertices, scopes.data());
  std::vector<Block> fixed(labels.fixed ? n : 0);
  if (labels.fixed) ex.download(labels.fixed, coarsest.num_vertices, fixed.data());
  auto const blocks =
      initial_population(graph, scopes, fixed, task, plan.tournament, plan.initial, plan.stage.seed, host_team(ex));
  Population<Exec> population{plan.tournament, ex.template buffer<Block>(blocks.size())};
  ex.upload(blocks.data(), static_cast<Edge>(blocks.size()), population.block.data());
  return population;
}

/// A graph, what keeps its vertices apart, and the levels above it; 0 is the graph itself.
template <class Exec>
struct Levels {
  CsrView finest;
  VertexLabels finest_labels;
  std::vector<Level<Exec>> coarser;

  std::size_t coarsest() const { return coarser.size(); }
  CsrView graph(std::size_t level) const { return level == 0 ? finest : coarser[level - 1].graph.view(); }
  VertexLabels labels(std::size_t level) const {
    return level == 0 ? finest_labels : VertexLabels{coarser[level - 1].scope.data(), coarser[level - 1].fixed.data()};
  }
  /// The members of the level above `level` on `level` itself.
  Population<Exec> project_to(Exec& ex, std::size_t level, Population<Exec> const& members) const {
    return project(ex, members, graph(level + 1).num_vertices, coarser[level].coarse_of.data(),
                   graph(level).num_vertices);
  }
};

/// Members that go on to a level with `finer` vertices: the work of a level stays what it was at the
/// coarsest.
inline int survivors(int tournament, Vertex coarsest, Vertex finer) {
  double const share = static_cast<double>(tournament) * coarsest / finer;
  return std::max(1, static_cast<int>(std::ceil(share)));
}

/// Refines all members of one level together. `fixed` is null or says which vertices stay where they are.
template <Executor Exec>
void refine_members(Exec& ex, CsrView graph, Block const* fixed, SplitTask const& task, SplitPlan const& plan,
                    int level, RefinementScratch<Exec>& scratch, Population<Exec>& population) {
  auto const blocks = place_blocks(ex, task, population.size);
  EdgeCut const cut{blocks.view.num_blocks};
  if (population.size == 1) {
    refine_level(ex, graph, cut, blocks.view, scratch, population.block.data(), plan.stage, level, 1, {fixed});
    return;
  }
  auto const copies = replicate(ex, graph, population.size);
  auto const copies_fixed = replicate(ex, fixed, fixed ? graph.num_vertices : 0, population.size);
  refine_level(ex, copies.view(), cut, blocks.view, scratch, population.block.data(), plan.stage, level,
               population.size, {copies_fixed.data()});
}

/// Refines the members of the coarsest graph on every level on the way to the finest, fewer and fewer of them. Returns
/// the best of every scope.
template <Executor Exec>
Population<Exec> refine_up(Exec& ex, Levels<Exec> const& levels, SplitTask const& task, SplitPlan const& plan,
                           Population<Exec> population) {
  Vertex const coarsest = levels.graph(levels.coarsest()).num_vertices;
  int const starters = population.size;
  RefinementScratch<Exec> scratch(ex, 0, 0);
  for (std::size_t level = levels.coarsest();; --level) {
    auto const graph = levels.graph(level);
    auto const labels = levels.labels(level);
    refine_members(ex, graph, labels.fixed, task, plan, plan.first_level + static_cast<int>(level), scratch,
                   population);
    int const keep = level == 0 ? 1 : survivors(starters, coarsest, levels.graph(level - 1).num_vertices);
    if (keep < population.size) {
      auto const blocks = place_blocks(ex, task, population.size);
      population = keep_best(ex, population, keep, graph.num_vertices, blocks.view, labels.scope, scratch.scope.data());
    }
    if (level == 0) return population;
    population = levels.project_to(ex, level - 1, population);
  }
}

/// Splits every scope of `finest`, whose arcs do not leave their scope, into `task.parts` blocks with a
/// small edge cut: the multilevel method over all scopes at once. labels.scope[v] in [0, num_scopes), null if
/// there is one; a fixed vertex goes to the block of its PE. `history` as in coarsen(). Returns the block of every
/// vertex.
template <Executor Exec>
Buffer<Exec, Block> split_scopes(Exec& ex, CsrView finest, VertexLabels labels, SplitTask const& task,
                                 SplitPlan const& plan, ClusterHistory<Exec>* history = nullptr) {
  Levels<Exec> const levels{finest, labels,
                            coarsen(ex, finest, labels, plan.goal, plan.coarsening, plan.stage.seed, history)};
  auto const coarsest = levels.coarsest();
  auto population = start_population(ex, levels.graph(coarsest), levels.labels(coarsest), task, plan);
  return std::move(refine_up(ex, levels, task, plan, std::move(population)).block);
}

}  // namespace procmap
