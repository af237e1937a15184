// SPDX-License-Identifier: MIT
#include "core/several_weights.hpp"

#include <algorithm>

namespace procmap {
namespace {

constexpr int share_bits = 40;   // of the sum of all vertices, per weight
constexpr int excess_bits = 20;

}  // namespace

std::vector<Weight> SeveralWeights::limits_of(Block pe) const {
  std::vector<Weight> limits;
  for (auto const& capacities : capacities_) limits.push_back(capacities.of(pe));
  return limits;
}

Weight SeveralWeights::sum_of_loads(std::span<Weight const> loads) const {
  Weight sum = 0;
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (totals_[i] > 0) sum += static_cast<Weight>((static_cast<__int128>(loads[i]) << share_bits) / totals_[i]);
  return sum;
}

Weight SeveralWeights::sum_of_limits(std::span<Weight const> limits) const {
  Weight sum = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (limits[i] == 0) continue;
    auto const total = std::max<Weight>(totals_[i], 1);
    auto const scaled = static_cast<__int128>(std::min(limits[i], total)) << share_bits;
    sum += static_cast<Weight>((scaled + total - 1) / total);
  }
  return sum;
}

SeveralWeights SeveralWeights::reordered(std::vector<Block> const& pe_of_place) const {
  std::vector<PeCapacities> capacities;
  for (auto const& of_weight : capacities_) capacities.push_back(of_weight.reordered(pe_of_place));
  return {totals_, std::move(capacities)};
}

Weight total_excess(std::span<Weight const> loads, std::span<Weight const> limits, std::span<Weight const> unit) {
  __int128 sum = 0;
  for (std::size_t at = 0; at < loads.size(); ++at) {
    auto const over = static_cast<__int128>(loads[at]) - limits[at];
    if (over <= 0) continue;
    auto const whole = std::max<Weight>(unit[at % unit.size()], 1);
    sum += ((over << excess_bits) + whole - 1) / whole;
  }
  return static_cast<Weight>(std::min<__int128>(sum, PeCapacities::unbounded));
}

}  // namespace procmap
