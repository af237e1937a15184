// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/contraction.hpp"
#include "multilevel/integrated.hpp"
#include "multilevel/slot_machine.hpp"
#include "objective/with_distances.hpp"
#include "refinement/place_annealing.hpp"

namespace procmap {

/// An exchange looks at all arcs of two blocks, so many as take half a second or so.
inline std::int64_t affordable_proposals(HostGraph const& traffic) {
  constexpr Edge enough = Edge{1} << 28;
  Edge const arcs = traffic.offsets.back(), blocks = static_cast<Edge>(traffic.offsets.size()) - 1;
  return enough / (2 * arcs / blocks + 1);
}

/// Relabels the blocks of `block` by exchanges on the machine; returns whether that lowered J.
template <Executor Exec>
bool exchange_blocks(Exec& ex, CsrView graph, SlotMachine const& machine, std::vector<Weight> const& capacity,
                     Annealing annealing, Kicks kicks, Block* block) {
  if (machine.distance.empty()) return false;
  auto const k = static_cast<Block>(capacity.size());
  auto const traffic = download_graph(ex, contract(ex, graph, k, block).view());
  Phase phase(ex.run(), "exchange blocks");
  std::vector<Block> place(capacity.size());
  std::iota(place.begin(), place.end(), 0);
  ExchangeTask const task{machine.distance, capacity, machine.guide.sizes, host_team(ex)};
  bool better = exchange_places(traffic, task, kicks, place);
  annealing.proposals = std::min(annealing.proposals, affordable_proposals(traffic));
  if (anneal_places(traffic, task, annealing, place)) {
    exchange_places(traffic, task, kicks, place);
    better = true;
  }
  if (!better) return false;
  rename_blocks(ex, place, graph.num_vertices, block);
  return true;
}

inline VCyclePlan machine_cycle(MappingTask const& task, int cycle) {
  auto const& config = task.config.machine;
  VCyclePlan plan{task.config.coarsening, mapping_goal(task, config.vertices_per_block), mapping_stage(task)};
  plan.stage.filter_fine = config.filter_fine;
  plan.stage.filter_coarse = config.filter_coarse;
  plan.stage.rounds = config.rounds;
  plan.stage.seed = hash(plan.stage.seed, static_cast<std::uint64_t>(cycle));
  return plan;
}

/// A new mapping of the slots: multisection along the guide finds compact blocks; V-cycles on the mapping cost itself
/// and exchanges of whole blocks bring them to their places.
template <Executor Exec, class Objective>
Buffer<Exec, Block> make_slot_mapping(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine,
                                      Objective objective) {
  auto const& config = slots.config.machine;
  auto const split = machine_blocks(slots);
  auto const blocks = place_blocks(ex, split, 1);
  auto block = map_graph(ex, graph, slots);
  auto const exchange = [&](int cycle) {
    if (slots.fixed) return;  // fixed vertices stay where they are
    Kicks const kicks{config.block_kicks, 3, hash(slots.seed, 0x41cull, static_cast<std::uint64_t>(cycle))};
    auto const k = static_cast<std::int64_t>(split.capacity.size());
    Annealing const annealing{cycle == 0 ? k * k * config.annealing : 0, hash(slots.seed, 0xa17ull)};
    exchange_blocks(ex, graph, machine, split.capacity, annealing, kicks, block.data());
  };
  exchange(0);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto label = ex.template buffer<Block>(block.size());
  for (int cycle = 1; cycle <= config.v_cycles; ++cycle) {
    ex.copy(block.data(), graph.num_vertices, label.data());
    v_cycle(ex, graph, objective, blocks.view, scratch, machine_cycle(slots, cycle), label.data(), block.data(),
            {slots.fixed});
    exchange(cycle);
  }
  return block;
}

inline bool has_known_groups(Topology const& topology) {
  auto const* const table = topology.as_table();
  return table && !table->groups.empty();
}

/// The whole method for a machine that is no hierarchy: the given mapping improved or a new one.
template <Executor Exec>
Buffer<Exec, Block> map_onto_machine(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const machine = make_slot_machine(ex, task.topology, task.config.machine);
  auto config = task.config;
  config.multisection.final_rounds = 0;  // on the distances of the guide, which are not those of the machine
  if (has_known_groups(task.topology)) config.machine.annealing = 0;  // multisection has placed them well (measured)
  MappingTask const guided{task.topology, task.capacities, task.total_weight, config,
                           task.seed,     task.fixed,      task.given};
  SlotTask<Exec> const slots(ex, graph.num_vertices, guided, machine);
  auto block = with_slot_distances(ex, task.topology, machine.guide, [&](auto objective) {
    return slots.task.given.pe ? improve_given(ex, graph, slots.task, objective)
                               : make_slot_mapping(ex, graph, slots.task, machine, objective);
  });
  restore_balance(ex, graph, slots.task, block.data());
  rename_blocks(ex, machine.guide.pe_of_slot, graph.num_vertices, block.data());
  return block;
}

}  // namespace procmap
