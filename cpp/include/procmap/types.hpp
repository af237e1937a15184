// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace procmap {

using Vertex = std::int32_t;  ///< index of a task (vertex)
using Edge = std::int64_t;    ///< index of an arc; every undirected edge is two arcs
using Block = std::int32_t;   ///< block of a partition, or PE of a machine
using Weight = std::int64_t;  ///< loads, traffic, distances and every sum of them

inline constexpr int max_vertex_weights = 8;  ///< weights that a vertex may have

inline constexpr Block no_block = -1;
inline constexpr Vertex no_vertex = -1;

}  // namespace procmap
