// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "graph/host_graph.hpp"
#include "objective/hierarchy_distance.hpp"
#include "objective/pairwise.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

/// Copies an array to the host; a null one stays null. The copy lives in `kept`.
template <HostExecutor Exec, class T>
T const* fetch(Exec& ex, T const* from, Edge n, std::vector<T>& kept) {
  if (!from) return nullptr;
  kept.resize(static_cast<std::size_t>(n));
  ex.download(from, n, kept.data());
  return kept.data();
}

/// What objectives read beside themselves, in host memory.
struct HostTables {
  std::vector<std::uint32_t> code;
  std::vector<Vertex> group_key;
  std::vector<Block> coordinate, node;
  std::vector<std::int32_t> entries;
};

/// An objective without tables is the same everywhere.
template <HostExecutor Exec, class Objective>
Objective on_host(Exec&, Objective objective, HostTables&) {
  return objective;
}

template <HostExecutor Exec>
HierarchyDistance on_host(Exec& ex, HierarchyDistance objective, HostTables& tables) {
  Edge const keys = Edge{objective.num_blocks} * (objective.num_levels - 1);
  objective.code = fetch(ex, objective.code, objective.num_blocks, tables.code);
  objective.group_key = fetch(ex, objective.group_key, keys, tables.group_key);
  return objective;
}

template <HostExecutor Exec>
PairwiseDistance on_host(Exec& ex, PairwiseDistance objective, HostTables& tables) {
  auto& [nodes, node, entries] = objective.matrix;
  Edge const coordinates = Edge{objective.num_blocks} * objective.grid.num_dimensions;
  objective.grid.coordinate = fetch(ex, objective.grid.coordinate, coordinates, tables.coordinate);
  node = fetch(ex, node, objective.num_blocks, tables.node);
  entries = fetch(ex, entries, nodes * nodes, tables.entries);
  return objective;
}

/// A refinement problem whose arrays lie elsewhere, copied to the host.
template <class Objective>
struct HostProblem {
  HostGraph graph;
  std::vector<Weight> capacity, share, limits, pull;
  std::vector<Block> fixed, home;
  HostTables tables;
  RefinementProblem<Objective> view;
};

template <HostExecutor Exec, class Objective>
HostProblem<Objective> download_problem(Exec& ex, RefinementProblem<Objective> const& problem) {
  auto const& [graph, objective, blocks, anchors, copies] = problem;
  HostProblem<Objective> host{download_graph(ex, graph), {}, {}, {}, {}, {}, {}, {}, problem};
  host.view.graph = host.graph.view();
  host.view.objective = on_host(ex, objective, host.tables);
  host.view.blocks.capacity = fetch(ex, blocks.capacity, blocks.num_blocks, host.capacity);
  host.view.blocks.share = fetch(ex, blocks.share, blocks.num_blocks, host.share);
  host.view.blocks.limits = fetch(ex, blocks.limits, Edge{blocks.num_blocks} * graph.num_loads, host.limits);
  host.view.anchors.fixed = fetch(ex, anchors.fixed, graph.num_vertices, host.fixed);
  host.view.anchors.home = fetch(ex, anchors.home, graph.num_vertices, host.home);
  host.view.anchors.pull = fetch(ex, anchors.pull, graph.num_vertices, host.pull);
  return host;
}

}  // namespace procmap
