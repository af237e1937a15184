// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis/graph.hpp"
#include "metis/options.hpp"

namespace procmap_metis {

/// What every part may weigh, columns.size() numbers each: its share of the total with the slack, rounded up. METIS,
/// too, stops at whole vertices above its limit, and where it allows a thousandth less room than one vertex would leave
/// none at all.
std::vector<std::int64_t> capacities(TaskGraph const& graph, Wanted const& wanted, real_t const* tpwgts);

/// The largest weight of a part over its share of the total, of all constraints: METIS's load imbalance.
double heaviest(TaskGraph const& graph, std::vector<std::int32_t> const& part, Wanted const& wanted,
                real_t const* tpwgts);

}  // namespace procmap_metis
