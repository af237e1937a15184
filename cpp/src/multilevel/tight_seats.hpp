// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "core/pe_capacities.hpp"

namespace procmap {

/// How many vertices of one weight PEs take that are all but full with them.
struct TightSeats {
  Weight weight = 1;                      // of every vertex
  std::vector<Vertex> most;               // per PE
  PeCapacities one_more;                  // with which refinement does its work
  std::optional<PeCapacities> some_more;  // of many vertices per PE: so does the whole method with these
};

/// Nothing if vertices cannot all have one weight, do not fit, are few, or leave room for one of 128 and more.
std::optional<TightSeats> tight_seats(PeCapacities const& pes, Vertex vertices, Weight total_weight);

}  // namespace procmap
