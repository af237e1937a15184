// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/topology.hpp"

namespace procmap {

/// A level of a hierarchy or a dimension of a grid: one digit of the number of a PE.
struct MachineDigit {
  Block size;
  Block stride;    // by how much the number of a PE grows with the digit
  Weight cost;     // of a step on a grid; on a hierarchy between any two values
  bool has_steps;  // on a grid
  bool wraps;

  /// Between two PEs of which only this digit differs, by `steps`.
  Weight distance(Block steps) const;
  /// Where the digit is made of runs of `run` values of which every other one goes backwards: all distances together
  /// between values of a run and those at the same places of the run that is `apart` runs further on.
  __int128 distances_between_runs(Block run, Block apart) const;
};

/// Does digits_of() know this machine? Hierarchies, and grids of which no PE is missing.
bool has_digits(Topology const& machine);

/// From the most expensive one to the cheapest, without those that have one value only.
std::vector<MachineDigit> digits_of(Topology const& machine);

/// The PE that every number made of such digits stands for.
std::vector<Block> pes_of_numbers(Topology const& machine);

}  // namespace procmap
