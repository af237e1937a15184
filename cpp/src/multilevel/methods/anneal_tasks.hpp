// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/hash.hpp"
#include "graph/host_graph.hpp"
#include "multilevel/methods/refine_on_machine.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "multilevel/targets.hpp"
#include "multilevel/task.hpp"
#include "refinement/places/annealing.hpp"

namespace procmap {

/// Whether tasks may change places: of each there is one weight, and none has to stay.
inline bool may_anneal(MappingTask const& task) {
  return task.config.machine.task_annealing > 0 && !task.fixed && task.several.empty();
}

/// With few tasks per PE blocks are too coarse a thing to exchange, and where tasks differ in weight no single move may
/// be left that fits: single tasks are annealed. `distance` has the PEs of `task`, row by row. Returns whether J fell.
template <HostExecutor Exec>
bool anneal_tasks(Exec& ex, CsrView graph, MappingTask const& task, std::vector<Weight> const& distance,
                  std::int64_t proposals, Block* block) {
  if (!may_anneal(task) || distance.empty()) return false;
  Phase phase(ex.run(), "anneal tasks");
  std::vector<Block> place(static_cast<std::size_t>(graph.num_vertices));
  ex.download(block, graph.num_vertices, place.data());
  auto const capacity = machine_targets(task).capacity;
  std::vector<Block> const no_groups{task.topology.num_pes()};
  constexpr double cool = 0.04;  // refinement has gone before (measured)
  Annealing const annealing{proposals, hash(task.seed, Salt::annealing), cool};
  if (!anneal_places(download_graph(ex, graph), {distance, capacity, no_groups, host_team(ex)}, annealing, place))
    return false;
  ex.upload(place.data(), graph.num_vertices, block);
  return true;
}

/// The same on a hierarchy, for fewer tasks per PE than on other machines and for less time, as its splits leave less
/// to do (measured).
template <HostExecutor Exec>
void anneal_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  constexpr Edge share = 4, proposals = 8;  // of what other machines have; per task
  auto const& config = task.config.machine;
  auto const n = Edge{graph.num_vertices}, k = Edge{task.topology.num_pes()};
  if (!may_anneal(task) || n * share > k * config.few_tasks || k > config.exchange_places) return;
  std::vector<Block> pes(static_cast<std::size_t>(k));
  std::iota(pes.begin(), pes.end(), 0);
  auto const distance = place_distances(ex, task.topology, pes);
  if (anneal_tasks(ex, graph, task, distance, n * config.task_annealing * proposals, block))
    settle_on_machine(ex, graph, task, block);
}

}  // namespace procmap
