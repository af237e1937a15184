// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "coarsening/contraction.hpp"
#include "core/hash.hpp"
#include "multilevel/methods/host_anchors.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "multilevel/targets.hpp"
#include "refinement/places/annealing.hpp"
#include "refinement/places/best_places.hpp"
#include "refinement/places/group_annealing.hpp"

namespace procmap {

/// How blocks look for their places, and which of them may not.
struct ExchangePlan {
  Kicks kicks;
  Annealing annealing;
  AnchorsView anchors;
  std::vector<Block> const& groups;  // sizes of the groups of places, innermost first
};

/// Relabels the blocks of `block` by exchanges on the machine; returns whether that lowered J.
template <HostExecutor Exec>
bool exchange_blocks(Exec& ex, CsrView graph, SlotMachine const& machine, std::vector<Weight> const& capacity,
                     ExchangePlan const& plan, Block* block) {
  auto const& [kicks_wanted, annealing, anchors, groups] = plan;
  bool const all_compared = machine.distance.in_table();
  if (!all_compared && annealing.proposals == 0) return false;
  auto const k = static_cast<Block>(capacity.size());
  auto const traffic = download_graph(ex, contract(ex, graph, k, block).view());
  auto const kicks = affordable(kicks_wanted, traffic.offsets.back());
  Phase phase(ex.run(), "exchange blocks");
  std::vector<Block> place(capacity.size());
  std::iota(place.begin(), place.end(), 0);
  Places const places{machine.distance, capacity, groups, host_team(ex), {}, anchors};
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
void exchange_after(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine,
                    std::vector<Block> const& groups, int cycle, Block* block) {
  if (!slots.several.empty() && !slots.capacities.alike()) return;  // places hold different things
  auto const& config = slots.config.machine;
  auto const targets = machine_targets(slots);
  Kicks const kicks{config.block_kicks, 3, hash(slots.seed, Salt::exchange, static_cast<std::uint64_t>(cycle))};
  auto const k = static_cast<std::int64_t>(targets.num_blocks());
  Annealing annealing{cycle == 0 ? k * k * config.annealing : 0, hash(slots.seed, Salt::annealing)};
  annealing.most_arcs = arcs_to_anneal(machine.distance);
  auto const anchors = anchors_of_blocks(ex, slots, graph.num_vertices);
  exchange_blocks(ex, graph, machine, targets.capacity, {kicks, annealing, anchors.view(), groups}, block);
}

}  // namespace procmap
