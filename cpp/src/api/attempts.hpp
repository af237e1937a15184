// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "core/run.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// Throws ConfigError unless repeats >= 0 and time_limit is a finite number >= 0.
void check_attempts(Options const& options);

/// Makes one mapping with options of its own, in the run given; may throw OutOfTime.
using MapOnce = std::function<Mapping(Options const&, Run&)>;

/// Maps as often and as long as `options` says, with the seeds seed, seed + 1, ..., and returns the best mapping:
/// feasible, then least overload, then least cost (with migration), then first. The statistics of all attempts are
/// added up.
Mapping best_attempt(Options const& options, MapOnce const& map_once);

}  // namespace procmap
