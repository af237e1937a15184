// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "multilevel/methods/anneal_tasks.hpp"
#include "multilevel/methods/hierarchy.hpp"
#include "multilevel/methods/none_empty.hpp"
#include "multilevel/methods/slot_exchanges.hpp"
#include "multilevel/methods/standing.hpp"

// New mappings onto a machine that is no hierarchy. Blocks are the slots of its guide.

namespace procmap {

/// A task and the same task for slots.
struct SlotProblem {
  MappingTask pes, slots;
  SlotMachine const& machine;
};

inline SlotProblem with_config(SlotProblem const& problem, Config const& config) {
  return {with_config(problem.pes, config, problem.pes.fixed), with_config(problem.slots, config, problem.slots.fixed),
          problem.machine};
}

/// The configuration for the slots of `machine`. The distances of the guide, on which multisection could refine, are
/// not those of the machine. Where groups are known multisection has placed them well (measured); only `strong`
/// competes there, so that it is no worse than `default`.
inline Config for_slots(Config config, Topology const& machine) {
  config.multisection.final_rounds = 0;
  if (!has_known_groups(machine)) return config;
  config.machine.annealing = 0;
  config.machine.more_starts = 0;
  config.machine.both_methods &= config.multisection.contains_default;
  return config;
}

/// Which levels a first mapping follows, and its seed.
struct FirstMapping {
  Method method;
  bool all_dimensions_at_once;
  std::uint64_t seed;
};

/// Compact blocks of a mapping onto the guide, brought to their places.
template <HostExecutor Exec>
Buffer<Exec, Block> map_onto_guide(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine,
                                   FirstMapping const& first) {
  auto config = slots.config;
  config.method = first.method;
  bool const at_once = first.all_dimensions_at_once;
  auto const& hierarchy = at_once ? machine.hierarchy_at_once : machine.hierarchy;
  auto const& groups = at_once ? machine.guide.sizes_at_once : machine.guide.sizes;
  auto const guided = with_topology(slots, hierarchy, config, first.seed, slots.fixed);
  auto block = map_onto_hierarchy(ex, graph, guided);
  exchange_after(ex, graph, guided, machine, groups, 0, block.data());
  return block;
}

/// V-cycles on the mapping cost itself, exchanges of whole blocks, and of single tasks if there are few per PE.
template <HostExecutor Exec, class Objective>
void refine_slots(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine, Objective objective,
                  Block* block) {
  auto const placed = place_targets(ex, machine_targets(slots), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  RefinementProblem<Objective> const problem{graph, objective, placed.view, {slots.fixed}};
  auto label = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  for (int cycle = 1; cycle <= slots.config.machine.v_cycles && !ex.run().in_hurry(); ++cycle) {
    ex.copy(block, graph.num_vertices, label.data());
    v_cycle(ex, problem, scratch, machine_cycle(slots, cycle), label.data(), block);
    exchange_after(ex, graph, slots, machine, machine.guide.sizes, cycle, block);
  }
  anneal_few_tasks(ex, graph, slots, machine.distance, block);
  settle_finest(ex, problem, scratch, block, mapping_stage(slots));
}

/// The mapping refined as it comes out in the end: in balance, and without empty PEs.
template <HostExecutor Exec, class Objective>
void refine_to_the_end(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective, Block* block) {
  auto const& [pes, slots, machine] = problem;
  refine_slots(ex, graph, slots, machine, objective, block);
  restore_balance(ex, graph, slots, block);
  if (!pes.none_empty) return;
  auto const& pe_of_slot = machine.guide.pe_of_slot;
  rename_blocks(ex, pe_of_slot, graph.num_vertices, block);
  leave_none_empty(ex, graph, pes, block);
  rename_blocks(ex, slots_of_pes(pe_of_slot, pes.topology.num_pes()), graph.num_vertices, block);
}

}  // namespace procmap
