// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/block_targets.hpp"
#include "procmap/types.hpp"

namespace procmap {

// How slack is shared out over levels that are split one after the other: the adaptive imbalance of the paper
// (multisection). Capacities decide moves, so they are computed in integers: libm's pow differs between machines.

/// value * part / whole without overflow, rounded down; value >= 0, 0 <= part, whole > 0.
Weight proportion(Weight value, Weight part, Weight whole);

/// Factors >= 1 as fixed-point numbers: slack_one is 1.
inline constexpr int slack_bits = 30;
inline constexpr Weight slack_one = Weight{1} << slack_bits;
inline constexpr Weight max_slack = slack_one << 16;  // as good as unlimited

/// room / weight, rounded down, in [1, max_slack].
Weight slack_ratio(Weight room, Weight weight);

/// The largest factor whose depth-th power does not exceed `ratio`; 1 <= ratio <= max_slack, depth >= 1.
Weight slack_root(Weight ratio, int depth);

/// ratio^share, rounded down but for the last bits; 0 <= share <= 1.
Weight slack_power(Weight ratio, double share);

/// What the slack of a subgraph allows its children: room / weight to the power 1/depth, or `least_share` if that is
/// more.
Weight child_slack(Weight weight, Weight room, int depth, double least_share);

/// Capacity of a child whose PEs hold `child_room`, of a subgraph of weight `weight` whose PEs hold `room`, with
/// `depth` levels still to split, this one included.
///
/// With the adaptive imbalance, (room / weight)^(1/depth), the slack is spread evenly over the levels that remain, and
/// the last level meets the capacities of the PEs exactly. A larger `least_share` than 1/depth gives the outer levels
/// more of it. Children are filled in proportion to what they hold. Never below the child's share of the weight, never
/// above what its PEs can hold.
Weight child_capacity(Weight weight, Weight child_room, Weight room, int depth, double least_share = 0);

/// Is there room, on the finest level, for an eighth more than the `weight` of all scopes? Then blocks may be of quite
/// different sizes, and some starts look for those. With less they find no smaller cuts (measured).
bool has_much_slack(BlockTargets const& targets, Weight weight);

}  // namespace procmap
