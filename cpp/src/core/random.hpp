// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace procmap {

/// The upper half of a random number as one of 0 .. count - 1.
inline std::size_t choose(std::uint64_t random, std::size_t count) { return ((random >> 32) * count) >> 32; }

/// What the conversion makes of it, without the branch that it is on most machines, for every second random number.
inline double as_double(std::uint64_t number) {
  constexpr int half = 32;
  auto const upper = static_cast<double>(static_cast<std::int64_t>(number >> half));
  auto const lower = static_cast<double>(static_cast<std::int64_t>(number & 0xffff'ffffu));
  return upper * 0x1p32 + lower;
}

/// Exponentially distributed with mean 1, linear between powers of two: additions and one product, so the same on every
/// machine.
inline double exponential(std::uint64_t random) {
  int const zeros = std::countl_zero(random | 1);
  auto const fraction = as_double(random << zeros << 1) * 0x1p-64;
  return (zeros + 1 - fraction) * 0.6931471805599453;
}

}  // namespace procmap
