// SPDX-License-Identifier: MIT
#include "cartesian/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/hash.hpp"
#include "core/index.hpp"

namespace procmap {
namespace {

using Vector = std::vector<double>;

constexpr Vertex most_pivots = 16;
constexpr int iterations = 100;  // of the power method: axes of about the same length may be any in their plane

double product(Vector const& a, Vector const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Makes `v` a unit vector orthogonal to `others`, which are some; returns its length before. Zero stays zero.
double normalise(Vector& v, std::vector<Vector> const& others) {
  for (auto const& other : others) {
    double const part = product(v, other);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part * other[i];
  }
  double const length = std::sqrt(product(v, v));
  if (length > 0)
    for (auto& value : v) value /= length;
  return length;
}

/// A unit vector by chance, orthogonal to `others`.
Vector some_direction(std::size_t size, std::uint64_t seed, std::vector<Vector> const& others) {
  Vector v;
  for (std::size_t i = 0; i < size; ++i)
    v.push_back(static_cast<double>(hash(seed, i) >> 40) - static_cast<double>(1 << 23));  // 24 bits
  normalise(v, others);
  return v;
}

constexpr double unreached = -1;

/// Sets the steps from `start` to all vertices that are reached and were not before; returns these, the nearest first.
std::vector<Vertex> find_steps(CsrView graph, Vertex start, Vector& steps) {
  std::vector<Vertex> queue{start};
  steps[index(start)] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (Edge e = graph.begin(queue[next]); e < graph.end(queue[next]); ++e) {
      auto const head = graph.heads[e];
      if (steps[index(head)] != unreached) continue;
      steps[index(head)] = steps[index(queue[next])] + 1;
      queue.push_back(head);
    }
  return queue;
}

/// A vertex of the largest component, at an end of it: the first of those farthest from its first vertex, whatever the
/// order of arcs, which is another one on a GPU.
Vertex first_pivot(CsrView graph) {
  Vector steps(index(graph.num_vertices), unreached);
  std::vector<Vertex> largest;
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    if (steps[index(v)] != unreached) continue;
    auto component = find_steps(graph, v, steps);
    if (component.size() > largest.size()) largest = std::move(component);
  }
  auto const comes_before = [&](Vertex a, Vertex b) {
    double const of_a = steps[index(a)], of_b = steps[index(b)];
    return of_a != of_b ? of_a < of_b : a > b;
  };
  return *std::ranges::max_element(largest, comes_before);
}

/// Those who are not reached are in the middle.
void place_unreached(Vector& steps) {
  double sum = 0, count = 0;
  for (double const one : steps) {
    sum += one == unreached ? 0 : one;
    count += one == unreached ? 0 : 1;
  }
  std::ranges::replace(steps, unreached, sum / count);
}

/// Per pivot the steps to all vertices; each pivot is the vertex farthest from all before.
std::vector<Vector> steps_from_pivots(CsrView graph) {
  std::vector<Vector> all;
  Vertex pivot = first_pivot(graph);
  Vector nearest;
  for (Vertex i = 0; i < std::min(most_pivots, graph.num_vertices); ++i) {
    Vector steps(index(graph.num_vertices), unreached);
    find_steps(graph, pivot, steps);
    if (i == 0) nearest = steps;
    for (std::size_t v = 0; v < steps.size(); ++v) nearest[v] = std::min(nearest[v], steps[v]);
    pivot = static_cast<Vertex>(std::ranges::max_element(nearest) - nearest.begin());
    place_unreached(steps);
    all.push_back(std::move(steps));
  }
  return all;
}

/// Steps become products of points: squares whose means per vertex and per pivot are zero, times -1/2.
void centre(std::vector<Vector>& pivots) {
  auto const num_pivots = static_cast<double>(pivots.size());
  auto const num_vertices = static_cast<double>(pivots[0].size());
  Vector of_vertex(pivots[0].size(), 0);
  double of_all = 0;
  for (auto& column : pivots)
    for (std::size_t v = 0; v < column.size(); ++v) of_vertex[v] += (column[v] *= column[v]) / num_pivots;
  for (double const mean : of_vertex) of_all += mean / num_vertices;
  for (auto& column : pivots) {
    double of_pivot = 0;
    for (double const square : column) of_pivot += square / num_vertices;
    for (std::size_t v = 0; v < column.size(); ++v) column[v] = (of_vertex[v] + of_pivot - of_all - column[v]) / 2;
  }
}

struct MainAxes {
  std::vector<Vector> direction;  // among pivots, unit vectors
  Vector eigenvalue;
};

/// The axes along which the columns spread most: eigenvectors of their products, by the power method.
MainAxes main_axes(std::vector<Vector> const& columns, std::size_t num_axes) {
  std::vector<Vector> products;
  for (auto const& a : columns) {
    products.emplace_back();
    for (auto const& b : columns) products.back().push_back(product(a, b));
  }
  MainAxes axes;
  for (std::size_t i = 0; i < num_axes; ++i) {
    auto direction = some_direction(columns.size(), i, axes.direction);
    double eigenvalue = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
      Vector next;
      for (auto const& row : products) next.push_back(product(row, direction));
      eigenvalue = normalise(next, axes.direction);
      direction = std::move(next);
    }
    axes.direction.push_back(std::move(direction));
    axes.eigenvalue.push_back(eigenvalue);
  }
  return axes;
}

}  // namespace

Layout lay_out(CsrView host_graph, std::size_t num_axes) {
  Layout layout{num_axes, Vector(num_axes * index(host_graph.num_vertices), 0)};
  if (host_graph.num_vertices == 0) return layout;
  auto columns = steps_from_pivots(host_graph);
  centre(columns);
  auto const axes = main_axes(columns, num_axes);
  for (std::size_t axis = 0; axis < num_axes; ++axis) {
    // The root of a singular value, whose square is the eigenvalue: lengths along different axes compare.
    double const scale = std::sqrt(std::sqrt(axes.eigenvalue[axis]));
    if (!(scale > 0)) continue;
    for (std::size_t pivot = 0; pivot < columns.size(); ++pivot)
      for (std::size_t v = 0; v < columns[pivot].size(); ++v)
        layout.at[v * num_axes + axis] += columns[pivot][v] * (axes.direction[axis][pivot] / scale);
  }
  return layout;
}

Layout turned(Layout const& layout, int turn) {
  if (turn == 0) return layout;
  std::vector<Vector> directions;
  for (std::size_t i = 0; i < layout.axes; ++i)
    directions.push_back(some_direction(layout.axes, hash(static_cast<std::uint64_t>(turn), i), directions));
  Layout other{layout.axes, Vector(layout.at.size(), 0)};
  for (std::size_t first = 0; first < layout.at.size(); first += layout.axes)
    for (std::size_t i = 0; i < layout.axes; ++i)
      for (std::size_t j = 0; j < layout.axes; ++j) other.at[first + i] += layout.at[first + j] * directions[i][j];
  return other;
}

}  // namespace procmap
