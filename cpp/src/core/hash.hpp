// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/hd.hpp"

namespace procmap {

// All randomness is hash(seed, ids...): no generator, no state, the same number on every machine.

/// 64-bit finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
PROCMAP_HD constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// One step of SplitMix64 from `seed` for each id.
PROCMAP_HD constexpr std::uint64_t hash(std::uint64_t seed, std::uint64_t id) {
  return mix(seed + (id + 1) * 0x9e3779b97f4a7c15ull);
}

PROCMAP_HD constexpr std::uint64_t hash(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return hash(hash(seed, a), b);
}

/// What keeps the random numbers of one purpose apart from those of another that starts from the same seed. The values
/// mean nothing, but every mapping depends on them.
enum class Salt : std::uint64_t {
  one_per_pe_start = 0x0e0,
  coarsening = 0xc0,
  mapping = 0x3a9,
  exchange = 0x41c,
  annealing_samples = 0x5a3,
  population = 0x909,
  annealing = 0xa17,
  v_cycle = 0xc7c,
  combine = 0xe40,
  settle = 0x5e7,
  slot_start = 0x510,
  multisection = 0x5eed,
  more_room = 0x300,
};

constexpr std::uint64_t hash(std::uint64_t seed, Salt salt) { return hash(seed, static_cast<std::uint64_t>(salt)); }

constexpr std::uint64_t hash(std::uint64_t seed, Salt salt, std::uint64_t id) { return hash(hash(seed, salt), id); }

}  // namespace procmap
