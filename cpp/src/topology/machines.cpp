// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>

#include "procmap/error.hpp"
#include "procmap/topology.hpp"

namespace procmap {
namespace {

void check_count(std::string const& what, Block count) {
  if (count < 1) throw TopologyError(what + " = " + std::to_string(count) + " is smaller than 1");
}

/// Router of group `group` that holds the link to group `other`.
Block gateway(Block group, Block other, Block groups, Block routers) {
  Block const port = other < group ? other : other - 1;
  return static_cast<Block>(std::int64_t{port} * routers / (groups - 1));
}

/// Cost of the links between two different routers.
Weight route(Block x, Block y, Block groups, Block routers, Topology::DragonflyCosts const& costs) {
  Block const from = x / routers, to = y / routers;
  if (from == to) return costs.local;
  Weight cost = costs.global;
  if (x % routers != gateway(from, to, groups, routers)) cost += costs.local;
  if (y % routers != gateway(to, from, groups, routers)) cost += costs.local;
  return cost;
}

void check_dragonfly(Block groups, Block routers, Block pes, Topology::DragonflyCosts const& costs) {
  check_count("groups", groups);
  check_count("routers", routers);
  check_count("pes", pes);
  if (std::int64_t{groups} * routers > Topology::max_nodes)
    throw TopologyError("dragonfly of " + std::to_string(groups) + " groups of " + std::to_string(routers) +
                        " routers: more than " + std::to_string(Topology::max_nodes) + " routers");
  if (std::int64_t{groups} * routers * pes > Topology::max_pes)
    throw TopologyError("dragonfly of " + std::to_string(groups) + " groups of " + std::to_string(routers) +
                        " routers of " + std::to_string(pes) + " PEs: more than " + std::to_string(Topology::max_pes) +
                        " PEs");
  constexpr Weight largest = std::numeric_limits<std::int32_t>::max() / 5;  // a route has five links
  for (auto const& [name, cost] :
       {std::pair{"terminal", costs.terminal}, {"local", costs.local}, {"global", costs.global}})
    if (cost < 0 || cost > largest)
      throw TopologyError(std::string("the cost of a ") + name + " link = " + std::to_string(cost) + " is not in [0, " +
                          std::to_string(largest) + "]");
}

}  // namespace

Topology Topology::fat_tree(Block ports, Block pes_per_host) {
  check_count("pes_per_host", pes_per_host);
  if (ports < 2 || ports % 2 != 0)
    throw TopologyError("ports = " + std::to_string(ports) + " is not an even number of at least 2");
  std::vector<Block> sizes{ports / 2, ports / 2, ports};
  std::vector<Weight> distances{2, 4, 6};
  if (pes_per_host > 1) {
    sizes.insert(sizes.begin(), pes_per_host);
    distances.insert(distances.begin(), 1);
  }
  return hierarchy(std::move(sizes), std::move(distances));
}

Topology Topology::dragonfly(Block groups, Block routers, Block pes, DragonflyCosts costs) {
  check_dragonfly(groups, routers, pes, costs);
  DistanceTable table;
  table.num_nodes = groups * routers;
  table.groups = {pes, routers, groups};
  auto const num_pes = static_cast<std::size_t>(table.num_nodes) * static_cast<std::size_t>(pes);
  table.node_of_pe.reserve(num_pes);
  for (std::size_t p = 0; p < num_pes; ++p) table.node_of_pe.push_back(static_cast<Block>(p) / pes);
  table.distances.reserve(static_cast<std::size_t>(table.num_nodes) * static_cast<std::size_t>(table.num_nodes));
  for (Block x = 0; x < table.num_nodes; ++x)
    for (Block y = 0; y < table.num_nodes; ++y) {
      Weight const between = x == y ? 0 : route(x, y, groups, routers, costs);
      table.distances.push_back(static_cast<std::int32_t>(2 * costs.terminal + between));
    }
  auto description = std::to_string(num_pes) + (num_pes == 1 ? " PE" : " PEs") + " in a dragonfly of " +
                     std::to_string(groups) + " groups of " + std::to_string(routers) + " routers of " +
                     std::to_string(pes) + (pes == 1 ? " PE" : " PEs") + "; link costs: terminal " +
                     std::to_string(costs.terminal) + ", local " + std::to_string(costs.local) + ", global " +
                     std::to_string(costs.global);
  return {std::move(table), std::move(description)};
}

}  // namespace procmap
