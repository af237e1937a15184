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

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const found = find(ex);
    ex.for_each_ahead(1, [=, counts = counts] PROCMAP_LAMBDA(Edge) { *counts = found; });
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT BorderCounts find(Exec& ex) const {
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
    return {listed, most, 0};
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

/// The first item of a list of pairs: how many follow, and what the largest block has.
PROCMAP_HD inline BlockPair first_of_list(Edge num_pairs, BandNeeds largest) {
  return {no_block, no_block, num_pairs, largest.vertices, largest.arcs};
}

/// Makes an entry for every border vertex and adjacent block, if one of the two blocks changed, sorts them by pair, and
/// lists the pairs behind a first item (first_of_list). Then nothing has changed any more.
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
  BandNeeds const* largest_block = nullptr;  // null: nobody asks

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    list(ex, found.vertices);
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void list(Exec& ex, Edge num_vertices) const {
    auto const phase = ex.phase("flow: borders");
    make_entries(ex, num_vertices);
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
  PROCMAP_RESIDENT void make_entries(Exec& ex, Edge num_vertices) const {
    Block const k = blocks.num_blocks;
    ex.for_each_with_table(
        num_vertices,
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
    ex.for_each_ahead(1, [=, pairs = pairs, largest = largest_block] PROCMAP_LAMBDA(Edge) {
      pairs[0] = first_of_list(num_pairs, largest ? *largest : BandNeeds{});
    });
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

/// Both, where there is room for all entries there could be.
struct BorderSearch {
  BorderVertices vertices;
  BorderPairs pairs;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    ex.for_each_ahead(1, [counts = pairs.counts] PROCMAP_LAMBDA(Edge) { counts->entries = 0; });
    auto const found = vertices.find(ex);
    pairs.list(ex, found.vertices);
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
template <>
struct KernelTraits<BorderSearch> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// The most entries there may be.
inline Edge most_entries(CsrView graph, BlocksView const& blocks) {
  return std::min(graph.num_arcs, Edge{graph.num_vertices} * (blocks.per_scope - 1));
}

/// The most pairs there may be, of no more than so many entries.
inline Edge most_pairs(BlocksView const& blocks, Edge most_entries) {
  Edge const of_scope = Edge{blocks.per_scope} * (blocks.per_scope - 1) / 2;
  return std::min(most_entries, of_scope * blocks.num_scopes());
}

/// Brings a list of pairs to the host. The first `shown` items come in one piece, more in a second one.
template <HostExecutor Exec>
void download_pairs(Exec& ex, BlockPair const* pairs, Edge shown, Border<Exec>& border) {
  auto& listed = border.pairs;
  listed.resize(static_cast<std::size_t>(shown));
  ex.download(pairs, shown, listed.data());
  auto const head = listed.front();
  auto const all = static_cast<std::size_t>(head.first) + 1;
  listed.resize(all);
  if (head.first >= shown) ex.download(pairs, static_cast<Edge>(all), listed.data());
  listed.erase(listed.begin());
  border.largest_block = {head.last, head.changed};
}

/// The pairs of adjacent blocks that share a scope, of which one changed; then nothing has changed any more. `vertices`
/// is scratch, one per vertex. Where there may be at most so many entries, the host needs no answer in between, for 40
/// bytes for each of them.
template <HostExecutor Exec>
Border<Exec> find_borders(Exec& ex, FlowRun<Exec> const& run, Vertex* vertices, Edge entries_at_once = Edge{1} << 14) {
  auto const& graph = run.problem.graph;
  auto const& blocks = run.problem.blocks;
  auto const& state = run.state;
  auto counts_buffer = ex.template buffer<BorderCounts>(1);
  auto* const counts = counts_buffer.data();
  auto const bytes = Exec::pass_bytes(static_cast<std::size_t>(graph.num_vertices));
  BorderVertices const search{graph,    blocks, state.block, state.scope, state.changed, run.on_border.data(),
                              vertices, counts};
  BorderCounts found{graph.num_vertices, most_entries(graph, blocks), 0};
  bool const at_once = found.most_entries <= entries_at_once;
  Border<Exec> border;
  if (!at_once) {
    ex.resident({graph.num_vertices, bytes, 0, graph.num_arcs}, search);
    found = ex.read(counts);
    if (found.vertices == 0) return border;
  }
  border.entries = ex.template buffer<KeyedId>(static_cast<std::size_t>(found.most_entries));
  Edge const room = 1 + most_pairs(blocks, found.most_entries);
  auto pairs_buffer = ex.template buffer<BlockPair>(static_cast<std::size_t>(room));
  constexpr Edge few = 1 << 10;  // more are fetched by a second copy, for which one waits
  Edge const shown = std::min(room, few);
  auto const* const largest = run.largest_block.size() > 0 ? run.largest_block.data() : nullptr;
  BorderPairs const pairs{graph,  blocks, state.block,           state.changed,       vertices,
                          found,  counts, border.entries.data(), pairs_buffer.data(), shown,
                          largest};
  ResidentNeeds needs{found.vertices, std::max(bytes, pairs.template scratch_bytes<Exec>()), blocks.num_blocks,
                      graph.num_arcs};
  needs.table_keys = blocks.per_scope + 1;
  if (at_once)
    ex.resident(needs, BorderSearch{search, pairs});
  else
    ex.resident(needs, pairs);
  download_pairs(ex, pairs_buffer.data(), shown, border);
  return border;
}

}  // namespace procmap
