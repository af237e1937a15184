// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "procmap/procmap.hpp"

namespace procmap {

/// Throws std::overflow_error unless J and everything the engine sums up stay below 2^62.
void check_cost_fits(Graph const& graph, Topology const& topology);

/// Adds to what was measured: further weights, capacities, [pe * num_weights + i], and whether they are kept.
void complete_report(Report& report, Graph const& graph, std::span<Block const> blocks, Topology const& topology,
                     std::vector<Weight> capacities);

/// Adds what `blocks` moves of options.initial, if there is one.
void count_migration(Report& report, std::span<Block const> blocks, Options const& options);

}  // namespace procmap
