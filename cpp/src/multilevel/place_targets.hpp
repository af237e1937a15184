// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/block_targets.hpp"
#include "exec/copies.hpp"
#include "refinement/state/blocks.hpp"

namespace procmap {

/// BlockTargets where an executor runs, once for every member of a population.
template <class Exec>
struct PlacedTargets {
  Buffer<Exec, Weight> capacity;
  Buffer<Exec, Weight> share;
  Buffer<Exec, Weight> limits;
  BlocksView view;
};

/// `copies` copies of the values, one behind the other: uploaded in one piece.
template <HostExecutor Exec>
Buffer<Exec, Weight> put_copies(Exec& ex, std::vector<Weight> const& values, int copies) {
  std::vector<Weight> all;
  all.reserve(values.size() * static_cast<std::size_t>(copies));
  for (int t = 0; t < copies; ++t) all.insert(all.end(), values.begin(), values.end());
  return put(ex, std::span<Weight const>(all));
}

template <HostExecutor Exec>
PlacedTargets<Exec> place_targets(Exec& ex, BlockTargets const& targets, int members) {
  PlacedTargets<Exec> placed{put_copies(ex, targets.capacity, members),
                             put_copies(ex, targets.share, members),
                             put_copies(ex, targets.limits, members),
                             {}};
  placed.view = {static_cast<Block>(placed.capacity.size()), targets.parts, placed.capacity.data(), placed.share.data(),
                 targets.limits.empty() ? nullptr : placed.limits.data()};
  return placed;
}

}  // namespace procmap
