// SPDX-License-Identifier: MIT
#include "cartesian/task_grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

namespace procmap {
namespace {

constexpr std::size_t most_axes = 4;
constexpr std::size_t most_strides = 12;   // to choose from, and
constexpr std::size_t enough_arcs = 1024;  // to judge them by: bounds the time, some milliseconds
constexpr Vertex most_steps = 2;           // of an arc along an axis

/// How the arcs go on a grid of these strides: differences of numbers from one point to the next, the last axis first.
class Steps {
 public:
  Steps(Vertex tasks, std::vector<Vertex> strides) : strides_(std::move(strides)) {
    for (std::size_t i = 0; i < strides_.size(); ++i)
      sizes_.push_back((i + 1 < strides_.size() ? strides_[i + 1] : tasks) / strides_[i]);
  }

  std::size_t axes() const { return strides_.size(); }
  Vertex size(std::size_t i) const { return sizes_[i]; }
  /// Along axis i, not the short way round.
  Vertex straight(SampledArc const& arc, std::size_t i) const {
    return std::abs(coordinate(arc.tail, i) - coordinate(arc.head, i));
  }
  Vertex shortest(SampledArc const& arc, std::size_t i) const {
    return std::min(straight(arc, i), sizes_[i] - straight(arc, i));
  }

  /// Is it no arc of a stencil?
  bool is_long(SampledArc const& arc) const {
    for (std::size_t i = 0; i < axes(); ++i)
      if (shortest(arc, i) > most_steps) return true;
    return false;
  }

  /// Of all arcs together; nothing if more than a tenth of them are long along an axis.
  std::optional<Edge> count(std::span<SampledArc const> arcs) const {
    Edge sum = 0;
    std::size_t are_long = 0;
    for (auto const& arc : arcs) {
      for (std::size_t i = 0; i < axes(); ++i) sum += shortest(arc, i);
      are_long += is_long(arc);
      if (10 * are_long > arcs.size()) return std::nullopt;
    }
    return sum;
  }

 private:
  Vertex coordinate(Vertex task, std::size_t i) const { return task / strides_[i] % sizes_[i]; }

  std::vector<Vertex> strides_, sizes_;
};

/// Numbers by which tasks with traffic differ that may be strides: divisors of the number of tasks, found along with
/// one in 128 arcs. A stencil of 125 points has as many arcs per task, two along each axis to the next points.
std::vector<Vertex> possible_strides(Vertex tasks, std::span<SampledArc const> arcs) {
  std::map<Vertex, std::size_t> count;
  for (auto const& arc : arcs) ++count[std::abs(arc.tail - arc.head)];
  std::vector<Vertex> strides;
  for (auto const& [difference, times] : count)
    if (difference > 1 && tasks % difference == 0 && 128 * times >= arcs.size()) strides.push_back(difference);
  strides.resize(std::min(strides.size(), most_strides));
  return strides;
}

/// Looks at all chains of strides of which each divides the next. Of those that make arcs short the fewest axes are
/// best: a stencil that goes two steps is also short on every other point.
class BestSteps {
 public:
  BestSteps(Vertex tasks, std::span<SampledArc const> arcs)
      : tasks_(tasks), arcs_(arcs), possible_(possible_strides(tasks, arcs)) {
    try_from(0, {1});
  }
  std::optional<Steps> const& best() const { return best_; }

 private:
  void try_from(std::size_t next, std::vector<Vertex> const& strides) {
    Steps const steps(tasks_, strides);
    if (auto const sum = steps.count(arcs_)) {
      std::pair const rank(strides.size(), *sum);
      if (!best_ || rank < best_rank_) {
        best_ = steps;
        best_rank_ = rank;
      }
    }
    if (strides.size() == most_axes) return;
    for (std::size_t i = next; i < possible_.size(); ++i) {
      if (possible_[i] % strides.back() != 0) continue;
      auto longer = strides;
      longer.push_back(possible_[i]);
      try_from(i + 1, longer);
    }
  }

  Vertex tasks_;
  std::span<SampledArc const> arcs_;
  std::vector<Vertex> possible_;
  std::optional<Steps> best_;
  std::pair<std::size_t, Edge> best_rank_;
};

}  // namespace

std::vector<Weight> in_proportion(std::vector<__int128> values) {
  while (std::ranges::max(values) > (1 << 20))
    for (auto& value : values) value = (value + 1) / 2;
  return {values.begin(), values.end()};
}

std::optional<TaskGrid> recognise_grid(Vertex tasks, std::vector<SampledArc> const& arcs) {
  if (arcs.empty()) return std::nullopt;
  auto const steps = BestSteps(tasks, std::span(arcs).first(std::min(arcs.size(), enough_arcs))).best();
  if (!steps) return std::nullopt;
  TaskGrid grid;
  std::vector<__int128> traffic;
  for (std::size_t i = steps->axes(); i-- > 0;) {
    __int128 steps_of_traffic = 0;
    bool wraps = false;
    for (auto const& arc : arcs) {
      if (steps->is_long(arc)) continue;
      Vertex const shortest = steps->shortest(arc, i);
      steps_of_traffic += static_cast<__int128>(arc.weight) * shortest;
      wraps = wraps || shortest < steps->straight(arc, i);
    }
    grid.sizes.push_back(steps->size(i));
    traffic.push_back(steps_of_traffic);
    grid.wraps.push_back(wraps);
  }
  grid.traffic = in_proportion(std::move(traffic));
  return grid;
}

}  // namespace procmap
