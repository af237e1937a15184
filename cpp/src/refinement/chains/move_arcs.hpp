// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// The quotient graph of a mapping: an arc leads from one block to another where some vertex may move from the one to
/// the other, and costs what the cheapest such move adds to J; less than zero if it lowers J.
struct MoveArcs {
  /// Of an arc that no vertex may take at present.
  static constexpr Weight closed = std::numeric_limits<Weight>::max();
  /// No arc costs more or less, so that sums of a chain stay within 64 bits.
  static constexpr Weight most = Weight{1} << 55;

  std::vector<Block> from, to;
  std::vector<Weight> cost;

  std::size_t count() const { return from.size(); }
};

}  // namespace procmap
