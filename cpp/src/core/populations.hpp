// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/config.hpp"

namespace procmap {

/// One split of every level instead of several that are combined.
inline void without_populations(MultisectionConfig& config) {
  config.population_outer = config.population_middle = config.population_inner = 1;
}

}  // namespace procmap
