// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/atomic.hpp"
#include "refinement/flow/flow_run.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// Who borders on whom: entries (pair, vertex), sorted, and the pairs with their ranges of entries.
template <class Exec>
struct Border {
  Buffer<Exec, KeyedId> entries;
  std::vector<BlockPair> pairs;
};

/// The vertices with a neighbour in another block of their scope, in scopes that changed and where no block is
/// overloaded. For vertices that did not change, run.on_border knows whether they have one. `vertices` has room for
/// all.
template <HostExecutor Exec>
Edge border_vertices(Exec& ex, FlowRun<Exec> const& run, Vertex* vertices) {
  auto const graph = run.problem.graph;
  auto const blocks = run.problem.blocks;
  auto const* const block = run.state.block;
  auto const* const scope = run.state.scope;
  auto const changed = run.state.changed;
  auto* const borders = run.on_border.data();
  auto const degree = [=] PROCMAP_LAMBDA(Edge v) { return graph.degree(static_cast<Vertex>(v)); };
  ex.for_each_in_group(graph.num_vertices, degree, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    if (!changed.vertex[v]) return;
    Block const own = block[v];
    bool found = false;
    if (scope[blocks.scope_of(own)].best_overload == 0)
      for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v) && !found; e += group.size())
        found = block[graph.heads[e]] != own;
    Weight const lanes = group.sum(Weight{found});
    if (group.rank() == 0) borders[v] = lanes > 0;
  });
  return ex.select(
      graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) { return borders[v] && changed.scope[blocks.scope_of(block[v])]; },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, vertices);
}

/// At most how many other blocks the i-th of `vertices` sees.
struct AdjacentBlocks {
  CsrView graph;
  Vertex const* vertices;
  Block per_scope;

  PROCMAP_HD Edge operator()(Edge i) const {
    Edge const degree = graph.degree(vertices[i]);
    return degree < per_scope ? degree : per_scope;
  }
};

/// An entry for every border vertex and adjacent block, if one of the two blocks changed; sorted by pair. Returns how
/// many.
template <HostExecutor Exec>
Edge border_entries(Exec& ex, FlowRun<Exec> const& run, Vertex const* vertices, Edge num_vertices,
                    Buffer<Exec, KeyedId>& out) {
  auto const graph = run.problem.graph;
  auto const blocks = run.problem.blocks;
  auto const* const block = run.state.block;
  auto const changed = run.state.changed;
  AdjacentBlocks const most{graph, vertices, blocks.per_scope};
  out = ex.template buffer<KeyedId>(static_cast<std::size_t>(ex.sum(num_vertices, most)));
  auto count_buffer = ex.template buffer<Edge>(1);
  auto* const count = count_buffer.data();
  auto* const entries = out.data();
  ex.fill(count, 1, Edge{0});
  Block const k = blocks.num_blocks;
  ex.for_each_with_table(
      num_vertices, [=] PROCMAP_LAMBDA(Edge i) -> TableNeeds { return {most(i) + 1, graph.degree(vertices[i])}; }, k,
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = vertices[i];
        Block const own = block[v];
        gather_blocks(graph, block, v, group, table);
        table.for_each(group, [&](Vertex other, Weight) {
          if (other == own || !(changed.block[own] || changed.block[other])) return;
          auto const low = static_cast<std::uint64_t>(other < own ? other : own);
          auto const high = static_cast<std::uint64_t>(other < own ? own : other);
          entries[fetch_add(count, 1)] = {low * static_cast<std::uint64_t>(k) + high, v};
        });
      });
  Edge const total = ex.read(count);
  ex.sort(entries, total, [] PROCMAP_LAMBDA(KeyedId const& x, KeyedId const& y) {
    return x.key != y.key ? x.key < y.key : x.id < y.id;
  });
  return total;
}

/// The pairs of adjacent blocks that share a scope, of which one changed. `vertices` is scratch, one per vertex.
template <HostExecutor Exec>
Border<Exec> find_borders(Exec& ex, FlowRun<Exec> const& run, Vertex* vertices) {
  Phase phase(ex.run(), "flow: borders");
  auto const changed = run.state.changed;
  Border<Exec> border;
  Edge const num_vertices = border_vertices(ex, run, vertices);
  Edge const total = border_entries(ex, run, vertices, num_vertices, border.entries);
  auto const* const entries = border.entries.data();
  auto first_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(total));
  auto* const first = first_buffer.data();
  Edge const num_pairs = ex.select(
      total, [=] PROCMAP_LAMBDA(Edge i) { return i == 0 || entries[i].key != entries[i - 1].key; },
      [=] PROCMAP_LAMBDA(Edge i) { return i; }, first);
  auto pairs_buffer = ex.template buffer<BlockPair>(static_cast<std::size_t>(num_pairs));
  auto* const pairs = pairs_buffer.data();
  auto const k = static_cast<std::uint64_t>(run.problem.blocks.num_blocks);
  auto const last = [=] PROCMAP_LAMBDA(Edge i) { return i + 1 < num_pairs ? first[i + 1] : total; };
  auto const length = [=] PROCMAP_LAMBDA(Edge i) { return last(i) - first[i]; };
  ex.for_each_in_group(num_pairs, length, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Weight fresh = 0;
    for (Edge j = first[i] + group.rank(); j < last(i); j += group.size()) fresh += changed.vertex[entries[j].id];
    fresh = group.sum(fresh);
    auto const key = entries[first[i]].key;
    if (group.rank() == 0)
      pairs[i] = {static_cast<Block>(key / k), static_cast<Block>(key % k), first[i], last(i), fresh};
  });
  border.pairs.resize(static_cast<std::size_t>(num_pairs));
  ex.download(pairs, num_pairs, border.pairs.data());
  return border;
}

}  // namespace procmap
