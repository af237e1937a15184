// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "c_api/handles.hpp"
#include "c_api/topology_text.hpp"

namespace procmap::capi {
namespace {

/// `count` values of an array that must be there; TopologyError if there are too few or too many.
template <class To, class From>
std::vector<To> values_of(From const* values, int count, int most, char const* name) {
  if (count < 1 || count > most)
    throw TopologyError("a machine has 1 to " + std::to_string(most) + " " + name + ", not " + std::to_string(count));
  required(values, name);
  return {values, values + count};
}

std::vector<Block> grid_sizes(int num_dimensions, int32_t const* sizes) {
  return values_of<Block>(sizes, num_dimensions, Topology::max_dimensions, "sizes");
}

std::vector<Weight> grid_costs(int num_dimensions, int64_t const* costs) {
  return costs ? values_of<Weight>(costs, num_dimensions, Topology::max_dimensions, "costs") : std::vector<Weight>();
}

}  // namespace
}  // namespace procmap::capi

using namespace procmap::capi;
using procmap::Topology;

procmap_status procmap_topology_hierarchy(int num_levels, int32_t const* sizes, int64_t const* distances,
                                          procmap_topology** topology) {
  return create(topology, "topology", [&] {
    return Topology::hierarchy(values_of<procmap::Block>(sizes, num_levels, Topology::max_levels, "sizes"),
                               values_of<procmap::Weight>(distances, num_levels, Topology::max_levels, "distances"));
  });
}

procmap_status procmap_topology_flat(int32_t num_pes, procmap_topology** topology) {
  return create(topology, "topology", [&] { return Topology::flat(num_pes); });
}

procmap_status procmap_topology_torus(int num_dimensions, int32_t const* sizes, int64_t const* costs,
                                      procmap_topology** topology) {
  return create(topology, "topology",
                [&] { return Topology::torus(grid_sizes(num_dimensions, sizes), grid_costs(num_dimensions, costs)); });
}

procmap_status procmap_topology_mesh(int num_dimensions, int32_t const* sizes, int64_t const* costs,
                                     procmap_topology** topology) {
  return create(topology, "topology",
                [&] { return Topology::mesh(grid_sizes(num_dimensions, sizes), grid_costs(num_dimensions, costs)); });
}

procmap_status procmap_topology_matrix(int32_t num_pes, int64_t const* distances, procmap_topology** topology) {
  return create(topology, "topology", [&] {
    if (num_pes < 1 || num_pes > Topology::max_nodes)
      throw procmap::TopologyError("num_pes = " + std::to_string(num_pes) + " is not in [1, " +
                                   std::to_string(Topology::max_nodes) + "]");
    auto const entries = static_cast<std::size_t>(num_pes) * static_cast<std::size_t>(num_pes);
    return Topology::from_distance_matrix(std::span(&required(distances, "distances"), entries), num_pes);
  });
}

procmap_status procmap_topology_parse(char const* text, procmap_topology** topology) {
  return create(topology, "topology", [&] { return topology_from_text(&required(text, "text")); });
}

void procmap_topology_free(procmap_topology* topology) { delete topology; }

int32_t procmap_topology_num_pes(procmap_topology const* topology) {
  return topology ? topology->topology.num_pes() : 0;
}

procmap_status procmap_topology_distance(procmap_topology const* topology, int32_t a, int32_t b, int64_t* distance) {
  return guarded([&] {
    auto const found = required(topology, "topology").topology.distance(a, b);
    required(distance, "distance") = found;
  });
}
