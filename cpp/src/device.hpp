// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "procmap/config.hpp"
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
/// first one if it is usable and has the memory, and the graph is large. Throws ConfigError if `device` is none of
/// these, and DeviceError if a GPU is asked for that cannot be used.
DeviceChoice choose_device(std::string_view device, Graph const& graph, Block num_blocks, Config const& config);

/// The GPU of "cuda" or "cuda:N", or cpu_device; with the same exceptions.
int named_device(std::string_view device);

/// What mapping the graph is estimated to take on a GPU: "120 MB".
std::string estimated_megabytes(Graph const& graph, Block num_blocks, Config const& config, int device);

}  // namespace procmap
