// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/atomic.hpp"
#include "objective/hierarchy_distance.hpp"

namespace procmap {

/// Traffic of `block` by the level at which the two PEs meet, in both directions (every edge twice);
/// index 0 is traffic inside a PE.
template <Executor Exec>
std::vector<Weight> traffic_by_level(Exec& ex, CsrView graph, HierarchyDistance objective, Block const* block) {
  constexpr int max_entries = HierarchyDistance::max_levels + 1;
  auto buffer = ex.template buffer<Weight>(max_entries);
  auto* const total = buffer.data();
  ex.fill(total, max_entries, Weight{0});
  Weight const all = ex.sum(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    auto const v = static_cast<Vertex>(i);
    Weight mine[max_entries] = {};
    Weight sum = 0;
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Block const other = block[graph.heads[e]];
      Weight const weight = graph.arc_weight(e);
      sum += weight;
      if (other != block[v]) mine[objective.meeting_level(block[v], other)] += weight;
    }
    for (int level = 1; level < max_entries; ++level)
      if (mine[level] != 0) atomic_add(&total[level], mine[level]);
    return sum;
  });
  std::vector<Weight> traffic(static_cast<std::size_t>(objective.num_levels) + 1);
  ex.download(total, objective.num_levels + 1, traffic.data());
  traffic[0] = all;
  for (std::size_t level = 1; level < traffic.size(); ++level) traffic[0] -= traffic[level];
  return traffic;
}

}  // namespace procmap
