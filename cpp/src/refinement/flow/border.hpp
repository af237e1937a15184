// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "refinement/flow/flow_run.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// Who borders on whom: entries (pair, vertex), sorted, and the pairs with their ranges of entries.
template <class Exec>
struct Border {
  Buffer<Exec, KeyedId> entries;
  std::vector<BlockPair> pairs;
  BandNeeds largest_block;  // FlowRun::largest
};

/// What the search for borders counts.
struct BorderCounts {
  Edge vertices = 0;
  Edge most_entries = 0;  // no more than these
  Edge entries = 0;
  BandNeeds largest_block;  // as the refinement began
};

/// Lists the vertices with a neighbour in another block of their scope, but large hubs, in scopes that changed and
/// where no block is overloaded. For vertices that did not change, `borders` knows whether they have one.
struct BorderVertices {
  CsrView graph;
  BlocksView blocks;
  Block const* block = nullptr;
  ScopeState const* scope = nullptr;
  FlowChanges changed;
  std::uint8_t* borders = nullptr;  // flag per vertex, kept from round to round
  Vertex* vertices = nullptr;       // room for all
  BorderCounts* counts = nullptr;
  BandNeeds const* largest_block = nullptr;  // null: nobody asks

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("flow: borders");
    look_around(ex);
    auto const listed = ex.select(
        graph.num_vertices,
        [=, block = block, borders = borders, changed = changed, &blocks = blocks] PROCMAP_LAMBDA(Edge v) {
          return borders[v] && changed.scope[blocks.scope_of(block[v])];
        },
        [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, vertices);
    auto const most = ex.sum(listed, [=, &graph = graph, &blocks = blocks, vertices = vertices] PROCMAP_LAMBDA(Edge i) {
      return adjacent_blocks(graph, blocks.per_scope, vertices[i]);
    });
    ex.for_each_ahead(1, [=, counts = counts, largest = largest_block] PROCMAP_LAMBDA(Edge) {
      *counts = {listed, most, 0, largest ? *largest : BandNeeds{}};
    });
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void look_around(Exec& ex) const {
    ex.for_each_in_group(graph.num_vertices, DegreeOf{graph},
                         [=, &graph = graph, &blocks = blocks, block = block, scope = scope, changed = changed,
                          borders = borders] PROCMAP_LAMBDA(Edge i, auto group) {
                           auto const v = static_cast<Vertex>(i);
                           if (!changed.vertex[v]) return;
                           Block const own = block[v];
                           bool found = false;
                           if (scope[blocks.scope_of(own)].best_overload == 0 && !exceeds_blocks(graph, blocks, v))
                             for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v) && !found; e += group.size())
                               found = block[graph.heads[e]] != own;
                           Weight const lanes = group.sum(Weight{found});
                           if (group.rank() == 0) borders[v] = lanes > 0;
                         });
  }
};

/// Makes an entry for every border vertex and adjacent block, if one of the two blocks changed, sorts them by pair, and
/// lists the pairs. Behind a first item that counts them in `first`. Then nothing has changed any more.
struct BorderPairs {
  CsrView graph;
  BlocksView blocks;
  Block const* block = nullptr;
  FlowChanges changed;
  Vertex const* vertices = nullptr;
  BorderCounts found;
  BorderCounts* counts = nullptr;
  KeyedId* entries = nullptr;  // room for found.most_entries
  BlockPair* pairs = nullptr;  // ... and as many and one
  Edge shown = 0;              // of `pairs`, are to have a value in any case

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("flow: borders");
    make_entries(ex);
    Edge const total = counts->entries;
    ex.sort(entries, total, [] PROCMAP_LAMBDA(KeyedId const& x, KeyedId const& y) {
      return x.key != y.key ? x.key < y.key : x.id < y.id;
    });
    list_pairs(ex, total);
    ex.for_each_ahead(blocks.num_blocks, [=, changed = changed] PROCMAP_LAMBDA(Edge b) { changed.block[b] = 0; });
    ex.for_each_ahead(blocks.num_scopes(), [=, changed = changed] PROCMAP_LAMBDA(Edge s) { changed.scope[s] = 0; });
    ex.for_each_ahead(graph.num_vertices, [=, changed = changed] PROCMAP_LAMBDA(Edge v) { changed.vertex[v] = 0; });
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void make_entries(Exec& ex) const {
    Block const k = blocks.num_blocks;
    ex.for_each_with_table(
        found.vertices,
        [=, &graph = graph, &blocks = blocks, vertices = vertices] PROCMAP_LAMBDA(Edge i) -> TableNeeds {
          return {adjacent_blocks(graph, blocks.per_scope, vertices[i]) + 1, graph.degree(vertices[i])};
        },
        k,
        [=, &graph = graph, block = block, vertices = vertices, changed = changed, entries = entries,
         counts = counts] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
          Vertex const v = vertices[i];
          Block const own = block[v];
          gather_blocks(graph, block, v, group, table);
          table.for_each(group, [&](Vertex other, Weight) {
            if (other == own || !(changed.block[own] || changed.block[other])) return;
            auto const low = static_cast<std::uint64_t>(other < own ? other : own);
            auto const high = static_cast<std::uint64_t>(other < own ? own : other);
            entries[fetch_add(&counts->entries, 1)] = {low * static_cast<std::uint64_t>(k) + high, v};
          });
        });
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void list_pairs(Exec& ex, Edge total) const {
    auto const first_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(total));
    auto* const first = first_buffer.data();
    Edge const num_pairs = ex.select(
        total, [=, entries = entries] PROCMAP_LAMBDA(Edge i) { return i == 0 || entries[i].key != entries[i - 1].key; },
        [=] PROCMAP_LAMBDA(Edge i) { return i; }, first);
    auto const last = [=] PROCMAP_LAMBDA(Edge i) { return i + 1 < num_pairs ? first[i + 1] : total; };
    auto const length = [=] PROCMAP_LAMBDA(Edge i) { return last(i) - first[i]; };
    auto const k = static_cast<std::uint64_t>(blocks.num_blocks);
    ex.for_each_in_group(
        num_pairs, length, [=, changed = changed, entries = entries, pairs = pairs] PROCMAP_LAMBDA(Edge i, auto group) {
          Weight fresh = 0;
          for (Edge j = first[i] + group.rank(); j < last(i); j += group.size()) fresh += changed.vertex[entries[j].id];
          fresh = group.sum(fresh);
          auto const key = entries[first[i]].key;
          if (group.rank() == 0)
            pairs[1 + i] = {static_cast<Block>(key / k), static_cast<Block>(key % k), first[i], last(i), fresh};
        });
    ex.for_each_ahead(1, [=, pairs = pairs] PROCMAP_LAMBDA(Edge) { pairs[0] = {no_block, no_block, num_pairs}; });
    Edge const next = 1 + num_pairs;
    ex.for_each_ahead(shown - next, [=, pairs = pairs] PROCMAP_LAMBDA(Edge i) { pairs[next + i] = BlockPair{}; });
  }

  template <class Exec>
  std::size_t scratch_bytes() const {
    auto const most = static_cast<std::size_t>(found.most_entries);
    auto const of_pairs = Exec::template scratch_bytes<Edge>(most) + Exec::pass_bytes(most);
    return std::max({Exec::template scratch_bytes<KeyedId>(most), of_pairs,
                     Exec::pass_bytes(static_cast<std::size_t>(found.vertices))});
  }
};

template <>
struct KernelTraits<BorderVertices> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};
template <>
struct KernelTraits<BorderPairs> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// The most pairs there may be, of no more than so many entries.
inline Edge most_pairs(BlocksView const& blocks, Edge most_entries) {
  Edge const of_scope = Edge{blocks.per_scope} * (blocks.per_scope - 1) / 2;
  return std::min(most_entries, of_scope * blocks.num_scopes());
}

/// The items behind the first one, which counts them. The first `shown` come in one piece, more in a second one.
template <HostExecutor Exec>
std::vector<BlockPair> download_pairs(Exec& ex, BlockPair const* pairs, Edge shown) {
  std::vector<BlockPair> listed(static_cast<std::size_t>(shown));
  ex.download(pairs, static_cast<Edge>(listed.size()), listed.data());
  auto const num_pairs = listed.front().first;
  if (num_pairs >= shown) {
    listed.resize(static_cast<std::size_t>(num_pairs) + 1);
    ex.download(pairs, static_cast<Edge>(listed.size()), listed.data());
  }
  listed.resize(static_cast<std::size_t>(num_pairs) + 1);
  listed.erase(listed.begin());
  return listed;
}

/// The pairs of adjacent blocks that share a scope, of which one changed; then nothing has changed any more. `vertices`
/// is scratch, one per vertex.
template <HostExecutor Exec>
Border<Exec> find_borders(Exec& ex, FlowRun<Exec> const& run, Vertex* vertices) {
  auto const& graph = run.problem.graph;
  auto const& blocks = run.problem.blocks;
  auto const& state = run.state;
  auto counts_buffer = ex.template buffer<BorderCounts>(1);
  auto* const counts = counts_buffer.data();
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  ex.resident({graph.num_vertices, Exec::pass_bytes(n), 0, graph.num_arcs},
              BorderVertices{graph, blocks, state.block, state.scope, state.changed, run.on_border.data(), vertices,
                             counts, run.largest_block.size() > 0 ? run.largest_block.data() : nullptr});
  auto const found = ex.read(counts);
  Border<Exec> border;
  border.largest_block = found.largest_block;
  if (found.vertices == 0) return border;
  border.entries = ex.template buffer<KeyedId>(static_cast<std::size_t>(found.most_entries));
  Edge const room = 1 + most_pairs(blocks, found.most_entries);
  auto pairs_buffer = ex.template buffer<BlockPair>(static_cast<std::size_t>(room));
  constexpr Edge few = 1 << 10;  // more are fetched by a second copy, for which one waits
  Edge const shown = std::min(room, few);
  BorderPairs const pairs{graph, blocks, state.block,           state.changed,       vertices,
                          found, counts, border.entries.data(), pairs_buffer.data(), shown};
  ResidentNeeds needs{found.vertices, pairs.template scratch_bytes<Exec>(), blocks.num_blocks, graph.num_arcs};
  needs.table_keys = blocks.per_scope + 1;
  ex.resident(needs, pairs);
  border.pairs = download_pairs(ex, pairs_buffer.data(), shown);
  return border;
}

}  // namespace procmap
