// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "core/atomic.hpp"
#include "graph/degrees.hpp"
#include "objective/hierarchy_distance.hpp"

namespace procmap {

/// Traffic of `block` by the level at which the two PEs meet, in both directions (every edge twice);
/// index 0 is traffic inside a PE.
template <HostExecutor Exec>
std::vector<Weight> traffic_by_level(Exec& ex, CsrView graph, HierarchyDistance objective, Block const* block) {
  constexpr int max_entries = HierarchyDistance::max_levels + 1;
  auto buffer = ex.template buffer<Weight>(max_entries);
  auto* const total = buffer.data();
  ex.fill(total, max_entries, Weight{0});
  ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    Block const own = block[v];
    bool crosses = false;
    Weight mine[max_entries];  // cleared by those who need it: most vertices see no block but their own
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
      Block const other = block[graph.heads[e]];
      if (other == own) continue;
      if (!crosses)
        for (int level = 1; level <= objective.num_levels; ++level) mine[level] = 0;
      crosses = true;
      mine[objective.meeting_level(own, other)] += graph.arc_weight(e);
    }
    if (group.sum(crosses ? 1 : 0) == 0) return;
    for (int level = 1; level <= objective.num_levels; ++level) {
      Weight const sum = group.sum(crosses ? mine[level] : 0);
      if (sum != 0 && group.rank() == 0) contended_add(&total[level], sum);
    }
  });
  bool const has_weights = graph.arc_weights || graph.narrow_arc_weights;
  Weight const all =
      has_weights ? ex.sum(graph.num_arcs, [=] PROCMAP_LAMBDA(Edge e) { return graph.arc_weight(e); }) : graph.num_arcs;
  std::vector<Weight> traffic(static_cast<std::size_t>(objective.num_levels) + 1);
  ex.download(total, objective.num_levels + 1, traffic.data());
  traffic[0] = all;
  for (std::size_t level = 1; level < traffic.size(); ++level) traffic[0] -= traffic[level];
  return traffic;
}

/// Rule: index of `value` among `count` increasing values.
PROCMAP_HD inline Vertex index_of(Weight value, Weight const* values, Vertex count) {
  Vertex low = 0;
  while (count > 1) {
    Vertex const half = count / 2;
    if (values[low + half] <= value) low += half;
    count -= half;
  }
  return low;
}

/// Traffic of `block` by distance, in both directions (every edge twice); index 0 is traffic inside a PE, index
/// i > 0 traffic between PEs at distances[i - 1]. `distances` are all there are, increasing.
template <HostExecutor Exec, class Objective>
std::vector<Weight> traffic_by_distance(Exec& ex, CsrView graph, Objective objective, Block const* block,
                                        std::vector<Weight> const& distances) {
  auto const entries = static_cast<Vertex>(distances.size()) + 1;
  auto distance_buffer = ex.template buffer<Weight>(distances.size());
  auto total_buffer = ex.template buffer<Weight>(static_cast<std::size_t>(entries));
  auto* const value = distance_buffer.data();
  auto* const total = total_buffer.data();
  ex.upload(distances.data(), entries - 1, value);
  ex.fill(total, entries, Weight{0});
  ex.for_each_with_table(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge v) -> TableNeeds {
        Edge const degree = graph.degree(static_cast<Vertex>(v));
        return {degree < entries ? degree : entries, degree};
      },
      entries,
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        auto const v = static_cast<Vertex>(i);
        Block const own = block[v];
        for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
          Block const other = block[graph.heads[e]];
          Vertex const key = other == own ? 0 : 1 + index_of(objective.distance(own, other), value, entries - 1);
          table.add(key, graph.arc_weight(e));
        }
        group.sync();
        table.for_each(group, [&](Vertex key, Weight weight) { atomic_add(&total[key], weight); });
      });
  std::vector<Weight> traffic(static_cast<std::size_t>(entries));
  ex.download(total, entries, traffic.data());
  return traffic;
}

}  // namespace procmap
