// SPDX-License-Identifier: MIT
#include "cartesian/grid_from_corner.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/index.hpp"

namespace procmap {
namespace {

constexpr Edge most_axes_seen = 3;
constexpr Vertex unknown = -1;

/// Coordinates of tasks by their distance from a corner: in a grid whoever has several neighbours nearer to it lies
/// where these meet, and who has one lies on an axis.
class CornerView {
 public:
  explicit CornerView(CsrView graph) : graph_(graph), distance_(index(graph.num_vertices), unknown) {}

  /// Whether all tasks got consistent coordinates.
  bool look_from(Vertex corner) {
    axes_ = index(graph_.degree(corner));
    coordinates_.assign(axes_ * index(graph_.num_vertices), 0);
    distance_[index(corner)] = 0;
    std::vector<Vertex> queue{corner};
    queue.reserve(index(graph_.num_vertices));
    for (std::size_t next = 0; next < queue.size(); ++next) {
      Vertex const task = queue[next];
      if (next > 0 && !place(task, next <= axes_ ? next - 1 : axes_)) return false;
      for (Edge e = graph_.begin(task); e < graph_.end(task); ++e) {
        Vertex const head = graph_.heads[e];
        if (distance_[index(head)] != unknown) continue;
        distance_[index(head)] = distance_[index(task)] + 1;
        queue.push_back(head);
      }
    }
    return queue.size() == index(graph_.num_vertices);
  }

  bool all_arcs_are_steps() const {
    for (Vertex task = 0; task < graph_.num_vertices; ++task)
      for (Edge e = graph_.begin(task); e < graph_.end(task); ++e)
        if (step_between(task, graph_.heads[e]) == axes_) return false;
    return true;
  }

  /// The axis along which two tasks are one step apart; axes() if they are not.
  std::size_t step_between(Vertex task, Vertex other) const {
    auto const* const a = coordinates(task);
    auto const* const b = coordinates(other);
    std::size_t axis = axes_;
    for (std::size_t i = 0; i < axes_; ++i) {
      if (a[i] == b[i]) continue;
      if (axis != axes_ || std::abs(a[i] - b[i]) != 1) return axes_;
      axis = i;
    }
    return axis;
  }

  std::size_t axes() const { return axes_; }
  Vertex const* coordinates(Vertex task) const { return coordinates_.data() + axes_ * index(task); }

 private:
  /// The first tasks, those beside the corner, each lie on an axis of their own, which is given.
  bool place(Vertex task, std::size_t own_axis) {
    Vertex* const here = coordinates_.data() + axes_ * index(task);
    Vertex nearer = unknown;
    int count = 0;
    for (Edge e = graph_.begin(task); e < graph_.end(task); ++e) {
      Vertex const head = graph_.heads[e];
      if (distance_[index(head)] != distance_[index(task)] - 1) continue;
      nearer = head;
      ++count;
      for (std::size_t i = 0; i < axes_; ++i) here[i] = std::max(here[i], coordinates(head)[i]);
    }
    if (count == 1) {
      std::size_t const axis = own_axis < axes_ ? own_axis : axis_of(nearer);
      if (axis == axes_) return false;
      ++here[axis];
    }
    Vertex sum = 0;
    for (std::size_t i = 0; i < axes_; ++i) sum += here[i];
    return sum == distance_[index(task)];
  }

  /// The axis on which a task lies; axes() if it lies on none.
  std::size_t axis_of(Vertex task) const {
    auto const* const at = coordinates(task);
    std::size_t axis = axes_;
    for (std::size_t i = 0; i < axes_; ++i) {
      if (at[i] == 0) continue;
      if (axis != axes_) return axes_;
      axis = i;
    }
    return axis;
  }

  CsrView graph_;
  std::size_t axes_ = 0;
  std::vector<Vertex> distance_;     // steps from the corner
  std::vector<Vertex> coordinates_;  // [task * axes + i]
};

std::vector<Vertex> sizes_seen(CornerView const& view, Vertex tasks) {
  std::vector<Vertex> sizes(view.axes(), 1);
  for (Vertex task = 0; task < tasks; ++task)
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], view.coordinates(task)[i] + 1);
  return sizes;
}

/// Numbers along the last axis first; empty if two tasks lie at one point, or none at some.
std::vector<Vertex> points_of(CornerView const& view, std::vector<Vertex> const& sizes, Vertex tasks) {
  Edge points = 1;
  for (Vertex const size : sizes)
    if (points <= tasks) points *= size;
  if (points != tasks) return {};
  std::vector<Vertex> point(index(tasks), 0);
  std::vector<bool> taken(index(tasks));
  for (Vertex task = 0; task < tasks; ++task) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      point[index(task)] = point[index(task)] * sizes[i] + view.coordinates(task)[i];
    if (taken[index(point[index(task)])]) return {};
    taken[index(point[index(task)])] = true;
  }
  return point;
}

}  // namespace

bool may_be_shuffled_grid(std::vector<SampledArc> const& arcs) {
  if (arcs.empty()) return false;
  Edge tasks = 0, degree = 0, most = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    bool const is_new = i == 0 || arcs[i].tail != arcs[i - 1].tail;
    tasks += is_new;
    degree = is_new ? 1 : degree + 1;
    most = std::max(most, degree);
  }
  return most <= 2 * most_axes_seen && 5 * static_cast<Edge>(arcs.size()) >= 3 * most * tasks;
}

std::optional<TaskGrid> grid_from_corner(CsrView host_graph, std::vector<SampledArc> const& arcs) {
  Vertex const n = host_graph.num_vertices;
  Vertex corner = 0;
  for (Vertex task = 1; task < n; ++task)
    if (host_graph.degree(task) < host_graph.degree(corner)) corner = task;
  if (host_graph.degree(corner) < 2 || host_graph.degree(corner) > most_axes_seen) return std::nullopt;
  CornerView view(host_graph);
  if (!view.look_from(corner) || !view.all_arcs_are_steps()) return std::nullopt;
  TaskGrid grid;
  grid.sizes = sizes_seen(view, n);
  grid.wraps.assign(view.axes(), false);
  grid.point = points_of(view, grid.sizes, n);
  if (grid.point.empty()) return std::nullopt;
  std::vector<__int128> traffic(view.axes(), 0);
  for (auto const& arc : arcs) traffic[view.step_between(arc.tail, arc.head)] += arc.weight;
  grid.traffic = in_proportion(std::move(traffic));
  return grid;
}

}  // namespace procmap
