// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "exec/executor.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Do few of `count` weights with the sum `total` make up much of it? Heavy are those of several times the average;
/// where most weigh nothing, those that weigh next to nothing are not. `weight_above(limit)`: what all above a limit
/// weigh together.
template <class WeightAbove>
bool few_are_heavy(Edge count, Weight total, WeightAbove const& weight_above) {
  constexpr int heavy = 4;  // times the average
  constexpr int much = 5;   // one part in so many
  if (count == 0 || total == 0) return false;
  auto const limit = std::max<__int128>(static_cast<__int128>(total) * heavy / count, heavy);
  return weight_above(static_cast<Weight>(std::min<__int128>(limit, total))) > total / much;
}

/// Are many of `count` weights with the sum `total` light, a small part of the average? `num_below(limit)`: how many
/// lie below a limit; those of 0 are not counted.
template <class NumBelow>
bool many_are_light(Edge count, Weight total, NumBelow const& num_below) {
  constexpr int light = 4;  // parts of the average
  constexpr int many = 11, of = 40;
  if (count == 0 || total == 0) return false;
  return num_below((total - 1) / (light * count) + 1) > count / of * many + count % of * many / of;
}

/// Are weights of arcs so uneven that clusters are to grow along heavy ones (Skew)? On one machine and over ranks,
/// which differ in how they count.
template <class WeightAbove, class NumBelow>
bool arcs_are_skewed(Edge count, Weight total, WeightAbove const& weight_above, NumBelow const& num_below) {
  return few_are_heavy(count, total, weight_above) || many_are_light(count, total, num_below);
}

template <HostExecutor Exec>
Weight weight_above(Exec& ex, Weight const* weights, Edge count, Weight limit) {
  return ex.sum(count, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return weights[i] > limit ? weights[i] : 0; });
}

template <HostExecutor Exec>
Edge num_below(Exec& ex, Weight const* weights, Edge count, Weight limit) {
  return ex.sum(count, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return weights[i] > 0 && weights[i] < limit ? 1 : 0; });
}

/// The same of weights in memory. Null weights are all 1.
template <HostExecutor Exec>
bool few_are_heavy(Exec& ex, Weight const* weights, Edge count, Weight total) {
  auto const above = [&](Weight limit) { return weight_above(ex, weights, count, limit); };
  return weights && few_are_heavy(count, total, above);
}

/// The same of weights in memory. Null weights are all 1.
template <HostExecutor Exec>
bool arcs_are_skewed(Exec& ex, Weight const* weights, Edge count, Weight total) {
  auto const above = [&](Weight limit) { return weight_above(ex, weights, count, limit); };
  auto const below = [&](Weight limit) { return num_below(ex, weights, count, limit); };
  return weights && arcs_are_skewed(count, total, above, below);
}

}  // namespace procmap
