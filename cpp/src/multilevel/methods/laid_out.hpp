// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "cartesian/halve_grid.hpp"
#include "coarsening/contraction.hpp"
#include "core/hash.hpp"
#include "core/index.hpp"
#include "exec/host_team.hpp"
#include "graph/host_graph.hpp"
#include "multilevel/levels.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "multilevel/task.hpp"

// Meshes in space have a shape, as have grids of PEs. A guide cuts every part along a direction of its own; points of
// all tasks are cut along the same directions everywhere.

namespace procmap {

/// The grid on which tasks may be laid out: one of three dimensions, and where each task may go anywhere. In the plane
/// guides are better (measured).
inline Grid const* grid_to_lay_out_on(MappingTask const& pes) {
  constexpr std::size_t dimensions = 3;
  auto const* const grid = pes.topology.as_grid();
  bool const is_free = !pes.fixed && pes.several.empty();
  bool const is_meant = grid && is_free && pes.config.machine.cartesian;
  return is_meant && used_dimensions(*grid).size() == dimensions ? grid : nullptr;
}

/// Slots of the tasks of a graph by where they lie, and J of that.
struct LaidOut {
  std::vector<Block> slot;
  Weight cost = 0;
};

/// The cheapest of some turns of the points, each halved along with the grid.
inline LaidOut lay_out_on_slots(HostGraph const& graph, MappingTask const& slots, SlotMachine const& machine,
                                Grid const& grid, HostTeam const& team) {
  constexpr int turns = 16;
  auto const slot_of_pe = slots_of_pes(machine.guide.pe_of_slot, num_pes(grid));
  std::vector<Weight> capacity;
  for (Block const slot : slot_of_pe) capacity.push_back(slots.capacities.of(slot));
  auto const layout = lay_out(graph.view(), used_dimensions(grid).size());
  auto const of_turn = [&](int turn) {
    LaidOut found{halve_grid(turned(layout, turn), graph.vertex_weights, grid, capacity)};
    for (Block& block : found.slot) block = slot_of_pe[index(block)];
    found.cost = cost_of_places(graph, machine.distance, found.slot);
    return found;
  };
  std::vector<Weight> cost(turns);
  team.for_each_job(turns, [&](Edge turn) { cost[index(turn)] = of_turn(static_cast<int>(turn)).cost; });
  return of_turn(static_cast<int>(std::ranges::min_element(cost) - cost.begin()));
}

/// J of blocks on the slots of their numbers.
template <HostExecutor Exec>
Weight cost_on_slots(Exec& ex, CsrView graph, SlotMachine const& machine, Block const* block) {
  std::vector<Block> place(machine.distance.num_places());
  std::iota(place.begin(), place.end(), 0);
  auto const traffic = download_graph(ex, contract(ex, graph, static_cast<Vertex>(place.size()), block).view());
  return cost_of_places(traffic, machine.distance, place);
}

/// A mapping by where tasks lie, unless it costs so much more than `block`, whose blocks are annealed, that refinement
/// will not make up for it. Tasks of large graphs are laid out as clusters.
template <HostExecutor Exec>
std::optional<Buffer<Exec, Block>> promising_layout(Exec& ex, CsrView graph, MappingTask const& slots,
                                                    SlotMachine const& machine, Grid const& grid, Block const* block) {
  constexpr Edge few = 1 << 14, per_slot = 16;
  constexpr double much = 1.5;
  auto const wanted = std::min(std::max(few, per_slot * slots.topology.num_pes()), Edge{graph.num_vertices});
  if (wanted == 0) return std::nullopt;
  CoarseningGoal const goal{static_cast<Vertex>(wanted), 2 * (slots.total_weight / wanted) + 1};
  auto const seed = hash(slots.seed, Salt::coarsening);
  auto const levels = make_levels(ex, graph, {}, {goal, slots.config.coarsening, seed});
  Phase phase(ex.run(), "layout");
  auto const found = lay_out_on_slots(download_graph(ex, levels.coarsest_graph()), slots, machine, grid, host_team(ex));
  auto const cost = cost_on_slots(ex, graph, machine, block);
  if (static_cast<double>(found.cost) > much * static_cast<double>(cost)) return std::nullopt;
  auto other = upload_blocks(ex, found.slot);
  for (auto level = levels.coarsest(); level-- > 0;) other = projected(ex, levels, level, other.data());
  return other;
}

}  // namespace procmap
