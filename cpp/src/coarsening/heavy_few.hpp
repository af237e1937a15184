// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "exec/executor.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Do few of `count` weights make up much of their sum? Null weights are all 1. Where most weigh nothing, those that
/// weigh next to nothing are not heavy.
template <HostExecutor Exec>
bool few_are_heavy(Exec& ex, Weight const* weights, Edge count, Weight total) {
  constexpr int heavy = 4;  // times the average
  constexpr int much = 5;   // one part in so many
  if (!weights || count == 0 || total == 0) return false;
  auto const limit = std::max<__int128>(static_cast<__int128>(total) * heavy / count, heavy);
  auto const at_most = static_cast<Weight>(std::min<__int128>(limit, total));
  Weight const carried =
      ex.sum(count, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return weights[i] > at_most ? weights[i] : 0; });
  return carried > total / much;
}

}  // namespace procmap
