// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "graph/host_graph.hpp"
#include "multilevel/methods/host_anchors.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "multilevel/targets.hpp"
#include "multilevel/task.hpp"
#include "refinement/places/annealing.hpp"
#include "refinement/places/annealing_end.hpp"
#include "refinement/places/best_places.hpp"

namespace procmap {

/// Fixed tasks or a given mapping, and no more tasks than PEs: refinement, which is all that has gone before, has found
/// next to nothing, as hardly a single move fits.
inline bool is_held_one_each(MappingTask const& task, Vertex n) {
  return (task.fixed || task.given.pe) && n <= task.topology.num_pes();
}

// Per task, times `task_annealing` (measured).
constexpr Edge tries_if_hot = 32;
constexpr Edge tries_if_cool = 8;

/// Where exchanges begin that have not been tried, and none that must help follows.
inline std::vector<double> hot_and_cold() {
  constexpr double cold = 0.01;  // where the one before ends
  return {Annealing{}.hottest, cold};
}

/// How hot each annealing begins, one after the other. Tasks that differ in weight may stand where they fitted, and not
/// where traffic wants them: what refinement has found is worth less then.
template <HostExecutor Exec>
std::vector<double> temperatures(Exec& ex, CsrView graph, MappingTask const& task) {
  constexpr double cool = 0.04;                        // refinement has gone before (measured)
  constexpr double hot_if_packed = 0.8, ending = 0.03;  // one after the other (measured)
  if (is_held_one_each(task, graph.num_vertices)) return hot_and_cold();
  bool const keeps_refined = task.given.pe || !task.several.empty() || has_unit_weights(ex, graph);
  return keeps_refined ? std::vector<double>{cool} : std::vector<double>{cool, hot_if_packed, ending};
}

/// May single tasks go to other PEs, and not only change places? Not if all PEs are full up, or as many as there are
/// tasks.
inline bool has_spare_room(MappingTask const& task, Vertex n) {
  auto const& pes = task.capacities;
  Block const k = pes.num_pes();
  return n > pes.usable(0, k) && pes.room(0, k) > task.total_weight;
}

/// How tasks are annealed.
struct TaskAnnealing {
  std::int64_t proposals = 0;
  std::vector<double> temperatures;  // how hot each annealing begins, one after the other
  bool moves = true;                 // PEs need not keep as many tasks as they have
};

/// With few tasks per PE blocks are too coarse a thing to exchange, and where tasks differ in weight no single move may
/// be left that fits: single tasks are annealed. `distance` is that of the PEs of `task`.
/// Returns whether J, with migration, fell.
template <HostExecutor Exec>
bool anneal_tasks(Exec& ex, CsrView graph, MappingTask const& task, PlaceDistances const& distance,
                  TaskAnnealing const& how, Block* block) {
  if (task.config.machine.task_annealing == 0) return false;
  Phase phase(ex.run(), "anneal tasks");
  auto const n = graph.num_vertices;
  auto const targets = machine_targets(task);
  auto place = with_idle_places(download_labels(ex, block, n), targets.capacity);
  constexpr int spare = 2;  // seats of every PE (measured)
  bool const moves = how.moves && has_spare_room(task, n);
  if (moves) place = with_spare_seats(std::move(place), targets.capacity, spare);
  auto const blocks = static_cast<Block>(place.size());
  auto const traffic = with_empty_blocks(download_graph(ex, graph), blocks);
  auto anchors = download_anchors(ex, task, n);
  anchors.cover(blocks);
  std::vector<Block> const no_groups{task.topology.num_pes()};
  Places const places{distance, targets.capacity, no_groups, host_team(ex), targets.limits, anchors.view()};
  bool better = false;
  for (double const hottest : how.temperatures) {
    Annealing annealing{how.proposals, hash(task.seed, Salt::annealing), hottest};
    annealing.tasks = moves ? n : 0;
    better = anneal_places(traffic, places, annealing, place) || better;
  }
  if (better) ex.upload(place.data(), n, block);
  return better;
}

template <HostExecutor Exec>
PlaceDistances distances_of_pes(Exec& ex, MappingTask const& task) {
  auto const& topology = task.topology;
  return {topology, as_numbered(topology.num_pes()).pe_of_slot, task.config.machine.exchange_places, host_team(ex)};
}

/// The same on a hierarchy, for less time than on other machines, and for fewer tasks per PE if they have one weight:
/// its splits leave less to do. Blocks of several weights are full in one of them, and few single moves fit (measured).
template <HostExecutor Exec>
bool anneal_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  constexpr Edge share = 4;  // of what other machines have
  Edge const fewer = task.several.empty() ? share : 1;
  auto const& config = task.config.machine;
  auto const n = Edge{graph.num_vertices}, k = Edge{task.topology.num_pes()};
  Edge const tries = is_held_one_each(task, graph.num_vertices) ? tries_if_hot : tries_if_cool;
  if (config.task_annealing == 0 || n * fewer > k * config.few_tasks || k > config.exchange_places) return false;
  return anneal_tasks(ex, graph, task, distances_of_pes(ex, task),
                      {n * config.task_annealing * tries, temperatures(ex, graph, task)}, block);
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

/// The same after so many of the tasks have been moved to PEs without any. If these are few, heat costs what refinement
/// has found: of many tasks time is up before that is found again, and on a flat machine nothing better is (measured).
inline std::vector<double> temperatures_if_moved(MappingTask const& task, Edge moved, Edge tasks, Edge proposals) {
  constexpr Edge moved_share = 16;
  bool const is_flat = is_partitioning(task.topology) && task.several.empty();
  bool const keep_cold = (is_flat || proposals >= many_proposals) && moved * moved_share < tasks;
  return keep_cold ? std::vector<double>{hot_and_cold().back()} : hot_and_cold();
}

/// Tasks that have just been moved to PEs without any, wherever these were, look for their places. With several per PE
/// all PEs keep as many as they have: where one holds most tasks, heat would spread these over the machine (measured).
template <HostExecutor Exec>
bool anneal_filled(Exec& ex, CsrView graph, MappingTask const& task, Edge moved, Block* block) {
  auto const& config = task.config.machine;
  auto const n = Edge{graph.num_vertices}, k = Edge{task.topology.num_pes()};
  constexpr Edge few = 4;  // per PE
  bool const too_many = n > k * config.few_tasks || (task.topology.is_hierarchy() && k > config.exchange_places);
  if (config.task_annealing == 0 || too_many) return false;
  Edge const each_task = n * config.task_annealing;
  auto const how_hot = temperatures_if_moved(task, moved, n, each_task * tries_if_hot);
  Edge const tries = how_hot.size() > 1 ? tries_if_hot : tries_if_cool;
  return anneal_tasks(ex, graph, task, distances_of_pes(ex, task), {each_task * tries, how_hot, n <= k * few}, block);
}

}  // namespace procmap
