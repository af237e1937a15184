// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/index.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of a hierarchy without a table of all. Every place has a code with a field of bits per level, outermost
/// level highest: the highest bit in which two codes differ tells where they meet. It takes four bytes per place, which
/// stay near at hand where a table would not.
class HierarchyCodes {
 public:
  using OfBit = std::array<Weight, 33>;

  using Key = std::uint32_t;  // the code
  struct Row {
    Key own;
    Weight const* of_bit;
    Weight operator[](Key other) const { return of_bit[std::bit_width(own ^ other)]; }
  };
  Key key(Block p) const { return code_[index(p)]; }
  Row from(Key own) const { return {own, of_bit_.data()}; }

  HierarchyCodes() = default;
  /// Of places that are PEs of `machine`.
  HierarchyCodes(Hierarchy const& machine, std::vector<Block> const& pe_of_place);

 private:
  OfBit of_bit_ = {};                // by the number of significant bits
  std::vector<std::uint32_t> code_;  // of every place
};

}  // namespace procmap
