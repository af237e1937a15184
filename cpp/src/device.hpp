// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "procmap/graph.hpp"

namespace procmap {

inline constexpr int cpu_device = -1;

/// What `auto` does: graphs with fewer arcs than this are mapped on the CPU before a GPU has warmed up.
inline constexpr Edge auto_gpu_arcs = Edge{1} << 20;

/// Where a call runs, and why there.
struct DeviceChoice {
  int ordinal = cpu_device;  ///< of the GPU, or cpu_device
  std::string reason;

  std::string name() const;  ///< "cpu" or "cuda:N"
};

/// What `device` ("auto", "cpu", "cuda" or "cuda:N") means for a graph. "auto" takes the GPU that has the graph, or the
/// first one if it is usable and the graph large. Throws ConfigError if `device` is none of these, and
/// DeviceError if a GPU is asked for that cannot be used.
DeviceChoice choose_device(std::string_view device, Graph const& graph);

}  // namespace procmap
