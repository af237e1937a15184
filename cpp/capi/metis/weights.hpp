// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis/options.hpp"

namespace procmap_metis {

/// What every part may weigh: its share of `total` with the slack, rounded up. METIS, too, stops at whole vertices
/// above its limit, and where it allows a thousandth less room than one vertex would leave none at all.
std::vector<std::int64_t> capacities(std::int64_t total, Wanted const& wanted, real_t const* tpwgts);

/// The largest weight of a part over its share of the total: METIS's load imbalance.
double heaviest(std::vector<std::int64_t> const& part_weights, real_t const* tpwgts);

}  // namespace procmap_metis
