// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/split.hpp"

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

/// Independent splits, from best to worst in every scope.
template <Executor Exec>
Population<Exec> split_independently(Exec& ex, CsrView graph, VertexLabels labels, SplitTask const& task,
                                     SplitPlan const& plan, RefinementScratch<Exec>& scratch) {
  Vertex const n = graph.num_vertices;
  auto const blocks_per_member = static_cast<Block>(task.capacity.size());
  Population<Exec> members{plan.population, ex.template buffer<Block>(static_cast<std::size_t>(n) *
                                                                      static_cast<std::size_t>(plan.population))};
  std::vector<ScopeState> states;
  for (int t = 0; t < plan.population; ++t) {
    auto own = plan;
    if (t > 0) own.stage.seed = hash(plan.stage.seed, 0x909ull, static_cast<std::uint64_t>(t));
    auto block = split_scopes(ex, graph, labels, task, own);
    auto const found = measure_scopes(ex, graph, task, plan.stage.refinement, scratch, block.data());
    states.insert(states.end(), found.begin(), found.end());
    auto const* const from = block.data();
    auto* const to = members.block.data() + Edge{n} * t;
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { to[v] = from[v] + blocks_per_member * t; });
  }
  return keep_best(ex, members, plan.population, n, blocks_per_member, labels.scope, states);
}

/// Splits every scope `plan.population` times and combines the results for `plan.combinations` rounds; the best
/// child of every scope is returned. With a population of one this is split_scopes.
template <Executor Exec>
Buffer<Exec, Block> evolve_split(Exec& ex, CsrView graph, VertexLabels labels, SplitTask const& task,
                                 SplitPlan const& plan) {
  if (plan.population == 1 || !labels_fit(task)) return split_scopes(ex, graph, labels, task, plan);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto members = split_independently(ex, graph, labels, task, plan, scratch);
  auto const pairs = pairs_with_best(plan.population);
  for (int round = 0; round < plan.combinations; ++round) {
    auto own = plan;
    own.stage.seed = hash(plan.stage.seed, 0xe40ull, static_cast<std::uint64_t>(round));
    auto const children = combine(ex, graph, labels.fixed, task, own, 0, scratch, members, pairs);
    bool const last = round + 1 == plan.combinations;
    members = keep_best(ex, children.population, last ? 1 : plan.population, graph.num_vertices,
                        static_cast<Block>(task.capacity.size()), labels.scope, children.states);
  }
  return std::move(members.block);
}

}  // namespace procmap
