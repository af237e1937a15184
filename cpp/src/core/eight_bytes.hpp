// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Bytes 8 * i to 8 * i + 7 of an array that begins at a multiple of eight, by one load.
PROCMAP_HD inline std::uint64_t eight_bytes(std::uint8_t const* bytes, Edge i) {
  std::uint64_t value = 0;
  std::memcpy(&value, static_cast<std::uint8_t const*>(__builtin_assume_aligned(bytes, 8)) + 8 * i, sizeof(value));
  return value;
}

}  // namespace procmap
