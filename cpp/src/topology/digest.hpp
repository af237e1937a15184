// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "procmap/topology.hpp"

namespace procmap {

/// A number that equal machines share, and that different ones hardly ever do: for processes that cannot look at each
/// other's machine.
std::uint64_t digest_of(Topology const& machine);

}  // namespace procmap
