// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "core/atomic.hpp"
#include "exec/executor.hpp"
#include "graph/degrees.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Exchanges equal subtrees of the machine (with everything mapped to them) as long as that lowers J.
/// Runs on the host: `traffic` is the symmetric matrix of the traffic between the subtrees with
/// `pes_per_subtree` PEs each, a level of the hierarchy. Returns where every subtree goes.
std::vector<Block> swap_subtrees(std::vector<Weight> traffic, Topology const& topology, Block pes_per_subtree);

/// PEs of the smallest subtrees of `topology` of which there are at most `max_subtrees`.
inline Block smallest_subtree(Topology const& topology, Block max_subtrees) {
  Block pes = 1;
  for (Block const size : topology.sizes()) {
    if (topology.num_pes() / pes <= max_subtrees) break;
    pes *= size;
  }
  return pes;
}

/// Relabels the blocks of `block` by swaps of subtrees; returns whether any lowered J. All blocks must have
/// the same capacity.
template <HostExecutor Exec>
bool improve_by_subtree_swaps(Exec& ex, CsrView graph, Topology const& topology, Block max_subtrees, Block* block) {
  Block const pes = smallest_subtree(topology, max_subtrees);
  Block const subtrees = topology.num_pes() / pes;
  if (topology.num_levels() < 2 || subtrees < 2) return false;
  Phase phase(ex.run(), "subtree swaps");

  Edge const entries = Edge{subtrees} * subtrees;
  auto buffer = ex.template buffer<Weight>(static_cast<std::size_t>(entries));
  auto* const traffic = buffer.data();
  ex.fill(traffic, entries, Weight{0});
  ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    Block const from = block[v] / pes;
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
      Block const other = block[graph.heads[e]];
      if (other == block[v]) continue;
      if (Block const to = other / pes; to != from)
        uneven_add(&traffic[Edge{from} * subtrees + to], graph.arc_weight(e));
    }
  });
  std::vector<Weight> host(static_cast<std::size_t>(entries));
  ex.download(traffic, entries, host.data());

  auto const position = swap_subtrees(std::move(host), topology, pes);
  if (std::is_sorted(position.begin(), position.end())) return false;
  auto position_buffer = ex.template buffer<Block>(position.size());
  auto* const new_place = position_buffer.data();
  ex.upload(position.data(), subtrees, new_place);
  ex.for_each(graph.num_vertices,
              [=] PROCMAP_LAMBDA(Edge v) { block[v] = new_place[block[v] / pes] * pes + block[v] % pes; });
  return true;
}

}  // namespace procmap
