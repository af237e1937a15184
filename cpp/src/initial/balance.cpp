// SPDX-License-Identifier: MIT
#include "initial/balance.hpp"

#include "core/imbalance.hpp"

namespace procmap::initial {

Balance adaptive_balance(Weight weight, std::array<Weight, 2> capacity, int depth, Weight unit) {
  auto const total = capacity[0] + capacity[1];
  Balance balance{total > 0 ? proportion(weight, capacity[0], total) : weight / 2, capacity};
  if (weight <= 0 || total <= weight || depth <= 1) return balance;
  // No side can be too heavy with a factor of 2.
  auto const ratio = std::min(slack_ratio(total, weight), 2 * slack_one);
  auto const allowed = proportion(weight, slack_root(ratio, depth), slack_one);
  for (int side = 0; side < 2; ++side)
    balance.limit[side] = std::min(capacity[side], proportion(allowed, capacity[side], total) / unit * unit);
  auto const missing = [&] { return weight - balance.limit[0] - balance.limit[1]; };
  auto const raise = [&](int side, Weight by) {
    if (by > 0) balance.limit[side] += std::min(capacity[side] - balance.limit[side], by);
  };
  raise(0, (missing() / unit + 1) / 2 * unit);
  raise(1, missing());
  raise(0, missing());
  return balance;
}

}  // namespace procmap::initial
