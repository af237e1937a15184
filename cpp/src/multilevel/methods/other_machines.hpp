// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/methods/by_number.hpp"
#include "multilevel/methods/improve.hpp"
#include "objective/with_distances.hpp"

namespace procmap {

/// The whole method for a machine that is no hierarchy: the given mapping improved or a new one.
template <HostExecutor Exec>
Buffer<Exec, Block> map_onto_other_machine(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const machine = make_slot_machine(ex, task.topology, task.config.machine);
  auto const config = for_slots(task.config, task.topology);
  auto guided = with_config(task, config, task.fixed);
  guided.given = task.given;
  SlotTask<Exec> const slots(ex, graph.num_vertices, guided, machine.hierarchy, machine.guide.pe_of_slot);
  auto block = with_slot_distances(ex, task.topology, machine.guide, [&](auto objective) {
    if (!task.given.pe) return best_or_by_number_on_slots(ex, graph, {guided, slots.task, machine}, objective);
    auto const exchange = [&](AnchorsView anchors, Block* given) {
      return exchange_given(ex, graph, slots.task, objective, anchors, machine.distance, machine.guide.sizes, given);
    };
    auto const anneal = [&](Block* given) { anneal_few_tasks(ex, graph, slots.task, machine.distance, given); };
    auto improved = improve_given(ex, graph, slots.task, objective, exchange, anneal);
    restore_balance(ex, graph, slots.task, improved.data());
    return improved;
  });
  rename_blocks(ex, machine.guide.pe_of_slot, graph.num_vertices, block.data());
  return block;
}

}  // namespace procmap
