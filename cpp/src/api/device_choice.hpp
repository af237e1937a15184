// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "procmap/config.hpp"
#include "procmap/device.hpp"
#include "procmap/graph.hpp"

namespace procmap {

/// What `auto` does: graphs with fewer arcs than this are mapped on the CPU before a GPU has warmed up.
inline constexpr Edge auto_gpu_arcs = Edge{1} << 20;

/// Where a call runs, and why there.
struct DeviceChoice {
  DeviceId device;
  std::string reason;
};

/// What `device` ("auto", or as in device_id) means for a graph. "auto" takes the GPU that has the graph, or the first
/// one if it is usable and has the memory, and the graph is large. Throws ConfigError if `device` is none of these, and
/// DeviceError if a GPU is asked for that cannot be used.
DeviceChoice choose_device(std::string_view device, Graph const& graph, Block num_blocks, Config const& config);

/// The device of a name, which can be used; with the same exceptions.
DeviceId named_device(std::string_view name);

/// What mapping the graph is estimated to take on a GPU: "120 MB".
std::string estimated_megabytes(Graph const& graph, Block num_blocks, Config const& config, DeviceId const& device);

}  // namespace procmap
