// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// What every PE of the machine may hold, and the load that is fixed there.
class PeCapacities {
 public:
  /// Above every total weight; sums of capacities are reported as at most this.
  static constexpr Weight unbounded = Weight{1} << 62;

  /// k PEs of the same capacity, nothing fixed.
  PeCapacities(Block k, Weight each) : num_pes_(k), each_(each) {}
  /// PE p holds capacity[p] and nothing at all if that is 0. `fixed_load` is empty or has one entry per PE; a PE
  /// counts as at least as large as what is fixed there, so that the others are not given its overload.
  PeCapacities(std::span<Weight const> capacity, std::span<Weight const> fixed_load);

  Block num_pes() const { return num_pes_; }
  bool alike() const { return before_.empty(); }
  Weight of(Block pe) const { return room(pe, 1); }
  bool forbidden(Block pe) const { return !alike() && of(pe) == 0; }
  /// Do all PEs that are not forbidden hold the same?
  bool usable_alike() const;
  /// Of the PEs that are not forbidden.
  Weight average() const;
  /// Does one hold more than twice the average?
  bool differ_much() const;
  /// What PEs first ... first + count - 1 hold together.
  Weight room(Block first, Block count) const;
  /// PEs among them that are not forbidden.
  Block usable(Block first, Block count) const;
  Weight fixed_load(Block first, Block count) const;
  /// The same of other PEs: place p is PE pe_of_place[p], and forbidden if that is no_block.
  PeCapacities reordered(std::vector<Block> const& pe_of_place) const;
  /// The same, but no PE holds more than `most`.
  PeCapacities at_most(Weight most) const;

 private:
  Block num_pes_;
  Weight each_ = 0;
  std::vector<__int128> before_;      // capacity of the PEs below an id; empty: all hold each_
  std::vector<Block> usable_before_;  // the same for their number
  std::vector<Weight> fixed_before_;  // the same for what is fixed; empty: nothing
};

}  // namespace procmap
