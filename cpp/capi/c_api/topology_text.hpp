// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "procmap/topology.hpp"

namespace procmap::capi {

/// "4:8:6/1:10:100", "torus:8:8:8", "mesh:16:4", "hypercube:6", "fat-tree:8", "fat-tree:8:2", "dragonfly:9:4:2" or
/// "flat:192". Throws TopologyError saying what is possible.
Topology topology_from_text(std::string_view text);

}  // namespace procmap::capi
