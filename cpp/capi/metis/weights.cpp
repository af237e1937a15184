// SPDX-License-Identifier: MIT
#include "metis/weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace procmap_metis {
namespace {

constexpr std::int64_t million = 1'000'000;
constexpr std::int64_t most = std::int64_t{1} << 62;

std::int64_t equal_capacity(std::int64_t total, std::int64_t slack, std::size_t parts) {
  auto const divisor = static_cast<__int128>(million) * parts;
  auto const capacity = (static_cast<__int128>(million + slack) * total + divisor - 1) / divisor;
  return static_cast<std::int64_t>(std::min<__int128>(capacity, most));
}

/// Shares are floating point numbers whose sum need not be 1 exactly.
std::vector<std::int64_t> unequal_capacities(std::int64_t total, std::int64_t slack,
                                             std::vector<double> const& shares) {
  double const sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  double const factor = 1 + static_cast<double>(slack) / million;
  std::vector<std::int64_t> capacity(shares.size());
  __int128 room = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    double const share = shares[i] / sum * static_cast<double>(total);
    double const allowed = std::ceil(factor * share);
    capacity[i] = allowed < static_cast<double>(most) ? static_cast<std::int64_t>(allowed) : most;
    room += capacity[i];
  }
  // A rounding error of large totals.
  if (room < total) *std::ranges::max_element(capacity) += static_cast<std::int64_t>(total - room);
  return capacity;
}

/// The shares of a constraint: tpwgts[part * ncon + constraint].
std::vector<double> shares_of(Wanted const& wanted, int constraint, real_t const* tpwgts) {
  std::vector<double> shares(static_cast<std::size_t>(wanted.parts), 1 / static_cast<double>(wanted.parts));
  for (std::size_t i = 0; i < shares.size() && tpwgts; ++i)
    shares[i] = tpwgts[i * wanted.slack.size() + static_cast<std::size_t>(constraint)];
  return shares;
}

}  // namespace

std::vector<std::int64_t> capacities(TaskGraph const& graph, Wanted const& wanted, real_t const* tpwgts) {
  auto const row = graph.columns.size();
  auto const parts = static_cast<std::size_t>(wanted.parts);
  std::vector<std::int64_t> all(parts * row);
  for (std::size_t c = 0; c < row; ++c) {
    auto const total = procmap_graph_total_weight(graph.handle.get(), static_cast<int>(c));
    auto const slack = wanted.slack[static_cast<std::size_t>(graph.columns[c])];
    auto const limits = tpwgts ? unequal_capacities(total, slack, shares_of(wanted, graph.columns[c], tpwgts))
                               : std::vector(parts, equal_capacity(total, slack, parts));
    for (std::size_t i = 0; i < parts; ++i) all[i * row + c] = limits[i];
  }
  return all;
}

double heaviest(TaskGraph const& graph, std::vector<std::int32_t> const& part, Wanted const& wanted,
                real_t const* tpwgts) {
  auto const row = graph.columns.size();
  auto const weights = part_weights(graph, part, wanted.parts);
  double worst = 0;
  for (std::size_t c = 0; c < row; ++c) {
    double total = 0;
    for (auto i = c; i < weights.size(); i += row) total += static_cast<double>(weights[i]);
    auto const shares = shares_of(wanted, graph.columns[c], tpwgts);
    for (std::size_t i = 0; i < shares.size() && total > 0; ++i)
      worst = std::max(worst, static_cast<double>(weights[i * row + c]) / (shares[i] * total));
  }
  return worst;
}

}  // namespace procmap_metis
