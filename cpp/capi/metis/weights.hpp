// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis/options.hpp"

namespace procmap_metis {

/// What every part may weigh: its share of `total` with the slack, rounded down as METIS compares, but at least the
/// share rounded up, so that everything has room.
std::vector<std::int64_t> capacities(std::int64_t total, Wanted const& wanted, real_t const* tpwgts);

/// The largest weight of a part over its share of the total: METIS's load imbalance.
double heaviest(std::vector<std::int64_t> const& part_weights, real_t const* tpwgts);

}  // namespace procmap_metis
