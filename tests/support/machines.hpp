// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "procmap/topology.hpp"

namespace procmap::test {

struct Machine {
  std::string name;
  Topology topology;
};

/// Machines of every kind: flat ones, levels of size 1, sizes that are no powers of two, all eight levels, distances
/// that are 0 or do not grow.
inline std::vector<Machine> all_machines() {
  std::vector<Machine> machines;
  for (auto const& [sizes, distances] : std::vector<std::pair<std::string, std::string>>{
           {"1", "1"},
           {"2", "1"},
           {"7", "3"},
           {"32", "1"},
           {"2:3", "1:10"},
           {"4:2:3", "1:10:100"},
           {"3:5:2", "0:7:7"},
           {"1:4:1:3", "1:2:50:51"},
           {"1:1:1", "1:2:3"},
           {"5:1", "4:9"},
           {"2:2:2:2:2:1:1:2", "1:2:3:5:8:13:21:34"},
           {"1:3:1:2:1:2:1:3", "0:0:1:1:2:6:24:120"},
       })
    machines.push_back({sizes + " / " + distances, Topology::hierarchy(sizes, distances)});
  return machines;
}

/// Machines that are no hierarchies: grids of one to many dimensions, tables with one and several PEs per node, parts.
inline std::vector<Machine> other_machines() {
  auto const torus = Topology::torus({4, 3, 5}, {1, 10, 3});
  auto const dragonfly = Topology::dragonfly(4, 3, 2);
  std::vector<Weight> matrix(11 * 11, 0);
  for (std::size_t a = 0; a < 11; ++a)
    for (std::size_t b = 0; b < a; ++b)
      matrix[a * 11 + b] = matrix[b * 11 + a] = 1 + static_cast<Weight>(hash(1, a, b) % 20);
  return {
      {"ring", Topology::torus({7})},
      {"torus", torus},
      {"mesh", Topology::mesh({4, 6})},
      {"hypercube", Topology::hypercube(5)},
      {"dragonfly", dragonfly},
      {"matrix", Topology::from_distance_matrix(matrix, 11)},
      {"part of a torus", torus.sub(std::vector<Block>{59, 3, 17, 4, 21, 0, 30})},
      {"part of a dragonfly", dragonfly.sub(std::vector<Block>{23, 1, 8, 0, 9, 13})},
      {"part of a hierarchy", Topology::hierarchy("3:4:2", "1:10:100").sub(std::vector<Block>{0, 1, 20, 12, 5})},
  };
}

/// A renaming of the PEs that keeps all distances: below every node of the machine the subtrees are rotated, and
/// mirrored or not, as hash(seed, level, node) says.
inline std::vector<Block> random_automorphism(Topology const& machine, std::uint64_t seed) {
  std::vector<Block> renamed(static_cast<std::size_t>(machine.num_pes()), 0);
  for (Block pe = 0; pe < machine.num_pes(); ++pe) {
    Block group = 1, name = 0;
    for (int level = 0; level < machine.num_levels(); ++level) {
      auto const size = machine.sizes()[static_cast<std::size_t>(level)];
      auto const node = static_cast<std::uint64_t>(pe / group / size);
      auto const choice = hash(seed, static_cast<std::uint64_t>(level), node);
      auto const digit = pe / group % size;
      auto const mirrored = choice % 2 == 0 ? digit : size - 1 - digit;
      name += (mirrored + static_cast<Block>(choice / 2 % 1000)) % size * group;
      group *= size;
    }
    renamed[static_cast<std::size_t>(pe)] = name;
  }
  return renamed;
}

}  // namespace procmap::test
