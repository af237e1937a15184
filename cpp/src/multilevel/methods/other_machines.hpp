// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "coarsening/contraction.hpp"
#include "multilevel/methods/anneal_tasks.hpp"
#include "multilevel/methods/hierarchy.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "multilevel/methods/standing.hpp"
#include "objective/with_distances.hpp"
#include "refinement/places/annealing.hpp"
#include "refinement/places/group_annealing.hpp"

namespace procmap {

/// How blocks look for their places, and which of them may not.
struct ExchangePlan {
  Kicks kicks;
  Annealing annealing;
  AnchorsView anchors;
};

/// Relabels the blocks of `block` by exchanges on the machine; returns whether that lowered J.
template <HostExecutor Exec>
bool exchange_blocks(Exec& ex, CsrView graph, SlotMachine const& machine, std::vector<Weight> const& capacity,
                     ExchangePlan plan, Block* block) {
  auto [kicks, annealing, anchors] = plan;
  bool const all_compared = machine.distance.in_table();
  if (!all_compared && annealing.proposals == 0) return false;
  auto const k = static_cast<Block>(capacity.size());
  auto const traffic = download_graph(ex, contract(ex, graph, k, block).view());
  kicks = affordable(kicks, traffic.offsets.back());
  Phase phase(ex.run(), "exchange blocks");
  std::vector<Block> place(capacity.size());
  std::iota(place.begin(), place.end(), 0);
  Places const places{machine.distance, capacity, machine.guide.sizes, host_team(ex), {}, anchors};
  bool better =
      all_compared ? exchange_places(traffic, places, kicks, place) : anneal_groups(traffic, places, annealing, place);
  if (anneal_places(traffic, places, annealing, place)) {
    if (all_compared) exchange_places(traffic, places, kicks, place);
    better = true;
  }
  if (!better) return false;
  rename_blocks(ex, place, graph.num_vertices, block);
  return true;
}

/// The exchanges of whole blocks after a V-cycle; before the first one they are annealed.
template <HostExecutor Exec>
void exchange_after(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine, int cycle,
                    Block* block) {
  if (!slots.several.empty() && !slots.capacities.alike()) return;  // places hold different things
  auto const& config = slots.config.machine;
  auto const targets = machine_targets(slots);
  Kicks const kicks{config.block_kicks, 3, hash(slots.seed, Salt::exchange, static_cast<std::uint64_t>(cycle))};
  auto const k = static_cast<std::int64_t>(targets.num_blocks());
  Annealing annealing{cycle == 0 ? k * k * config.annealing : 0, hash(slots.seed, Salt::annealing)};
  annealing.most_arcs = arcs_to_anneal(machine.distance);
  auto const anchors = anchors_of_blocks(ex, slots, graph.num_vertices);
  exchange_blocks(ex, graph, machine, targets.capacity, {kicks, annealing, anchors.view()}, block);
}

/// What the V-cycles begin with: compact blocks of a mapping onto the guide, brought to their places. Neither method is
/// the better one on all graphs.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> first_slot_mapping(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine,
                                       Objective const& objective) {
  auto const map_by = [&](Method method) {
    auto config = slots.config;
    config.method = method;
    auto block = map_onto_hierarchy(ex, graph, with_config(slots, config, slots.fixed));
    exchange_after(ex, graph, slots, machine, 0, block.data());
    return block;
  };
  auto const method = slots.config.method;
  auto block = map_by(method);
  if (!slots.config.machine.both_methods || ex.run().in_hurry()) return block;
  auto other = map_by(method == Method::integrated ? Method::multisection : Method::integrated);
  auto const standing = [&](Buffer<Exec, Block> const& of) {
    return standing_of(ex, graph, slots, objective, of.data());
  };
  return standing(other) < standing(block) ? std::move(other) : std::move(block);
}

/// Anneals single tasks if there are few per PE, which `distance` is of; returns whether J, with migration, fell. A
/// given mapping is improved in less time than a new one takes.
template <HostExecutor Exec>
bool anneal_few_tasks(Exec& ex, CsrView graph, MappingTask const& task, PlaceDistances const& distance, Block* block) {
  auto const& config = task.config.machine;
  auto const n = Edge{graph.num_vertices}, k = Edge{task.topology.num_pes()};
  Edge const tried = task.given.pe ? std::min(k * k, 32 * n) : k * k;
  if (n > k * config.few_tasks) return false;
  return anneal_tasks(ex, graph, task, distance, {tried * config.task_annealing, temperatures(ex, graph, task)}, block);
}

/// A new mapping of the slots: V-cycles on the mapping cost itself and exchanges of whole blocks improve the first one.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> make_slot_mapping(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine,
                                      Objective objective) {
  auto const placed = place_targets(ex, machine_targets(slots), 1);
  auto block = first_slot_mapping(ex, graph, slots, machine, objective);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  RefinementProblem<Objective> const problem{graph, objective, placed.view, {slots.fixed}};
  auto label = ex.template buffer<Block>(block.size());
  for (int cycle = 1; cycle <= slots.config.machine.v_cycles && !ex.run().in_hurry(); ++cycle) {
    ex.copy(block.data(), graph.num_vertices, label.data());
    v_cycle(ex, problem, scratch, machine_cycle(slots, cycle), label.data(), block.data());
    exchange_after(ex, graph, slots, machine, cycle, block.data());
  }
  anneal_few_tasks(ex, graph, slots, machine.distance, block.data());
  settle_finest(ex, problem, scratch, block.data(), mapping_stage(slots));
  return block;
}

inline bool has_known_groups(Topology const& topology) {
  auto const* const table = topology.as_table();
  return table && !table->groups.empty();
}

/// The whole method for a machine that is no hierarchy: the given mapping improved or a new one.
template <HostExecutor Exec>
Buffer<Exec, Block> map_onto_other_machine(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const machine = make_slot_machine(ex, task.topology, task.config.machine);
  auto config = task.config;
  config.multisection.final_rounds = 0;  // on the distances of the guide, which are not those of the machine
  if (has_known_groups(task.topology)) {  // multisection has placed them well (measured)
    config.machine.annealing = 0;
    config.machine.both_methods = false;
  }
  MappingTask const guided{.topology = task.topology,
                           .capacities = task.capacities,
                           .total_weight = task.total_weight,
                           .config = config,
                           .seed = task.seed,
                           .fixed = task.fixed,
                           .given = task.given,
                           .several = task.several};
  SlotTask<Exec> const slots(ex, graph.num_vertices, guided, machine.hierarchy, machine.guide.pe_of_slot);
  auto block = with_slot_distances(ex, task.topology, machine.guide, [&](auto objective) {
    auto const anneal = [&](Block* given) { anneal_few_tasks(ex, graph, slots.task, machine.distance, given); };
    return slots.task.given.pe ? improve_given(ex, graph, slots.task, objective, anneal)
                               : make_slot_mapping(ex, graph, slots.task, machine, objective);
  });
  restore_balance(ex, graph, slots.task, block.data());
  rename_blocks(ex, machine.guide.pe_of_slot, graph.num_vertices, block.data());
  return block;
}

}  // namespace procmap
