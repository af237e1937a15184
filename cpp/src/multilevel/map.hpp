// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "multilevel/methods/anneal_tasks.hpp"
#include "multilevel/methods/by_number.hpp"
#include "multilevel/methods/given_up.hpp"
#include "multilevel/methods/one_per_pe.hpp"
#include "multilevel/methods/other_machines.hpp"
#include "multilevel/methods/tight.hpp"
#include "topology/hierarchy_with_gaps.hpp"

// The top of the method. Each way below makes a mapping, or improves the given one, and restores the balance.

namespace procmap {

/// Onto a hierarchy: the given mapping improved, or the best of several new ones. One more of these may be named.
template <HostExecutor Exec>
Buffer<Exec, Block> map_or_improve_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task,
                                                std::vector<Block> one_more = {}) {
  if (task.given.pe) return map_onto_hierarchy(ex, graph, task);
  return best_or_by_number_on_hierarchy(ex, graph, task, std::move(one_more));
}

/// The hierarchy that the machine is but for PEs that are not there, if there is one and it is to be followed: the
/// published presets need the V-cycles of other machines (measured).
inline std::optional<HierarchyWithGaps> hierarchy_around_gaps(MappingTask const& task) {
  auto const* const table = task.topology.as_table();
  bool const is_published = task.config.machine.task_annealing == 0;
  return table && !is_published ? as_hierarchy_with_gaps(*table) : std::nullopt;
}

/// Onto what is a hierarchy but for PEs that are not there: these are forbidden. Few tasks per PE are annealed as on
/// machines that are no hierarchies, for which what the hierarchy saves leaves time. Consecutive tasks lie on
/// consecutive PEs, or slots.
template <HostExecutor Exec>
Buffer<Exec, Block> map_around_gaps(Exec& ex, CsrView graph, MappingTask const& task,
                                    HierarchyWithGaps const& machine) {
  SlotTask<Exec> slots(ex, graph.num_vertices, task, machine.hierarchy, machine.pe_of_slot);
  slots.task.none_empty = task.none_empty;
  auto const rename = [&](std::vector<Block> const& names, Block* block) {
    rename_blocks(ex, names, graph.num_vertices, block);
  };
  auto block =
      map_or_improve_on_hierarchy(ex, graph, slots.task, slots_in_order_of_pes(ex, graph, task, machine.pe_of_slot));
  rename(machine.pe_of_slot, block.data());
  if (task.given.pe || !anneal_few_tasks(ex, graph, task, distances_of_pes(ex, task), block.data())) return block;
  rename(slots_of_pes(machine.pe_of_slot, task.topology.num_pes()), block.data());
  settle_on_machine(ex, graph, slots.task, block.data());
  rename(machine.pe_of_slot, block.data());
  return block;
}

/// A new mapping of several tasks per PE, or the given one improved.
template <HostExecutor Exec>
Buffer<Exec, Block> map_several_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  if (task.topology.is_hierarchy()) return map_or_improve_on_hierarchy(ex, graph, task);
  if (auto const machine = hierarchy_around_gaps(task)) return map_around_gaps(ex, graph, task, *machine);
  return map_onto_other_machine(ex, graph, task);
}

/// A new mapping, or the given one improved.
template <HostExecutor Exec>
Buffer<Exec, Block> make_or_improve(Exec& ex, CsrView graph, MappingTask const& task) {
  if (is_one_per_pe(ex, graph, task)) return map_one_per_pe(ex, graph, task);
  return map_tightly(ex, graph, task, [&](MappingTask const& of) { return map_several_per_pe(ex, graph, of); });
}

/// Maps `graph` onto any machine; returns the PE of every vertex.
template <HostExecutor Exec>
Buffer<Exec, Block> map_to_topology(Exec& ex, CsrView graph, MappingTask const& task) {
  auto block = make_or_improve(ex, graph, task);
  if (!is_given_up(ex, graph.num_vertices, task, block.data())) return block;
  auto other = make_or_improve(ex, graph, with_config(task, task.config, task.fixed));  // without the given one
  auto const standing = [&](Buffer<Exec, Block> const& of) {
    return standing_after_migration(ex, graph, task, of.data());
  };
  return standing(other) < standing(block) ? std::move(other) : std::move(block);
}

}  // namespace procmap
