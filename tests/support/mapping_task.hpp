// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "multilevel/methods/hierarchy.hpp"
#include "procmap/procmap.hpp"
#include "support/refinement.hpp"
#include "support/traced.hpp"

// What multisection and integrated mapping work on.

namespace procmap::test {

/// Owns what a MappingTask refers to.
class MappingJob {
 public:
  MappingJob(Graph graph_to_map, Topology machine_to_use, std::string_view preset, double imbalance, std::uint64_t seed)
      : graph(std::move(graph_to_map)),
        topology(std::move(machine_to_use)),
        config(Config::preset(preset)),
        capacity(block_capacity(graph.total_vertex_weight(), topology.num_pes(), imbalance)),
        pes(topology.num_pes(), capacity),
        seed_(seed) {}

  MappingTask task() const { return {topology, pes, graph.total_vertex_weight(), config, seed_, nullptr, {}}; }

  Graph graph;
  Topology topology;
  Config config;
  Weight capacity;
  PeCapacities pes;

 private:
  std::uint64_t seed_;
};

/// A path of 12,000 vertices, for what depends on preset and machine alone.
inline MappingJob path_job(std::string_view preset, std::string_view sizes = "4:8:6",
                           std::string_view distances = "1:10:100") {
  return {path(12'000), Topology::hierarchy(sizes, distances), preset, 0.03, 1};
}

/// f(shape, name of the shape with the seed) for all shapes whose vertices weigh 1.
template <class F>
void for_each_unit_shape(std::uint64_t seed, F f, std::source_location where = std::source_location::current()) {
  for (auto const& [name, graph] : all_shapes(seed, where))
    if (graph.vertex_weights().empty()) f(graph, name + ", seed " + std::to_string(seed));
}

inline Traced<Topology> small_machines(std::source_location where = std::source_location::current()) {
  std::vector<Topology> machines;
  machines.push_back(Topology::flat(1));
  machines.push_back(Topology::flat(7));
  machines.push_back(Topology::hierarchy("2:2", "1:10"));
  machines.push_back(Topology::hierarchy("1:3:1:2", "1:2:2:7"));
  machines.push_back(Topology::hierarchy("4:2:3", "1:10:100"));
  return {std::move(machines), [](Topology const& machine) { return machine.describe(); }, where};
}

}  // namespace procmap::test
