// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/index.hpp"
#include "multilevel/few_tasks.hpp"
#include "multilevel/innermost_groups.hpp"
#include "multilevel/methods/by_number.hpp"
#include "multilevel/methods/contest.hpp"
#include "multilevel/methods/hierarchy.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "multilevel/methods/tight.hpp"
#include "refinement/places/best_places.hpp"
#include "refinement/places/deal_out.hpp"
#include "refinement/places/group_annealing.hpp"
#include "refinement/places/least_cost.hpp"

namespace procmap {

/// 64 places are annealed for as long as 181, fewer in proportion (measured).
inline Annealing task_annealing(Block places, MappingTask const& slots) {
  constexpr Edge least_each = 512, least = Edge{1} << 15;
  Edge const pairs = std::max(Edge{places} * places, std::min(least_each * places, least));
  return {pairs * slots.config.machine.task_annealing, hash(slots.seed, Salt::annealing)};
}

inline Kicks task_kicks(Edge arcs, MappingTask const& slots) {
  return affordable({slots.config.machine.kicks, 3, hash(slots.seed, Salt::exchange)}, arcs);
}

/// Tasks that get a PE each, what they send on the host, and mappings that their numbers suggest.
struct OnePerPe {
  MappingTask const& pes;
  MappingTask const& slots;  // the same, onto the slots of
  SlotMachine const& machine;
  std::vector<Weight> capacity;  // of every slot
  HostGraph traffic;
  std::vector<Block> in_order;           // the places of tasks in order; empty if there is no room
  std::vector<std::vector<Block>> grid;  // the places of tasks that form one

  /// Are mappings to begin with made of innermost groups, if these are large? Not those of the published presets.
  bool by_groups() const { return pes.topology.is_hierarchy() && pes.config.machine.task_annealing > 0; }
  Weight cost(std::vector<Block> const& place) const { return cost_of_places(traffic, machine.distance, place); }
};

/// A mapping to begin with, onto what `topology` and `room` say.
inline MappingTask start_in(MappingTask const& slots, Topology const& topology, PeCapacities const& room,
                            Config const& config, std::uint64_t seed) {
  return {.topology = topology,
          .capacities = room,
          .total_weight = slots.total_weight,
          .config = config,
          .seed = seed,
          .skew = {.of_arcs = slots.skew.of_arcs}};
}

/// A mapping onto innermost groups, and there onto PEs. Groups are all but full, which is seen to unless tasks are
/// annealed one by one afterwards: then it changes nothing (measured).
template <HostExecutor Exec>
std::vector<Block> places_in_groups(Exec& ex, CsrView graph, MappingTask const& pes, InnermostGroups const& groups) {
  auto const task = start_in(pes, groups.hierarchy, groups.capacities, pes.config, pes.seed);
  auto const onto_groups = [&](MappingTask const& of) {
    return of.given.pe ? map_onto_hierarchy(ex, graph, of) : best_on_hierarchy(ex, graph, of);
  };
  bool const is_annealed = pes.topology.num_pes() <= pes.config.machine.exchange_places;
  auto const group = is_annealed ? onto_groups(task) : map_tightly(ex, graph, task, onto_groups);
  auto place = download_labels(ex, group.data(), graph.num_vertices);
  place_within_groups(groups.size, pes.capacities, place);
  return place;
}

/// A mapping down to single tasks, of which refinement by moves has little to win.
template <HostExecutor Exec>
std::vector<Block> places_by_splits(Exec& ex, CsrView graph, MappingTask const& slots) {
  auto const config = one_per_pe_config(slots.config);
  auto const block = map_onto_hierarchy(ex, graph, with_config(slots, config, slots.fixed));
  return download_labels(ex, block.data(), graph.num_vertices);
}

/// The slots of one mapping, dealt out to PEs with room where it put too many tasks on one. Tasks all weigh 1.
template <HostExecutor Exec>
std::vector<Block> balanced_places(Exec& ex, CsrView graph, MappingTask const& slots, bool by_groups) {
  auto const groups = by_groups ? innermost_groups(slots.topology, slots.capacities) : std::nullopt;
  auto place = groups ? places_in_groups(ex, graph, slots, *groups) : places_by_splits(ex, graph, slots);
  deal_out_excess(machine_targets(slots).capacity, place);
  return place;
}

/// How often mappings to begin with start from clusters. Every other one never does: of stencils these cut as little,
/// but parts that divide less well. Where few arcs carry much of the traffic all always do: single vertices leave the
/// one they send most to behind.
inline std::array<Config, 2> configs_of_starts(Config const& config, bool heavy_arcs) {
  std::array<Config, 2> configs{config, config};
  if (!heavy_arcs)
    configs[0].initial.clustered_starts = 0;
  else if (config.initial.clustered_starts > 0)
    for (auto& each : configs) each.initial.clustered_starts = config.initial.starts;
  return configs;
}

/// Of tasks in order and several mappings of the slots the best one. With few tasks they take turns with where these
/// may go. The places of a grid come last: annealed, they might be left for worse ones.
template <HostExecutor Exec>
std::vector<Block> exchange_best_start(Exec& ex, CsrView graph, OnePerPe problem) {
  auto const& slots = problem.slots;
  auto const& config = slots.config.machine;
  auto const seed = slots.seed;
  auto const configs = configs_of_starts(slots.config, slots.skew.of_arcs);
  Block const k = slots.topology.num_pes();
  auto const traffic = with_empty_blocks(std::move(problem.traffic), k);
  Places const places{problem.machine.distance, problem.capacity, problem.machine.guide.sizes, host_team(ex)};
  BestPlaces best(traffic, places);
  auto const rooms = rooms_for(slots.capacities, slots.topology, graph.num_vertices);
  int const starts =
      std::max(static_cast<int>(rooms.size()), affordable(config.starts, std::max(graph.num_arcs, 32 * Edge{k}) * k));
  for (int start = 0; start < starts && !(start > 0 && ex.run().in_hurry()); ++start) {
    auto const start_seed = start == 0 ? seed : hash(seed, Salt::one_per_pe_start, static_cast<std::uint64_t>(start));
    auto const& start_config = configs[static_cast<std::size_t>(start) % configs.size()];
    auto const& room = rooms[static_cast<std::size_t>(start) % rooms.size()];
    auto const attempt = start_in(slots, slots.topology, room, start_config, start_seed);
    auto place = balanced_places(ex, graph, attempt, problem.by_groups());
    Phase phase(ex.run(), "exchange tasks");
    best.consider(std::move(place));
  }
  Phase phase(ex.run(), "exchange tasks");
  best.consider_if_better(problem.in_order);
  best.improve(task_annealing(k, slots), task_kicks(graph.num_arcs, slots));
  for (auto const& place : problem.grid) best.consider_if_better(place);
  return std::move(best).result();
}

/// The places of tasks with a place each, exchanged among themselves.
template <HostExecutor Exec>
std::vector<Block> exchange_among(Exec& ex, OnePerPe const& problem, std::vector<Block> const& place) {
  Phase phase(ex.run(), "exchange tasks");
  auto taken = place;
  std::ranges::sort(taken);
  std::vector<Block> start;
  for (Block const p : place) start.push_back(static_cast<Block>(std::ranges::lower_bound(taken, p) - taken.begin()));
  auto const n = static_cast<Block>(taken.size());
  auto const distance = problem.machine.distance.of(taken, host_team(ex));
  std::vector<Weight> const capacity(index(n), 1);
  std::vector<Block> const no_groups{n};
  BestPlaces best(problem.traffic, {distance, capacity, no_groups, host_team(ex)});
  best.consider(std::move(start));
  best.improve(task_annealing(n, problem.slots), task_kicks(problem.traffic.offsets.back(), problem.slots));
  auto result = std::move(best).result();
  for (Block& p : result) p = taken[static_cast<std::size_t>(p)];
  return result;
}

/// The places of too many tasks to compare all exchanges: groups of places are annealed, then single tasks.
template <HostExecutor Exec>
std::vector<Block> anneal_many(Exec& ex, OnePerPe const& problem, std::vector<Block> place) {
  Phase phase(ex.run(), "exchange tasks");
  auto const n = place.size();
  auto const all = problem.slots.topology.num_pes();
  auto const [count, sizes] = first_places(problem.machine.guide.sizes, std::ranges::max(place) + 1, all);
  std::vector<Block> first(index(count));
  std::iota(first.begin(), first.end(), 0);
  auto const distance = problem.machine.distance.of(first, host_team(ex));
  auto capacity = problem.capacity;
  capacity.resize(index(count));
  place = with_idle_places(std::move(place), capacity);
  auto const traffic = with_empty_blocks(problem.traffic, static_cast<Block>(place.size()));
  Places const places{distance, capacity, sizes, host_team(ex)};
  auto annealing = task_annealing(count, problem.slots);
  annealing.most_arcs = arcs_to_anneal(distance);
  anneal_groups(traffic, places, annealing, place);
  anneal_places(traffic, places, annealing, place);
  place.resize(n);
  return place;
}

/// The places with the lowest cost, the first ones if these are as good as all; none are empty `others`.
inline std::vector<Block> best_of(OnePerPe const& problem, std::vector<Block> place,
                                  std::vector<std::vector<Block>> const& others) {
  for (auto const& other : others)
    if (!other.empty() && problem.cost(other) < problem.cost(place)) place = other;
  return place;
}

/// The places of few tasks or many on a machine with too many PEs to compare: as few of them as there are tasks.
template <HostExecutor Exec>
std::vector<Block> closest_places(Exec& ex, CsrView graph, OnePerPe const& problem) {
  auto const& slots = problem.slots;
  auto const rooms = rooms_for(slots.capacities, slots.topology, graph.num_vertices);
  auto const& room = rooms[std::min<std::size_t>(1, rooms.size() - 1)];
  auto const attempt = start_in(slots, slots.topology, room, slots.config, slots.seed);
  auto place = balanced_places(ex, graph, attempt, problem.by_groups());
  std::vector<std::vector<Block>> others;
  if (problem.by_groups() && is_skewed(shape_of(ex, graph)))
    others.push_back(balanced_places(ex, graph, attempt, false));
  others.push_back(problem.in_order);
  place = best_of(problem, std::move(place), others);
  if (graph.num_vertices <= slots.config.machine.exchange_places) return exchange_among(ex, problem, place);
  if (problem.pes.topology.is_hierarchy()) return place;  // splits leave next to nothing to do (measured)
  return anneal_many(ex, problem, std::move(place));
}

/// Tasks in order or on a grid, if no mapping can cost less; else nothing.
inline std::vector<Block> places_at_least_cost(OnePerPe const& problem) {
  Weight const least = least_cost_of_places(problem.traffic, problem.pes.topology);
  auto const costs_least = [&](std::vector<Block> const& place) { return problem.cost(place) <= least; };
  if (!problem.in_order.empty() && costs_least(problem.in_order)) return problem.in_order;
  auto const found = std::ranges::find_if(problem.grid, costs_least);
  return found == problem.grid.end() ? std::vector<Block>{} : *found;
}

/// The places of tasks that get one each.
template <HostExecutor Exec>
std::vector<Block> places_of_tasks(Exec& ex, CsrView graph, OnePerPe problem) {
  if (auto place = places_at_least_cost(problem); !place.empty()) return place;
  if (problem.machine.distance.in_table()) return exchange_best_start(ex, graph, std::move(problem));
  return best_of(problem, closest_places(ex, graph, problem), problem.grid);
}

/// One task per PE (rank reordering). Every PE gets at most one task, whatever the graph looks like.
template <HostExecutor Exec>
Buffer<Exec, Block> map_one_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const machine = make_slot_machine(ex, task.topology, task.config.machine);
  auto config = task.config;
  if (task.topology.is_hierarchy()) config.machine.task_annealing /= 4;  // splits leave little to do (measured)
  auto const& pe_of_slot = machine.guide.pe_of_slot;
  auto const capacities = task.capacities.reordered(pe_of_slot);
  auto const slots = start_in(task, machine.hierarchy, capacities, config, task.seed);
  auto const capacity = machine_targets(slots).capacity;
  auto grid = boxes_on_slots(ex, graph, task, slots, machine);
  for (auto& place : grid) deal_out_excess(capacity, place);
  auto in_order = places_in_order(graph.num_vertices, capacity, pe_of_slot);
  auto const place = places_of_tasks(
      ex, graph, {task, slots, machine, capacity, download_graph(ex, graph), std::move(in_order), std::move(grid)});
  auto block = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  ex.upload(place.data(), graph.num_vertices, block.data());
  rename_blocks(ex, pe_of_slot, graph.num_vertices, block.data());
  return block;
}

/// May no PE hold two tasks?
template <HostExecutor Exec>
bool is_one_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  if (!task.several.empty() || task.fixed || task.given.pe || graph.num_vertices < 2) return false;
  Block const pes_to_ask = task.capacities.alike() ? 1 : task.capacities.num_pes();
  for (Block pe = 0; pe < pes_to_ask; ++pe)
    if (task.capacities.of(pe) > 1) return false;
  return has_unit_weights(ex, graph);
}

}  // namespace procmap
