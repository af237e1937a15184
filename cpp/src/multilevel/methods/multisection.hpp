// SPDX-License-Identifier: MIT
#pragma once

#include "graph/scopes.hpp"
#include "multilevel/methods/refine_on_machine.hpp"
#include "multilevel/split/evolve.hpp"

namespace procmap {

/// How every split of a multisection is made.
enum class SplitMethod {
  multilevel,  // coarsen, split the coarsest graph, refine on the way back
  bisection    // one recursive bisection, without refinement (paper, initial mapping of GPU-IM)
};

/// One step of a multisection: splits every scope of `graph`, null if there is one.
template <HostExecutor Exec>
Buffer<Exec, Block> multisect_once(Exec& ex, CsrView graph, Block const* scope, BlockTargets const& targets,
                                   MappingTask const& task, SplitPlan const& plan, ClusterHistory<Exec>* history,
                                   std::vector<LevelCost>* costs) {
  VertexLabels const labels{scope, task.fixed};
  if (!scope) return evolve_split(ex, graph, labels, targets, plan, history, costs);
  auto const inside = drop_cross_arcs(ex, graph, scope);
  return evolve_split(ex, inside.view(), labels, targets, plan, history, costs);
}

/// Which steps of a multisection are made, outermost first, and what those before them came to.
struct StepRange {
  int first, last;
  Block const* scope = nullptr;
};

/// The steps in `range`, of which there is one at least. `history` as in coarsen(); all but the first repeat it.
/// `costs` as in evolve_split(), of the first.
template <HostExecutor Exec>
Buffer<Exec, Block> multisect_steps(Exec& ex, CsrView graph, MappingTask const& task, SplitMethod method,
                                    StepRange range, ClusterHistory<Exec>* history,
                                    std::vector<LevelCost>* costs = nullptr) {
  auto const steps = split_steps(task.topology, task.config.multisection.max_parts);
  double const slack_share = slack_share_of(task, graph.num_vertices);
  Buffer<Exec, Block> block;
  Block const* scope = range.scope;
  Block scopes = 1;
  for (int i = 0; i < range.last; ++i) {
    auto const& step = steps[static_cast<std::size_t>(i)];
    if (i >= range.first) {
      auto const targets = split_targets(scope_weights(ex, graph, scope, scopes), scope_loads(ex, graph, scope, scopes),
                                         step.parts, task, {step.depth, slack_share});
      auto const make_plan = method == SplitMethod::multilevel ? split_plan : bisection_plan;
      auto const plan = make_plan(task, targets, step, {graph.num_vertices, graph.num_arcs});
      block = multisect_once(ex, graph, scope, targets, task, plan, history, i == range.first ? costs : nullptr);
      scope = block.data();
      if (history) history->rewind();
    }
    scopes *= step.parts;
  }
  return block;
}

/// The outer steps of a multisection, if they are made already: how many, and their blocks.
struct StepsDone {
  int steps = 0;
  Block const* scope = nullptr;
};

/// Hierarchical multisection (paper, GPU-HM), all subgraphs of a level in one pass: splits along the
/// machine, outermost level first, with adaptive imbalance.
template <HostExecutor Exec>
Buffer<Exec, Block> multisect(Exec& ex, CsrView graph, MappingTask const& task, SplitMethod method,
                              StepsDone done = {}) {
  auto const& config = task.config.multisection;
  auto const steps = static_cast<int>(split_steps(task.topology, config.max_parts).size());
  if (steps == 0) {
    auto block = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
    ex.fill(block.data(), graph.num_vertices, Block{0});
    return block;
  }
  ClusterHistory<Exec> first_pass;
  auto* const history = config.reuse_clusters && steps > done.steps + 1 ? &first_pass : nullptr;
  return multisect_steps(ex, graph, task, method, {done.steps, steps, done.scope}, history);
}

/// Refines the mapping cost of the finest graph over all PEs at once: multisection never moves a vertex between blocks
/// of different subgraphs, and cuts count all edges of a level alike.
template <HostExecutor Exec>
void refine_mapping(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (task.config.multisection.final_rounds == 0) return;
  refine_on_machine(ex, graph, task, final_stage(task), block);
}

}  // namespace procmap
