// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/topology.hpp"

namespace procmap {

/// The same machine with as few levels as possible, so that a mapping does not depend on how a hierarchy is written: a
/// level of one group, and a level whose groups are as far apart as the parts of one, become one with that below. PEs
/// keep their numbers and their distances. Other machines are left as they are.
Topology joined_levels(Topology const& machine);

}  // namespace procmap
