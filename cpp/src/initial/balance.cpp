// SPDX-License-Identifier: MIT
#include "initial/balance.hpp"

#include <cstdint>

namespace procmap::initial {

namespace {

// Slack factors are fixed-point numbers: libm's pow differs between machines. 2 is as good as
// unlimited, since no side can then be too heavy.
constexpr int slack_bits = 30;
constexpr std::uint64_t slack_one = std::uint64_t{1} << slack_bits;

std::uint64_t slack_power(std::uint64_t base, int exponent) {
  auto power = slack_one;
  for (int i = 0; i < exponent && power <= 2 * slack_one; ++i) power = (power * base) >> slack_bits;
  return power;
}

/// Largest factor in [1, 2] whose depth-th power does not exceed the `ratio`.
Weight root_of_slack(Weight ratio, int depth) {
  std::uint64_t low = slack_one, high = 2 * slack_one;
  auto const bound = static_cast<std::uint64_t>(ratio);
  while (low < high) {
    auto const middle = (low + high + 1) / 2;
    if (slack_power(middle, depth) <= bound)
      low = middle;
    else
      high = middle - 1;
  }
  return static_cast<Weight>(low);
}

}  // namespace

Weight scaled(Weight value, Weight numerator, Weight denominator) {
  return static_cast<Weight>(static_cast<__int128>(value) * numerator / denominator);
}

Balance adaptive_balance(Weight weight, std::array<Weight, 2> capacity, int depth, Weight unit) {
  auto const total = capacity[0] + capacity[1];
  Balance balance{total > 0 ? scaled(weight, capacity[0], total) : weight / 2, capacity};
  if (weight <= 0 || total <= weight || depth <= 1) return balance;
  constexpr auto one = static_cast<Weight>(slack_one);
  auto const ratio = total / 2 >= weight ? 2 * one : scaled(total, one, weight);
  auto const allowed = scaled(weight, root_of_slack(ratio, depth), one);
  for (int side = 0; side < 2; ++side)
    balance.limit[side] = std::min(capacity[side], scaled(allowed, capacity[side], total) / unit * unit);
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
