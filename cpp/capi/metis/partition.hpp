// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis/call.hpp"
#include "metis/graph.hpp"
#include "metis/options.hpp"

namespace procmap_metis {

/// Parts of all vertices, from 0; fills in the record. Throws Failure.
std::vector<std::int32_t> partition(TaskGraph const& graph, Wanted const& wanted, real_t const* tpwgts, Record& record);

/// As an idx_t; what is too large for one becomes the largest there is, and a message says so.
idx_t as_idx(std::int64_t value, char const* name);

}  // namespace procmap_metis
