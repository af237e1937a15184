// SPDX-License-Identifier: MIT
#pragma once

#include <numeric>
#include <vector>

#include "coarsening/contraction.hpp"
#include "core/index.hpp"
#include "graph/host_graph.hpp"
#include "multilevel/methods/host_anchors.hpp"
#include "multilevel/targets.hpp"
#include "multilevel/task.hpp"
#include "objective/cost.hpp"
#include "refinement/places/best_places.hpp"

namespace procmap {

/// Is looking at all pairs of PEs little beside looking at the graph? Places of several weights hold different things.
inline bool may_exchange_given(CsrView graph, MappingTask const& task) {
  constexpr Edge per_item = 16;
  auto const& config = task.config.machine;
  auto const k = Edge{task.topology.num_pes()};
  bool const alike = task.several.empty() || task.capacities.alike();
  return config.task_annealing > 0 && alike && !is_partitioning(task.topology) && k <= config.exchange_places &&
         k * k <= per_item * (graph.num_vertices + graph.num_arcs);
}

/// J and migration.
template <HostExecutor Exec, class Objective>
Weight cost_with_homes(Exec& ex, CsrView graph, Objective const& objective, AnchorsView anchors, Block const* block) {
  Weight const moved =
      ex.sum(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) { return anchors.cost(static_cast<Vertex>(v), block[v]); });
  return total_cost(ex, graph, objective, block) + moved;
}

/// Whole blocks of a given mapping change places. A partition that somebody else made has its blocks in any order, and
/// no refinement of vertices gets them out of it. Taken back if migration costs more than J falls by. Returns whether
/// blocks have changed places.
template <HostExecutor Exec, class Objective>
bool exchange_given(Exec& ex, CsrView graph, MappingTask const& task, Objective const& objective, AnchorsView anchors,
                    PlaceDistances const& distance, std::vector<Block> const& groups, Block* block) {
  Phase phase(ex.run(), "exchange blocks");
  auto const n = graph.num_vertices;
  auto const capacity = machine_targets(task).capacity;
  auto const traffic = download_graph(ex, contract(ex, graph, task.topology.num_pes(), block).view());
  auto const held = anchors_of_blocks(ex, task, n);
  std::vector<Block> place(capacity.size());
  std::iota(place.begin(), place.end(), 0);
  if (!exchange_places(traffic, {distance, capacity, groups, host_team(ex), {}, held.view()}, {}, place)) return false;
  auto before = ex.template buffer<Block>(index(n));
  ex.copy(block, n, before.data());
  rename_blocks(ex, place, n, block);
  auto const cost = [&](Block const* of) { return cost_with_homes(ex, graph, objective, anchors, of); };
  if (cost(block) < cost(before.data())) return true;
  ex.copy(before.data(), n, block);
  return false;
}

}  // namespace procmap
