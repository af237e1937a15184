// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace procmap {

/// The upper half of a random number as one of 0 .. count - 1.
inline std::size_t choose(std::uint64_t random, std::size_t count) { return ((random >> 32) * count) >> 32; }

/// Exponentially distributed with mean 1, linear between powers of two: additions and one product, so the same on every
/// machine.
inline double exponential(std::uint64_t random) {
  int const zeros = std::countl_zero(random | 1);
  auto const fraction = static_cast<double>(random << zeros << 1) * 0x1p-64;
  return (zeros + 1 - fraction) * 0.6931471805599453;
}

}  // namespace procmap
