// SPDX-License-Identifier: MIT
#include "procmap/memory.hpp"

#include <algorithm>

#include "exec/slab.hpp"

namespace procmap {
namespace {

// The peak is the first contraction. By rows: the coarse graph with room for all arcs of the finer one, a slab of
// gathered rows (gpu_slab_arcs), and arrays per vertex: leaders or partners, members, offsets, weights, and the list of
// vertices with many keys. By arcs tails and slots take 4 bytes more than a slab, the coarse graph its own size, and
// vertices less, which is about as much.
constexpr double bytes_per_row_arc = 12;     // head and weight
constexpr double bytes_per_coarse_arc = 8;   // ... in half the memory if nobody gave weights
constexpr double bytes_per_wide_arc = 12;    // ... or not
constexpr double bytes_per_vertex = 36;
constexpr double split_bytes_per_vertex = 14;     // multisection: scopes ...
constexpr double split_bytes_per_arc = 4;         // ... and the arcs that stay within one
constexpr double bytes_per_load = 16;  // of several weights: theirs and those of the coarse graphs, for each
constexpr double bytes_per_block = 256;
// Tables of vertices with many keys, and small blocks of memory that are kept for the next buffer.
constexpr std::int64_t fixed_bytes = std::int64_t{100} << 20;

std::int64_t graph_bytes(MemoryQuery const& query) {
  return 8 * (query.vertices + 1) + 4 * query.arcs + (query.arc_weights ? 8 * query.arcs : 0) +
         (query.vertex_weights > 0 ? 8 * query.vertices : 0);
}

}  // namespace

std::int64_t estimate_device_memory(MemoryQuery const& query, Config const& config) {
  auto const n = static_cast<double>(query.vertices), arcs = static_cast<double>(query.arcs);
  auto const slab = static_cast<double>(std::min(query.arcs, gpu_slab_arcs));
  auto bytes = bytes_per_vertex * n + (query.arc_weights ? bytes_per_wide_arc : bytes_per_coarse_arc) * arcs +
               bytes_per_row_arc * slab + bytes_per_block * static_cast<double>(query.blocks);
  if (config.method == Method::multisection)
    bytes += split_bytes_per_vertex * n + split_bytes_per_arc * arcs + (query.arc_weights ? 8 * arcs : 0);
  if (query.vertex_weights > 1) bytes += bytes_per_load * query.vertex_weights * n;
  return static_cast<std::int64_t>(bytes) + fixed_bytes + (query.graph_on_device ? 0 : graph_bytes(query));
}

}  // namespace procmap
