// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Tasks at all points of a box, each with traffic to points near to it (a stencil). Points are numbered as by
/// MPI_Cart_create and in arrays of C: along the last axis first.
struct TaskGrid {
  std::vector<Vertex> sizes;    // per axis
  std::vector<Weight> traffic;  // per axis: times the steps it goes along this axis; at most 2^20, in proportion
  std::vector<bool> wraps;      // per axis: do the last points talk to the first ones?
  std::vector<Vertex> point;    // per task; empty if tasks are numbered as points are
};

/// Some arcs of a graph.
struct SampledArc {
  Vertex tail, head;
  Weight weight;
};

/// The grid that the arcs of some tasks suggest if these are numbered as points are, of one to four axes; nothing if
/// these are no arcs of a grid. At least nine tenths of them go at most two steps along each axis.
std::optional<TaskGrid> recognise_grid(Vertex tasks, std::vector<SampledArc> const& arcs);

/// In proportion to each other, halved until none is above 2^20.
std::vector<Weight> in_proportion(std::vector<__int128> values);

}  // namespace procmap
