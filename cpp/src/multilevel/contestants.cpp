// SPDX-License-Identifier: MIT
#include "multilevel/contestants.hpp"

#include <algorithm>

#include "core/pe_capacities.hpp"
#include "core/populations.hpp"
#include "multilevel/split_steps.hpp"
#include "multilevel/task.hpp"

namespace procmap {
namespace {

/// A sparse graph around a hub, such as the matrix of an optimisation problem: its blocks are many small parts that
/// meet at the hub alone, so that cuts of single levels say little about J.
bool hangs_on_hub(GraphShape const& shape) {
  constexpr Edge sparse = 6;   // arcs per vertex
  constexpr Edge reached = 8;  // one of so many vertices is next to the hub
  return shape.num_arcs < sparse * shape.num_vertices && shape.max_degree * reached > shape.num_vertices;
}

Config for_few_vertices(Config config, GraphShape const& shape, Topology const& topology) {
  if (!splits_graph_itself(config.multisection, shape.num_vertices, shape.num_arcs)) {
    // As many starts as the members of a population would have had.
    if (is_even(topology)) config.multisection.tournament_even *= config.multisection.population_even;
    without_populations(config.multisection);
  }
  config.multisection.final_rounds = std::max(config.multisection.final_rounds, config.refinement.rounds);
  // A second V-cycle of a partition brings 0.15 % for 7 % more time (measured); of large graphs it takes 23 %.
  if (config.multisection.v_cycles > 0) ++config.multisection.v_cycles;
  return config;
}

/// What belongs on a large PE is the core of such a graph. If all blocks are made at once, coarse levels mix it with
/// the rest, and refinement of the finest one finds all others full.
bool has_core_and_large_pe(MappingTask const& task, GraphShape const& shape) {
  constexpr Edge core_degree = 8;  // over the average
  return task.capacities.differ_much() && shape.max_degree * shape.num_vertices > core_degree * shape.num_arcs;
}

}  // namespace

bool is_skewed(GraphShape const& shape) {
  constexpr Edge skew = 64;  // largest degree over the average
  return shape.max_degree * shape.num_vertices > skew * shape.num_arcs;
}

std::vector<Config> contestants(Config const& config, GraphShape const& shape, Topology const& topology) {
  auto const& multisection = config.multisection;
  if (config.method == Method::integrated) return {config};
  Edge const enough = is_partitioning(topology) ? multisection.few_vertices_per_part : multisection.few_vertices;
  bool const few = shape.num_vertices < enough * topology.num_pes();
  bool const rather_few = shape.num_vertices < 2 * enough * topology.num_pes();
  bool const hub = enough > 0 && (hangs_on_hub(shape) || (rather_few && is_skewed(shape)));
  std::vector<Config> all{few ? for_few_vertices(config, shape, topology) : config};
  if (few || hub) all.push_back(Config::preset("fast"));
  if (multisection.contains_default)
    for (auto const& other : contestants(Config::preset("default"), shape, topology)) all.push_back(other);
  return all;
}

std::vector<Config> contestants(MappingTask const& task, GraphShape const& shape) {
  auto all = contestants(task.config, shape, task.topology);
  if (task.config.method != Method::integrated || !has_core_and_large_pe(task, shape)) return all;
  auto fewer = task.config;
  auto& most = fewer.multisection.max_parts;
  most = std::min(most, fewer.multisection.max_uneven_parts);
  auto const steps = [&](Config const& config) {
    return split_steps(task.topology, config.multisection.max_parts).size();
  };
  if (steps(fewer) > steps(task.config)) all.push_back(fewer);
  return all;
}

}  // namespace procmap
