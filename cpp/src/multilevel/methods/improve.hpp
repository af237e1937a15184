// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/methods/exchange_given.hpp"
#include "multilevel/place_targets.hpp"
#include "multilevel/v_cycle.hpp"

namespace procmap {

/// Where vertices start, and their homes unless `home` is null.
template <HostExecutor Exec>
void start_from_given(Exec& ex, Vertex n, MappingTask const& task, Block* block, Block* home) {
  ex.for_each(n, [=, given = task.given, fixed = task.fixed] PROCMAP_LAMBDA(Edge v) {
    Block const start = given.refuge[given.pe[v]];
    block[v] = fixed && fixed[v] != no_block ? fixed[v] : start;
    if (home) home[v] = start == given.pe[v] ? start : no_block;
  });
}

/// Improves the given mapping by a V-cycle, by exchange(anchors, block) of whole blocks, which says whether it did, and
/// by anneal(block) where that anneals tasks. Vertices that leave their PE pay for their migration.
template <HostExecutor Exec, class Objective, class Exchange, class Anneal>
Buffer<Exec, Block> improve_given(Exec& ex, CsrView graph, MappingTask const& task, Objective objective,
                                  Exchange exchange, Anneal anneal) {
  auto const size = static_cast<std::size_t>(graph.num_vertices);
  auto buffer = ex.template buffer<Block>(size);
  auto home_buffer = ex.template buffer<Block>(task.given.pull ? size : 0);
  auto* const block = buffer.data();
  auto* const home = home_buffer.data();
  start_from_given(ex, graph.num_vertices, task, block, home);
  auto const placed = place_targets(ex, machine_targets(task), 1);
  RefinementProblem<Objective> const problem{graph, objective, placed.view, {task.fixed, home, task.given.pull}};
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto const plan = improvement_plan(task, graph.num_vertices);
  v_cycle(ex, problem, scratch, plan, task.given.pe, block);
  // Not before: single vertices that lie far away would have whole blocks follow them, and all of these migrate.
  if (!ex.run().in_hurry() && may_exchange_given(graph, task) && exchange(problem.anchors, block))
    refine_level(ex, problem, scratch, block, plan.stage, 0);
  anneal(block);
  settle_finest(ex, problem, scratch, block, plan.stage);
  return buffer;
}

}  // namespace procmap
