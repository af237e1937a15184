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

/// Hierarchical multisection (paper, GPU-HM), all subgraphs of a level in one pass: splits along the
/// machine, outermost level first, with adaptive imbalance.
template <HostExecutor Exec>
Buffer<Exec, Block> multisect(Exec& ex, CsrView graph, MappingTask const& task, SplitMethod method) {
  auto const& config = task.config.multisection;
  auto const steps = split_steps(task.topology, config.max_parts);
  Buffer<Exec, Block> block;
  if (steps.empty()) {
    block = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
    ex.fill(block.data(), graph.num_vertices, Block{0});
  }
  Block scopes = 1;
  double const slack_share = slack_share_of(task, graph.num_vertices);
  ClusterHistory<Exec> first_pass;
  auto* const history = config.reuse_clusters && steps.size() > 1 ? &first_pass : nullptr;
  for (auto const& step : steps) {
    Block const* const scope = scopes > 1 ? block.data() : nullptr;
    auto const targets = split_targets(scope_weights(ex, graph, scope, scopes), scope_loads(ex, graph, scope, scopes),
                                       step.parts, task, {step.depth, slack_share});
    auto const plan =
        method == SplitMethod::multilevel ? split_plan(task, targets, step) : bisection_plan(task, targets, step);
    if (scope) {
      auto const inside = drop_cross_arcs(ex, graph, scope);
      block = evolve_split(ex, inside.view(), {scope, task.fixed}, targets, plan, history);
    } else {
      block = evolve_split(ex, graph, {scope, task.fixed}, targets, plan, history);
    }
    first_pass.rewind();
    scopes *= step.parts;
  }
  return block;
}

/// Refines the mapping cost of the finest graph over all PEs at once: multisection never moves a vertex between blocks
/// of different subgraphs, and cuts count all edges of a level alike.
template <HostExecutor Exec>
void refine_mapping(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (task.config.multisection.final_rounds == 0) return;
  refine_on_machine(ex, graph, task, final_stage(task), block);
}

}  // namespace procmap
