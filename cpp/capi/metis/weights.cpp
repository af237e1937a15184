// SPDX-License-Identifier: MIT
#include "metis/weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace procmap_metis {
namespace {

constexpr std::int64_t million = 1'000'000;
constexpr std::int64_t most = std::int64_t{1} << 62;

std::int64_t equal_capacity(std::int64_t total, Wanted const& wanted) {
  auto const divisor = static_cast<__int128>(million) * wanted.parts;
  auto const capacity = (static_cast<__int128>(million + wanted.slack) * total + divisor - 1) / divisor;
  return static_cast<std::int64_t>(std::min<__int128>(capacity, most));
}

/// Shares are floating point numbers whose sum need not be 1 exactly.
std::vector<std::int64_t> unequal_capacities(std::int64_t total, Wanted const& wanted, real_t const* tpwgts) {
  auto const parts = static_cast<std::size_t>(wanted.parts);
  double const sum = std::accumulate(tpwgts, tpwgts + parts, 0.0);
  double const factor = 1 + static_cast<double>(wanted.slack) / million;
  std::vector<std::int64_t> capacity(parts);
  __int128 room = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    double const share = tpwgts[i] / sum * static_cast<double>(total);
    double const allowed = std::ceil(factor * share);
    capacity[i] = allowed < static_cast<double>(most) ? static_cast<std::int64_t>(allowed) : most;
    room += capacity[i];
  }
  // A rounding error of large totals.
  if (room < total) *std::ranges::max_element(capacity) += static_cast<std::int64_t>(total - room);
  return capacity;
}

}  // namespace

std::vector<std::int64_t> capacities(std::int64_t total, Wanted const& wanted, real_t const* tpwgts) {
  if (tpwgts) return unequal_capacities(total, wanted, tpwgts);
  return std::vector<std::int64_t>(static_cast<std::size_t>(wanted.parts), equal_capacity(total, wanted));
}

double heaviest(std::vector<std::int64_t> const& part_weights, real_t const* tpwgts) {
  auto const total = static_cast<double>(std::accumulate(part_weights.begin(), part_weights.end(), std::int64_t{0}));
  double worst = 0;
  for (std::size_t i = 0; i < part_weights.size() && total > 0; ++i) {
    double const share = tpwgts ? double{tpwgts[i]} : 1 / static_cast<double>(part_weights.size());
    worst = std::max(worst, static_cast<double>(part_weights[i]) / (share * total));
  }
  return worst;
}

}  // namespace procmap_metis
