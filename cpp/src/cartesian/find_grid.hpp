// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "cartesian/grid_from_corner.hpp"
#include "cartesian/task_grid.hpp"
#include "core/index.hpp"
#include "graph/host_graph.hpp"

namespace procmap {

/// Adds the arcs of `count` tasks from `first` on, unless there are more than a stencil has.
template <HostExecutor Exec>
void sample_arcs(Exec& ex, CsrView graph, Vertex first, Vertex count, std::vector<SampledArc>& arcs) {
  constexpr Edge most_per_task = 128;
  std::vector<Edge> offsets(index(count) + 1);
  ex.download(graph.offsets + first, count + 1, offsets.data());
  Edge const begin = offsets.front(), size = offsets.back() - begin;
  if (size > most_per_task * count) return;
  std::vector<Vertex> heads(index(size));
  ex.download(graph.heads + begin, size, heads.data());
  auto const weights = download_arc_weights(ex, graph, begin, size);
  for (Vertex task = 0; task < count; ++task)
    for (Edge e = offsets[index(task)]; e < offsets[index(task) + 1]; ++e)
      arcs.push_back({first + task, heads[index(e - begin)], weights[index(e - begin)]});
}

/// The grid that the tasks of a graph seem to form. Looks at tasks in the middle, which talk along all axes, and at the
/// first one, which talks to the last ones where an axis wraps; if these may be part of a grid in any order, at the
/// whole graph: first where there are few tasks, whose numbers may look like those of a grid by chance. At last it
/// looks at others than those in the middle, where equal blocks of a mesh or faces of a cube may meet.
template <HostExecutor Exec>
std::optional<TaskGrid> find_grid(Exec& ex, CsrView graph) {
  constexpr Vertex enough = 256, few = 4096;
  Vertex const n = graph.num_vertices, count = n < enough ? n : enough;
  auto const sample_from = [&](Vertex first) {
    std::vector<SampledArc> arcs;
    sample_arcs(ex, graph, first, count, arcs);
    if (count < n && !arcs.empty()) sample_arcs(ex, graph, 0, 1, arcs);
    return arcs;
  };
  auto const arcs = sample_from((n - count) / 2);
  if (arcs.empty()) return std::nullopt;
  auto const from_corner = [&]() -> std::optional<TaskGrid> {
    if (!may_be_shuffled_grid(arcs)) return std::nullopt;
    auto const rows = download_rows(ex, graph);
    return grid_from_corner(rows.view(), arcs);
  };
  if (auto const grid = n <= few ? from_corner() : std::nullopt) return grid;
  if (auto const grid = recognise_grid(n, arcs)) return grid;
  if (auto const grid = n <= few ? std::nullopt : from_corner()) return grid;
  if (count == n) return std::nullopt;
  return recognise_grid(n, sample_from(static_cast<Vertex>(Edge{n - count} * 5 / 13)));
}

}  // namespace procmap
