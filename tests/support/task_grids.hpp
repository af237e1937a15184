// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "cartesian/task_grid.hpp"
#include "support/graphs.hpp"

namespace procmap::test {

/// A grid of tasks: points per axis, along the last one of which they are numbered first, and who talks to whom.
struct Stencil {
  std::vector<Vertex> sizes;
  bool wraps = false;
  bool diagonals = false;  // else each task talks along the axes alone
  int reach = 1;           // steps along an axis

  Vertex tasks() const {
    Vertex n = 1;
    for (Vertex const size : sizes) n *= size;
    return n;
  }
  std::string name() const {
    std::string text = diagonals ? "box" : "star";
    for (Vertex const size : sizes) text += " " + std::to_string(size);
    return text + (wraps ? " wraps" : "") + " reach " + std::to_string(reach);
  }
  std::vector<Vertex> point(Vertex task) const {
    std::vector<Vertex> at(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0; task /= sizes[i]) at[i] = task % sizes[i];
    return at;
  }
  /// Along each axis, the short way round.
  std::vector<Vertex> steps(Vertex a, Vertex b) const {
    auto from = point(a), to = point(b);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Vertex const straight = std::abs(from[i] - to[i]);
      from[i] = wraps ? std::min(straight, sizes[i] - straight) : straight;
    }
    return from;
  }
  bool talk(Vertex a, Vertex b) const {
    auto const along = steps(a, b);
    Vertex const most = *std::ranges::max_element(along);
    auto const axes = std::ranges::count_if(along, [](Vertex count) { return count > 0; });
    return most > 0 && most <= reach && (diagonals || axes == 1);
  }
};

/// By comparing all tasks.
inline Csr csr_of(Stencil const& stencil) {
  EdgeList edges;
  for (Vertex a = 0; a < stencil.tasks(); ++a)
    for (Vertex b = 0; b < a; ++b)
      if (stencil.talk(a, b)) edges.emplace_back(a, b);
  return csr_from_edges(stencil.tasks(), edges);
}

inline std::vector<Stencil> stencils() {
  std::vector<Stencil> all;
  for (auto const& sizes :
       std::vector<std::vector<Vertex>>{{40}, {12, 10}, {6, 30}, {9, 8, 7}, {12, 6, 10}, {5, 6, 7, 6}})
    for (bool const wraps : {false, true})
      for (bool const diagonals : {false, true}) all.push_back({sizes, wraps, diagonals});
  all.push_back({{14, 16}, false, false, 2});
  return all;
}

}  // namespace procmap::test
