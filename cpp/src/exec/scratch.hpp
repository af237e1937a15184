// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/hd.hpp"
#include "procmap/types.hpp"

// How the scratch memory of a resident composite is counted (ResidentNeeds::scratch_bytes). Only a GPU hands it out of
// one piece; the CPU counts alike, so that a wrong count shows where there is no GPU.

namespace procmap {

inline constexpr std::size_t scratch_alignment = 16;

/// Bytes that a buffer of n elements takes.
template <class T>
PROCMAP_HD constexpr std::size_t scratch_bytes_of(std::size_t n) {
  return (n * sizeof(T) + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
}

/// Bytes that a pass in groups or with tables takes for n items while it runs: the list of large ones.
PROCMAP_HD constexpr std::size_t pass_scratch_bytes(std::size_t n) { return scratch_bytes_of<Edge>(n); }

// The phases of a resident composite are told apart by their names, which are literals.
inline constexpr int max_phase_name = 24;        // with its zero
inline constexpr int max_resident_phases = 24;   // of one composite

}  // namespace procmap
