// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

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

/// The distances of the guide, on which multisection could refine, are not those of the machine.
inline Config for_slots(Config config) {
  config.multisection.final_rounds = 0;
  return config;
}

/// The task of mapping onto slots grouped as the levels of `guide`.
inline MappingTask onto_guide(MappingTask const& slots, Topology const& guide, Config const& config) {
  return {.topology = guide,
          .capacities = slots.capacities,
          .total_weight = slots.total_weight,
          .config = config,
          .seed = slots.seed,
          .fixed = slots.fixed,
          .several = slots.several,
          .none_empty = slots.none_empty};
}

/// Compact blocks of a mapping onto the guide, brought to their places. Integrated mapping cuts along all dimensions of
/// equal length at once: better where graph and grid have as many dimensions, and elsewhere no worse in the mean.
template <HostExecutor Exec>
Buffer<Exec, Block> map_onto_guide(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine,
                                   Method method) {
  auto config = slots.config;
  config.method = method;
  bool const at_once = method == Method::integrated;
  auto const& guide = at_once ? machine.hierarchy_at_once : machine.hierarchy;
  auto const& groups = at_once ? machine.guide.sizes_at_once : machine.guide.sizes;
  auto block = map_onto_hierarchy(ex, graph, onto_guide(slots, guide, config));
  exchange_after(ex, graph, slots, machine, groups, 0, block.data());
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

/// A new mapping of the slots by one method.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots_by(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective,
                                 Method method) {
  auto block = map_onto_guide(ex, graph, problem.slots, problem.machine, method);
  refine_to_the_end(ex, graph, problem, objective, block.data());
  return block;
}

template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective);

/// What the first method competes with, as neither is the better one on all graphs: the whole mapping of the preset
/// that does less, so that presets are in order. `fast` maps by the other method.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots_by_other_method(Exec& ex, CsrView graph, SlotProblem const& problem,
                                              Objective objective) {
  auto const& config = problem.slots.config;
  if (config.method == Method::integrated) return map_slots_by(ex, graph, problem, objective, Method::multisection);
  auto const lesser = for_slots(Config::preset(config.multisection.contains_default ? "default" : "fast"));
  return map_slots(ex, graph, with_config(problem, lesser), objective);
}

/// A new mapping of the slots, the better one of both methods. The other one is refined on if it has been better so
/// far.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> map_slots(Exec& ex, CsrView graph, SlotProblem const& problem, Objective objective) {
  auto const& slots = problem.slots;
  auto block = map_slots_by(ex, graph, problem, objective, slots.config.method);
  if (!slots.config.machine.both_methods || ex.run().in_hurry()) return block;
  auto other = map_slots_by_other_method(ex, graph, problem, objective);
  auto const standing = [&](Buffer<Exec, Block> const& of) {
    return standing_of(ex, graph, slots, objective, of.data());
  };
  if (!(standing(other) < standing(block))) return block;
  ex.copy(other.data(), graph.num_vertices, block.data());
  refine_to_the_end(ex, graph, problem, objective, block.data());
  return standing(other) < standing(block) ? std::move(other) : std::move(block);
}

}  // namespace procmap
