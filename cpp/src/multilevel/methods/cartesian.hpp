// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cartesian/decomposition.hpp"
#include "cartesian/find_grid.hpp"
#include "cartesian/machine_digits.hpp"
#include "core/index.hpp"
#include "multilevel/methods/contest.hpp"
#include "multilevel/methods/slot_contest.hpp"

// Tasks that form a grid. Where traffic goes along its axes, straight cuts cost least, but clusters have lost the axes.

namespace procmap {

/// The PEs of tasks that form a grid, cut into boxes along its axes, by one or two decompositions; none if they do not,
/// or if PEs or tasks are not all alike to the method.
template <HostExecutor Exec>
std::vector<std::vector<Block>> boxes_of_grid(Exec& ex, CsrView graph, MappingTask const& task) {
  bool const all_alike =
      graph.num_vertices > 1 && !task.fixed && !task.given.pe && task.several.empty() && task.capacities.alike();
  if (!task.config.machine.cartesian || !all_alike || !has_digits(task.topology) || ex.run().in_hurry()) return {};
  Phase phase(ex.run(), "grid of tasks");
  auto const grid = find_grid(ex, graph);
  if (!grid) return {};
  __int128 const room = static_cast<__int128>(task.capacities.of(0)) * graph.num_vertices;
  auto const most = std::min<__int128>(room / std::max<Weight>(task.total_weight, 1), graph.num_vertices);
  return decompose(*grid, task.topology, static_cast<Edge>(most));
}

/// The slots of the same.
template <HostExecutor Exec>
std::vector<std::vector<Block>> slots_of_grid(Exec& ex, CsrView graph, MappingTask const& task,
                                              SlotMachine const& machine) {
  auto boxes = boxes_of_grid(ex, graph, task);
  auto const slot_of_pe = slots_of_pes(machine.guide.pe_of_slot, task.topology.num_pes());
  for (auto& mapping : boxes)
    for (Block& b : mapping) b = slot_of_pe[index(b)];
  return boxes;
}

/// The best one of a mapping and those of boxes, which improve(boxes) brings to its end if they cost less as they are.
/// What a mapping costs, and how good it is, `objective` and `task` say.
template <HostExecutor Exec, class Objective, class Improve>
Buffer<Exec, Block> best_one(Exec& ex, CsrView graph, MappingTask const& task, Objective const& objective,
                             Buffer<Exec, Block> block, std::vector<std::vector<Block>> const& mappings,
                             Improve improve) {
  auto const standing = [&](Buffer<Exec, Block> const& of) {
    return standing_of(ex, graph, task, objective, of.data());
  };
  auto best = standing(block);
  for (auto const& boxes : mappings) {
    auto other = upload_blocks(ex, boxes);
    if (total_cost(ex, graph, objective, other.data()) >= best.second) continue;
    improve(other.data());
    auto const others = standing(other);
    if (!(others < best)) continue;
    block = std::move(other);
    best = others;
  }
  return block;
}

/// A new mapping onto a hierarchy.
template <HostExecutor Exec>
Buffer<Exec, Block> best_or_boxes_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task) {
  auto block = best_on_hierarchy(ex, graph, task);
  auto const boxes = boxes_of_grid(ex, graph, task);
  if (boxes.empty()) return block;
  auto const distances = make_hierarchy_distance(ex, task.topology);
  return best_one(ex, graph, task, distances.view, std::move(block), boxes, [&](Block* other) {
    restore_balance(ex, graph, task, other);
    settle_on_machine(ex, graph, task, other);
  });
}

/// A new mapping of the slots of a machine that is no hierarchy.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> best_or_boxes_on_slots(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective) {
  auto block = map_slots(ex, graph, problem, objective);
  auto const boxes = slots_of_grid(ex, graph, problem.pes, problem.machine);
  if (boxes.empty()) return block;
  return best_one(ex, graph, problem.slots, objective, std::move(block), boxes,
                  [&](Block* other) { refine_to_the_end(ex, graph, problem, objective, other); });
}

}  // namespace procmap
