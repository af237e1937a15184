// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/combine.hpp"

namespace procmap {

/// Overload and cost of every scope of one mapping.
template <Executor Exec>
std::vector<ScopeState> measure_scopes(Exec& ex, CsrView graph, SplitTask const& task, RefinementConfig const& config,
                                       RefinementScratch<Exec>& scratch, Block* block) {
  auto const blocks = place_blocks(ex, task, 1);
  scratch.reserve(ex, static_cast<std::size_t>(graph.num_vertices), task.capacity.size());
  refine(ex, graph, EdgeCut{blocks.view.num_blocks}, blocks.view, scratch, block, config, {0, 0, 0});  // no round
  std::vector<ScopeState> states(static_cast<std::size_t>(blocks.view.num_scopes()));
  ex.download(scratch.scope.data(), blocks.view.num_scopes(), states.data());
  return states;
}

/// Independent splits, from best to worst in every scope. The first knows the history.
template <Executor Exec>
Population<Exec> split_independently(Exec& ex, CsrView graph, VertexLabels labels, SplitTask const& task,
                                     SplitPlan const& plan, RefinementScratch<Exec>& scratch,
                                     ClusterHistory<Exec>* history) {
  Vertex const n = graph.num_vertices;
  auto const blocks_per_member = static_cast<Block>(task.capacity.size());
  Population<Exec> members{plan.population, ex.template buffer<Block>(static_cast<std::size_t>(n) *
                                                                      static_cast<std::size_t>(plan.population))};
  std::vector<ScopeState> states;
  for (int t = 0; t < plan.population; ++t) {
    auto own = plan;
    if (t > 0) own.stage.seed = hash(plan.stage.seed, 0x909ull, static_cast<std::uint64_t>(t));
    auto block = split_scopes(ex, graph, labels, task, own, t == 0 ? history : nullptr);
    auto const found = measure_scopes(ex, graph, task, plan.stage.refinement, scratch, block.data());
    states.insert(states.end(), found.begin(), found.end());
    auto const* const from = block.data();
    auto* const to = members.block.data() + Edge{n} * t;
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { to[v] = from[v] + blocks_per_member * t; });
  }
  return keep_best(ex, members, plan.population, n, blocks_per_member, labels.scope, states);
}

/// Where a population lives: the finest graph costs too much for what it adds.
inline CoarseningGoal population_goal(SplitPlan const& plan, Vertex num_vertices) {
  auto const share = static_cast<Vertex>(plan.population_share * num_vertices);
  return {std::max(plan.goal.target_vertices, share), plan.goal.max_weight};
}

/// Splits every scope, as split_scopes does, but `plan.population` times on a coarse graph, and combines the results.
/// With a population of one this is split_scopes.
template <Executor Exec>
Buffer<Exec, Block> evolve_split(Exec& ex, CsrView finest, VertexLabels labels, SplitTask const& task,
                                 SplitPlan const& plan, ClusterHistory<Exec>* history = nullptr) {
  if (overlay_size(task, plan.population) == 1) return split_scopes(ex, finest, labels, task, plan, history);
  auto const goal = population_goal(plan, finest.num_vertices);
  Levels<Exec> const levels{finest, labels,
                            coarsen(ex, finest, labels, goal, plan.coarsening, plan.stage.seed, history)};
  auto level = levels.coarsest();
  auto own = plan;
  own.first_level = static_cast<int>(level);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto members = split_independently(ex, levels.graph(level), levels.labels(level), task, own, scratch, history);
  own.stage.seed = hash(plan.stage.seed, 0xe40ull);
  auto best = combine(ex, levels.graph(level), levels.labels(level), task, own, std::move(members));
  while (level > 0) {
    --level;
    best = levels.project_to(ex, level, best);
    refine_members(ex, levels.graph(level), levels.labels(level).fixed, task, plan, static_cast<int>(level), scratch,
                   best);
  }
  return std::move(best.block);
}

}  // namespace procmap
