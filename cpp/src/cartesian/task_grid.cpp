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

/// An axis of a grid: numbers differ by `stride` from one point to the next.
struct Axis {
  Vertex stride = 1, size = 1;

  Vertex coordinate(Vertex task) const { return task / stride % size; }
  /// How far an arc goes, not the short way round.
  Vertex straight(SampledArc const& arc) const { return std::abs(coordinate(arc.tail) - coordinate(arc.head)); }
  Vertex shortest(SampledArc const& arc) const {
    Vertex const steps = straight(arc);
    return std::min(steps, size - steps);
  }
};

/// Is it no arc of a stencil?
bool is_long(SampledArc const& arc, std::vector<Axis> const& axes) {
  return std::ranges::any_of(axes, [&](Axis const& axis) { return axis.shortest(arc) > most_steps; });
}

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

/// Axes, the last one of a grid first, and what the arcs come to along them.
struct Axes {
  std::vector<Axis> axes;
  Edge steps = 0;             // of all arcs
  std::vector<char> is_long;  // per arc: along one of these axes
  std::size_t num_long = 0;
};

/// Looks at all chains of strides of which each divides the next. Of those that make arcs short the fewest axes are
/// best: a stencil that goes two steps is also short on every other point.
class BestAxes {
 public:
  BestAxes(Vertex tasks, std::span<SampledArc const> arcs)
      : tasks_(tasks), arcs_(arcs), possible_(possible_strides(tasks, arcs)) {
    try_from(0, 1, {{}, 0, std::vector<char>(arcs.size()), 0});
  }
  std::vector<Axis> const& best() const { return best_; }  // empty: no chain makes arcs short

 private:
  /// Chains that go on from `chosen` with `stride` and some of the possible ones from `next` on.
  void try_from(std::size_t next, Vertex stride, Axes const& chosen) {
    if (auto const all = with_axis(chosen, {stride, tasks_ / stride})) {
      std::pair const rank(all->axes.size(), all->steps);
      if (best_.empty() || rank < best_rank_) {
        best_ = all->axes;
        best_rank_ = rank;
      }
    }
    if (chosen.axes.size() + 1 == most_axes) return;
    for (std::size_t i = next; i < possible_.size(); ++i) {
      if (possible_[i] % stride != 0) continue;
      if (auto const longer = with_axis(chosen, {stride, possible_[i] / stride}))
        try_from(i + 1, possible_[i], *longer);
    }
  }

  /// With one axis more; nothing if more than a tenth of the arcs are long then, as they stay with further ones.
  std::optional<Axes> with_axis(Axes chosen, Axis axis) const {
    chosen.axes.push_back(axis);
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      Vertex const steps = axis.shortest(arcs_[i]);
      chosen.steps += steps;
      if (steps <= most_steps || chosen.is_long[i]) continue;
      chosen.is_long[i] = true;
      if (10 * ++chosen.num_long > arcs_.size()) return std::nullopt;
    }
    return chosen;
  }

  Vertex tasks_;
  std::span<SampledArc const> arcs_;
  std::vector<Vertex> possible_;
  std::vector<Axis> best_;
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
  auto const axes = BestAxes(tasks, std::span(arcs).first(std::min(arcs.size(), enough_arcs))).best();
  if (axes.empty()) return std::nullopt;
  TaskGrid grid;
  std::vector<__int128> traffic;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    __int128 steps_of_traffic = 0;
    bool wraps = false;
    for (auto const& arc : arcs) {
      if (is_long(arc, axes)) continue;
      Vertex const shortest = axis->shortest(arc);
      steps_of_traffic += static_cast<__int128>(arc.weight) * shortest;
      wraps = wraps || shortest < axis->straight(arc);
    }
    grid.sizes.push_back(axis->size);
    traffic.push_back(steps_of_traffic);
    grid.wraps.push_back(wraps);
  }
  grid.traffic = in_proportion(std::move(traffic));
  return grid;
}

}  // namespace procmap
