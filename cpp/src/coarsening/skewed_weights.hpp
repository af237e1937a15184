// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "exec/executor.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Of `count` weights with the sum `total`, those above this are heavy: several times the average. Where most weigh
/// nothing, those that weigh next to nothing are not heavy.
inline Weight heavy_above(Edge count, Weight total) {
  constexpr int heavy = 4;  // times the average
  if (count == 0) return total;
  auto const limit = std::max<__int128>(static_cast<__int128>(total) * heavy / count, heavy);
  return static_cast<Weight>(std::min<__int128>(limit, total));
}

/// Is what heavy ones weigh together much of the sum?
inline bool is_much(Weight heavy_ones, Weight total) {
  constexpr int much = 5;  // one part in so many
  return heavy_ones > total / much;
}

/// Do few of `count` weights make up much of their sum? Null weights are all 1.
template <HostExecutor Exec>
bool few_are_heavy(Exec& ex, Weight const* weights, Edge count, Weight total) {
  if (!weights || count == 0 || total == 0) return false;
  Weight const limit = heavy_above(count, total);
  Weight const heavy_ones =
      ex.sum(count, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return weights[i] > limit ? weights[i] : 0; });
  return is_much(heavy_ones, total);
}

/// Of `count` weights with the sum `total`, those below this are light: a small part of the average.
inline Weight light_below(Edge count, Weight total) {
  constexpr int light = 4;  // parts of the average
  return count == 0 || total == 0 ? 0 : (total - 1) / (light * count) + 1;
}

/// Are light ones many of `count` weights?
inline bool are_many(Edge light_ones, Edge count) {
  constexpr int many = 11, of = 40;
  return light_ones > count / of * many + count % of * many / of;
}

/// Are many of `count` weights light beside the average? Null weights are all 1; those of 0 are not light.
template <HostExecutor Exec>
bool many_are_light(Exec& ex, Weight const* weights, Edge count, Weight total) {
  if (!weights) return false;
  Weight const limit = light_below(count, total);
  Edge const light_ones =
      ex.sum(count, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return weights[i] > 0 && weights[i] < limit ? 1 : 0; });
  return are_many(light_ones, count);
}

}  // namespace procmap
