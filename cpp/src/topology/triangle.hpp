// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/topology.hpp"

namespace procmap {

/// Is no way shorter by way of a third PE? Of a table of many nodes nobody looks, and the answer is no.
bool keeps_triangle_inequality(Topology const& machine);

}  // namespace procmap
