// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "procmap/types.hpp"

namespace procmap::initial {

/// What a bisection aims at: side 0 should weigh `target`, side s at most limit[s].
struct Balance {
  Weight target = 0;
  std::array<Weight, 2> limit{};

  /// Weight by which the fuller side exceeds its limit; 0 if none does.
  Weight overload(std::array<Weight, 2> const& weight) const {
    return std::max({Weight{0}, weight[0] - limit[0], weight[1] - limit[1]});
  }

  /// How far side 0 is from what it should weigh.
  Weight off_target(std::array<Weight, 2> const& weight) const {
    return weight[0] > target ? weight[0] - target : target - weight[0];
  }
};

/// Adaptive imbalance: `capacity` may be used up only after `depth` further bisections, so this
/// one takes the depth-th root of the slack. Limits are multiples of `unit`, which divides all
/// vertex weights, and never so tight that `weight` does not fit while the capacities hold it.
Balance adaptive_balance(Weight weight, std::array<Weight, 2> capacity, int depth, Weight unit);

}  // namespace procmap::initial
