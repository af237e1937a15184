// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cartesian/decomposition.hpp"
#include "cartesian/find_grid.hpp"
#include "cartesian/machine_digits.hpp"
#include "core/index.hpp"
#include "multilevel/consecutive_tasks.hpp"
#include "multilevel/mean_distances.hpp"
#include "multilevel/methods/contest.hpp"
#include "multilevel/methods/none_empty.hpp"
#include "multilevel/methods/slot_contest.hpp"

// Mappings that the numbers of the tasks suggest. Tasks that form a grid are cut into boxes: where traffic goes along
// its axes, straight cuts cost least, but clusters have lost the axes. And consecutive tasks may belong together, as
// along a space-filling curve.

namespace procmap {

/// Are such mappings wanted, and are tasks all alike to the method, and PEs but for forbidden ones?
template <HostExecutor Exec>
bool may_follow_numbers(Exec& ex, CsrView graph, MappingTask const& task) {
  bool const all_alike =
      graph.num_vertices > 1 && !task.fixed && !task.given.pe && task.several.empty() && task.capacities.usable_alike();
  return task.config.machine.cartesian && all_alike && !ex.run().in_hurry();
}

/// The PEs of tasks that form a grid, cut into boxes along its axes, by one or two decompositions; none if they do not.
template <HostExecutor Exec>
std::vector<std::vector<Block>> boxes_of_grid(Exec& ex, CsrView graph, MappingTask const& task) {
  bool const all_usable = task.capacities.alike();
  if (!all_usable || !may_follow_numbers(ex, graph, task) || !has_digits(task.topology)) return {};
  Phase phase(ex.run(), "grid of tasks");
  auto const grid = find_grid(ex, graph);
  if (!grid) return {};
  __int128 const room = static_cast<__int128>(task.capacities.of(0)) * graph.num_vertices;
  auto const most = std::min<__int128>(room / std::max<Weight>(task.total_weight, 1), graph.num_vertices);
  return decompose(*grid, task.topology, static_cast<Edge>(most));
}

/// The PEs that are not forbidden.
inline std::vector<Block> usable_pes(PeCapacities const& pes) {
  std::vector<Block> usable;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (!pes.forbidden(pe)) usable.push_back(pe);
  return usable;
}

/// Consecutive tasks on consecutive PEs; empty if that is not to be, if a PE would have none, or if there are so many
/// tasks that a GPU would wait for the host.
template <HostExecutor Exec>
std::vector<Block> pes_in_order(Exec& ex, CsrView graph, MappingTask const& task) {
  constexpr Vertex most_tasks = 1 << 20;
  if (graph.num_vertices > most_tasks || !may_follow_numbers(ex, graph, task)) return {};
  std::vector<Weight> weights;
  if (graph.vertex_weights) {
    weights.resize(index(graph.num_vertices));
    ex.download(graph.vertex_weights, graph.num_vertices, weights.data());
  }
  auto const usable = usable_pes(task.capacities);
  auto pes = consecutive_tasks(graph.num_vertices, weights, static_cast<Block>(usable.size()));
  for (Block& pe : pes) pe = usable[index(pe)];
  return pes;
}

/// Boxes of a grid, and consecutive tasks.
template <HostExecutor Exec>
std::vector<std::vector<Block>> mappings_by_number(Exec& ex, CsrView graph, MappingTask const& task) {
  auto mappings = boxes_of_grid(ex, graph, task);
  if (auto in_order = pes_in_order(ex, graph, task); !in_order.empty()) mappings.push_back(std::move(in_order));
  return mappings;
}

/// Slots instead of PEs.
inline std::vector<std::vector<Block>> on_slots(std::vector<std::vector<Block>> mappings, MappingTask const& task,
                                                std::vector<Block> const& pe_of_slot) {
  auto const slot_of_pe = slots_of_pes(pe_of_slot, task.topology.num_pes());
  for (auto& mapping : mappings)
    for (Block& b : mapping) b = slot_of_pe[index(b)];
  return mappings;
}

/// The slots of consecutive tasks on consecutive PEs; empty where pes_in_order() is.
template <HostExecutor Exec>
std::vector<Block> slots_in_order_of_pes(Exec& ex, CsrView graph, MappingTask const& pes,
                                         std::vector<Block> const& pe_of_slot) {
  return on_slots({pes_in_order(ex, graph, pes)}, pes, pe_of_slot).front();
}

/// The slots of tasks that form a grid. A machine without digits, such as a table, is taken for the hierarchy that its
/// guide is, with its mean distances.
template <HostExecutor Exec>
std::vector<std::vector<Block>> boxes_on_slots(Exec& ex, CsrView graph, MappingTask const& pes,
                                               MappingTask const& slots, SlotMachine const& machine) {
  if (has_digits(pes.topology)) return on_slots(boxes_of_grid(ex, graph, pes), pes, machine.guide.pe_of_slot);
  auto const guide = with_mean_distances(machine.hierarchy, machine.distance);
  return boxes_of_grid(ex, graph, with_topology(slots, guide, slots.config, slots.seed, slots.fixed));
}

/// The best one of a mapping and others, which improve(other) brings to its end if they cost less as they are.
/// What a mapping costs, and how good it is, `objective` and `task` say.
template <HostExecutor Exec, class Objective, class Improve>
Buffer<Exec, Block> best_one(Exec& ex, CsrView graph, MappingTask const& task, Objective const& objective,
                             Buffer<Exec, Block> block, std::vector<std::vector<Block>> const& mappings,
                             Improve improve) {
  auto const standing = [&](Buffer<Exec, Block> const& of) {
    return standing_of(ex, graph, task, objective, of.data());
  };
  auto best = standing(block);
  for (auto const& mapping : mappings) {
    auto other = upload_blocks(ex, mapping);
    if (total_cost(ex, graph, objective, other.data()) >= best.second) continue;
    improve(other.data());
    auto const others = standing(other);
    if (!(others < best)) continue;
    block = std::move(other);
    best = others;
  }
  return block;
}

/// A new mapping onto a hierarchy. One more competes unless it is empty. All are compared as they come out in the end,
/// without empty PEs.
template <HostExecutor Exec>
Buffer<Exec, Block> best_or_by_number_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task,
                                                   std::vector<Block> one_more = {}) {
  auto block = best_on_hierarchy(ex, graph, task);
  auto others = mappings_by_number(ex, graph, task);
  bool const is_new = !one_more.empty() && std::ranges::find(others, one_more) == others.end();
  if (is_new) others.push_back(std::move(one_more));
  if (others.empty()) return block;
  leave_none_empty(ex, graph, task, block.data());
  auto const distances = make_hierarchy_distance(ex, task.topology);
  return best_one(ex, graph, task, distances.view, std::move(block), others, [&](Block* other) {
    restore_balance(ex, graph, task, other);
    settle_on_machine(ex, graph, task, other);
    leave_none_empty(ex, graph, task, other);
  });
}

/// A new mapping of the slots of a machine that is no hierarchy. Consecutive tasks lie on consecutive PEs, or slots.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> best_or_by_number_on_slots(Exec& ex, CsrView graph, SlotProblem const& problem,
                                               Objective objective) {
  auto block = map_slots(ex, graph, problem, objective);
  auto const& [pes, slots, machine] = problem;
  auto others = boxes_on_slots(ex, graph, pes, slots, machine);
  for (auto const& in_order :
       {slots_in_order_of_pes(ex, graph, pes, machine.guide.pe_of_slot), pes_in_order(ex, graph, slots)})
    if (!in_order.empty()) others.push_back(in_order);
  if (others.empty()) return block;
  return best_one(ex, graph, problem.slots, objective, std::move(block), others,
                  [&](Block* other) { refine_to_the_end(ex, graph, problem, objective, other); });
}

}  // namespace procmap
