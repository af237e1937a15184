// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "exec/executor.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// The distance from every PE to the nearest of the `count` PEs `empty`.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Weight> distances_to_nearest(Exec& ex, Objective const& objective, Block k, Block const* empty,
                                          Edge count) {
  auto buffer = ex.template buffer<Weight>(static_cast<std::size_t>(k));
  auto* const nearest = buffer.data();
  ex.for_each(k, [=] PROCMAP_LAMBDA(Edge b) {
    Weight least = std::numeric_limits<Weight>::max();
    for (Edge i = 0; i < count; ++i)
      if (Weight const d = objective.distance(empty[i], static_cast<Block>(b)); d < least) least = d;
    nearest[b] = least;
  });
  return buffer;
}

/// The same from one PE.
template <HostExecutor Exec, class Objective>
Weight distance_to_nearest(Exec& ex, Objective const& objective, Block pe, Block const* empty, Edge count) {
  return -ex.max(count, [=] PROCMAP_LAMBDA(Edge i) -> Weight { return -objective.distance(empty[i], pe); });
}

/// How many PEs of every group of a hierarchy are empty, and so how far it is to the nearest one.
class EmptyInGroups {
 public:
  EmptyInGroups(Hierarchy const& machine, Block num_pes, std::vector<Block> const& empty) : machine_(machine) {
    count_.emplace_back(index(num_pes), 0);
    for (Block const size : machine_.sizes) count_.emplace_back(index(num_pes /= size), 0);
    for (Block pe : empty)
      for (std::size_t level = 0; level < count_.size(); ++level) {
        ++count_[level][index(pe)];
        if (level < machine_.sizes.size()) pe /= machine_.sizes[level];
      }
  }

  /// PE `pe` is empty no longer. Returns the PEs from which it is farther now, the first one and the end.
  std::pair<Block, Block> remove(Block pe) {
    std::pair<Block, Block> farther{pe, pe};
    Block size = 1;
    for (std::size_t level = 0; level < count_.size(); ++level) {
      if (--count_[level][index(pe)] == 0) farther = {pe * size, (pe + 1) * size};
      if (level == machine_.sizes.size()) break;
      pe /= machine_.sizes[level];
      size *= machine_.sizes[level];
    }
    return farther;
  }

  /// The highest weight if none is empty.
  Weight distance_from(Block pe) const {
    if (count_[0][index(pe)] > 0) return 0;
    for (std::size_t level = 0; level < machine_.sizes.size(); ++level)
      if (count_[level + 1][index(pe /= machine_.sizes[level])] > 0) return machine_.distances[level];
    return std::numeric_limits<Weight>::max();
  }
  std::vector<Weight> distances_from(Block first, Block end) const {
    std::vector<Weight> distances;
    for (Block pe = first; pe < end; ++pe) distances.push_back(distance_from(pe));
    return distances;
  }

 private:
  Hierarchy const& machine_;
  std::vector<std::vector<Block>> count_;  // of every PE, then of every group of every level
};

/// The distance from every PE to the nearest one that is to be filled, or less.
template <HostExecutor Exec, class Objective>
class NearestEmpty {
 public:
  /// PEs are filled in the order of `empty`.
  NearestEmpty(Exec& ex, Objective const& objective, Topology const& machine, std::vector<Block> const& empty)
      : ex_(ex), objective_(objective), left_(static_cast<Edge>(empty.size())) {
    if (machine.is_hierarchy()) {
      groups_.emplace(*machine.as_hierarchy(), machine.num_pes(), empty);
      auto const all = groups_->distances_from(0, machine.num_pes());
      nearest_ = ex.template buffer<Weight>(all.size());
      ex.upload(all.data(), machine.num_pes(), nearest_.data());
      return;
    }
    empty_ = ex.template buffer<Block>(empty.size());
    ex.upload(empty.data(), left_, empty_.data());
    next_ = empty_.data();
    nearest_ = distances_to_nearest(ex, objective, machine.num_pes(), next_, left_);
  }

  Weight const* data() const { return nearest_.data(); }
  Edge left() const { return left_; }

  /// The next one has come to its turn.
  void pass(Block pe) {
    if (--left_ == 0) return;
    if (groups_) {
      auto const [first, end] = groups_->remove(pe);
      auto const farther = groups_->distances_from(first, end);
      ex_.upload(farther.data(), end - first, nearest_.data() + first);
      return;
    }
    ex_.fill(nearest_.data() + pe, 1, distance_to_nearest(ex_, objective_, pe, ++next_, left_));
  }

 private:
  Exec& ex_;
  Objective objective_;
  Edge left_;
  std::optional<EmptyInGroups> groups_;  // of a hierarchy
  Buffer<Exec, Block> empty_;            // of other machines
  Block const* next_ = nullptr;
  Buffer<Exec, Weight> nearest_;
};

}  // namespace procmap
