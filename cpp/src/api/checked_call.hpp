// SPDX-License-Identifier: MIT
#pragma once

#include "api/device_choice.hpp"
#include "core/constraints.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// What follows from the arguments of a call of map().
struct CheckedCall {
  Constraints constraints;
  DeviceChoice choice;
};

/// Checks all arguments, before any work; throws what map() says.
CheckedCall checked_call(Graph const& graph, Topology const& topology, Options const& options);

}  // namespace procmap
