// SPDX-License-Identifier: MIT
#pragma once

#include "core/block_targets.hpp"
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

template <HostExecutor Exec>
PlacedTargets<Exec> place_targets(Exec& ex, BlockTargets const& targets, int members) {
  auto const per_member = targets.capacity.size();
  auto const total = per_member * static_cast<std::size_t>(members);
  PlacedTargets<Exec> placed{ex.template buffer<Weight>(total),
                             ex.template buffer<Weight>(total),
                             ex.template buffer<Weight>(targets.limits.size() * static_cast<std::size_t>(members)),
                             {}};
  for (std::size_t t = 0; t < static_cast<std::size_t>(members); ++t) {
    ex.upload(targets.capacity.data(), static_cast<Edge>(per_member), placed.capacity.data() + t * per_member);
    ex.upload(targets.share.data(), static_cast<Edge>(per_member), placed.share.data() + t * per_member);
    auto const limits = targets.limits.size();
    ex.upload(targets.limits.data(), static_cast<Edge>(limits), placed.limits.data() + t * limits);
  }
  placed.view = {static_cast<Block>(total), targets.parts, placed.capacity.data(), placed.share.data(),
                 targets.limits.empty() ? nullptr : placed.limits.data()};
  return placed;
}

}  // namespace procmap
