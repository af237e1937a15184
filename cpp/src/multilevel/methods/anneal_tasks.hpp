// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/hash.hpp"
#include "graph/host_graph.hpp"
#include "multilevel/targets.hpp"
#include "multilevel/task.hpp"
#include "refinement/places/annealing.hpp"

namespace procmap {

/// With few tasks per PE blocks are too coarse a thing to exchange, and where tasks differ in weight no single move may
/// be left that fits: single tasks are annealed. `distance` has the PEs of `task`, row by row. Returns whether J fell.
template <HostExecutor Exec>
bool anneal_tasks(Exec& ex, CsrView graph, MappingTask const& task, std::vector<Weight> const& distance,
                  std::int64_t proposals, Block* block) {
  if (task.fixed || !task.several.empty() || distance.empty()) return false;
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

}  // namespace procmap
