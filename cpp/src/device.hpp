// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "procmap/types.hpp"

namespace procmap {

inline constexpr int cpu_device = -1;

/// What `auto` does: graphs with fewer arcs than this are mapped on the CPU before a GPU has warmed up.
inline constexpr Edge auto_gpu_arcs = Edge{1} << 20;

/// The GPU that `device` ("auto", "cpu", "cuda" or "cuda:N") means for a graph with `num_arcs` arcs, or
/// cpu_device. Throws ConfigError if it is none of these, and std::runtime_error if a GPU is asked for that
/// cannot be used. "auto" takes the first GPU if there is a usable one.
int choose_device(std::string_view device, Edge num_arcs);

}  // namespace procmap
