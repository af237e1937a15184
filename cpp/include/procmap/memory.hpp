// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "procmap/config.hpp"
#include "procmap/export.h"
#include "procmap/types.hpp"

namespace procmap PROCMAP_API {

/// What decides how much memory a mapping takes on a GPU.
struct MemoryQuery {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;  ///< two per edge
  std::int64_t blocks = 1;
  bool arc_weights = false;
  int vertex_weights = 0;        ///< per vertex; 0: all 1
  bool graph_on_device = false;  ///< the arrays of the graph lie there anyway and do not count
};

/// Bytes that a mapping takes on a GPU at its peak, about.
std::int64_t estimate_device_memory(MemoryQuery const& query, Config const& config);

}  // namespace procmap PROCMAP_API
