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

/// Whether the first of two mappings is the better one: feasible, then least overload, then least cost (with
/// migration).
bool is_better(Report const& a, Report const& b, double migration_cost);

/// Maps as often and as long as `options` says, with the seeds seed, seed + 1, ..., and returns the best mapping,
/// the first of several. The statistics of all attempts are added up.
Mapping best_attempt(Options const& options, MapOnce const& map_once);

}  // namespace procmap
