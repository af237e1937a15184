// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/types.hpp"

namespace procmap {

/// Arcs that a pass with temporary rows should handle at a time (slab_arcs of executors). On the host a slab stays in
/// the cache; on a GPU it fills the machine, and its rows take 12 bytes per arc.
inline constexpr Edge host_slab_arcs = Edge{1} << 20;
inline constexpr Edge gpu_slab_arcs = Edge{1} << 25;

}  // namespace procmap
