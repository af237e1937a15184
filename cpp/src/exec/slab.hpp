// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/types.hpp"

namespace procmap {

/// Arcs that a pass with temporary rows should handle at a time (slab_arcs of executors). Rows take 12 bytes per arc.
/// On the host a slab stays in the cache, and threads share as many as they are; on a GPU it fills the machine.
inline constexpr Edge host_slab_arcs = Edge{1} << 16;
inline constexpr Edge gpu_slab_arcs = Edge{1} << 25;

}  // namespace procmap
