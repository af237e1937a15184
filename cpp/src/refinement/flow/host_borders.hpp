// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "refinement/flow/border.hpp"

namespace procmap {

/// find_borders() of border.hpp on a CPU, with one look at every vertex that changed. Entries are sorted by counting:
/// those of a chunk of vertices by the lower block of their pair, and then those of a lower block by the higher one.
template <HostExecutor Exec>
class HostBorders {
 public:
  HostBorders(Exec& ex, FlowRun<Exec> const& run)
      : ex_(ex),
        graph_(run.problem.graph),
        blocks_(run.problem.blocks),
        state_(run.state),
        borders_(run.on_border.data()),
        chunks_(std::clamp<Edge>(graph_.num_vertices / std::max<Block>(blocks_.num_blocks, 1), 1,
                                 ex.chunks_of(graph_.num_vertices))),
        parts_(static_cast<std::size_t>(chunks_)) {}

  Border<Exec> find() {
    Phase phase(ex_.run(), "flow: borders");
    Border<Exec> border;
    ex_.for_each_chunk(graph_.num_vertices, chunks_,
                       [&](Edge c, Edge begin, Edge end) { list_entries(part(c), begin, end); });
    give_places();
    forget_changes();
    if (num_entries_ == 0) return border;
    by_low_ = ex_.template buffer<Entry>(static_cast<std::size_t>(num_entries_));
    ex_.for_each_chunk(chunks_, chunks_, [&](Edge c, Edge, Edge) { sort_by_low(part(c)); });
    border.entries = ex_.template buffer<KeyedId>(static_cast<std::size_t>(num_entries_));
    border.pairs = sort_by_high(border.entries.data());
    return border;
  }

 private:
  /// That a vertex has a neighbour in another block.
  struct Entry {
    Vertex vertex;
    Block low, high;  // of its own block and that one
    bool changed;     // the vertex has
  };
  /// Of a chunk of vertices.
  struct Part {
    std::vector<Entry> entries;
    std::vector<Edge> next;  // by lower block: entries, then the place of the next one
  };

  Part& part(Edge c) { return parts_[static_cast<std::size_t>(c)]; }

  void list_entries(Part& part, Edge begin, Edge end) const {
    part.next.assign(static_cast<std::size_t>(blocks_.num_blocks), 0);
    std::vector<Vertex> seen_by(static_cast<std::size_t>(blocks_.per_scope), no_vertex);  // the last one, by block
    graph_.with_arc_weights([&](auto weight) {
      for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
        bool const changed = state_.changed.vertex[v] != 0;
        if (changed) look_around(v);
        if (borders_[v] != 0 && state_.changed.scope[blocks_.scope_of(state_.block[v])] != 0)
          list_blocks(part, v, changed, seen_by.data(), weight);
        state_.changed.vertex[v] = 0;
      }
    });
  }
  /// Notes whether v, if it is no large hub, has a neighbour in another block, where nothing is overloaded.
  void look_around(Vertex v) const {
    Block const own = state_.block[v];
    bool found = false;
    if (state_.scope[blocks_.scope_of(own)].best_overload == 0 && !exceeds_blocks(graph_, blocks_, v))
      for (Edge e = graph_.begin(v); e < graph_.end(v) && !found; ++e) found = state_.block[graph_.heads[e]] != own;
    borders_[v] = found ? 1 : 0;
  }
  template <class ArcWeight>
  void list_blocks(Part& part, Vertex v, bool changed, Vertex* seen_by, ArcWeight weight) const {
    Block const own = state_.block[v], first = blocks_.first_of(blocks_.scope_of(own));
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Block const other = state_.block[graph_.heads[e]];
      if (other == own || weight(e) == 0 || seen_by[other - first] == v) continue;
      seen_by[other - first] = v;
      if (state_.changed.block[own] == 0 && state_.changed.block[other] == 0) continue;
      Block const low = std::min(own, other);
      part.entries.push_back({v, low, std::max(own, other), changed});
      ++part.next[static_cast<std::size_t>(low)];
    }
  }

  /// Where the entries of every part go, by their lower blocks.
  void give_places() {
    first_of_low_.assign(static_cast<std::size_t>(blocks_.num_blocks) + 1, 0);
    for (std::size_t low = 0; low + 1 < first_of_low_.size(); ++low) {
      first_of_low_[low] = num_entries_;
      for (auto& part : parts_) {
        Edge const count = part.next[low];
        part.next[low] = num_entries_;
        num_entries_ += count;
      }
    }
    first_of_low_.back() = num_entries_;
  }
  void forget_changes() const {
    std::fill_n(state_.changed.block, blocks_.num_blocks, std::uint8_t{0});
    std::fill_n(state_.changed.scope, blocks_.num_scopes(), std::uint8_t{0});
  }
  void sort_by_low(Part& part) const {
    for (Entry const& entry : part.entries) by_low_.data()[part.next[static_cast<std::size_t>(entry.low)]++] = entry;
  }

  /// Returns the pairs, in their order.
  std::vector<BlockPair> sort_by_high(KeyedId* entries) const {
    Block const k = blocks_.num_blocks;
    Edge const chunks = std::min<Edge>(ex_.chunks_of(num_entries_), chunks_);
    std::vector<std::vector<BlockPair>> found(static_cast<std::size_t>(chunks));
    ex_.for_each_chunk(k, chunks, [&](Edge c, Edge begin, Edge end) {
      std::vector<BlockPair> of_high(static_cast<std::size_t>(blocks_.per_scope));
      for (auto low = static_cast<Block>(begin); low < end; ++low)
        sort_lower_block(low, of_high.data(), entries, found[static_cast<std::size_t>(c)]);
    });
    std::vector<BlockPair> pairs;
    for (auto const& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
    return pairs;
  }
  /// `of_high`: scratch for the blocks of a scope, of which none has entries.
  void sort_lower_block(Block low, BlockPair* of_high, KeyedId* entries, std::vector<BlockPair>& pairs) const {
    Edge const begin = first_of_low_[static_cast<std::size_t>(low)];
    Edge const end = first_of_low_[static_cast<std::size_t>(low) + 1];
    Block const first = blocks_.first_of(blocks_.scope_of(low));
    auto const pair_of = [&](Entry const& entry) -> BlockPair& { return of_high[entry.high - first]; };
    std::vector<Block> highs;
    for (Edge i = begin; i < end; ++i) {
      Entry const& entry = by_low_.data()[i];
      auto& pair = pair_of(entry);
      if (pair.last++ == 0) highs.push_back(entry.high);
      pair.changed += entry.changed ? 1 : 0;
    }
    std::sort(highs.begin(), highs.end());
    Edge next = begin;
    for (Block const high : highs) {
      auto& pair = of_high[high - first];
      pair.a = low;
      pair.b = high;
      pair.first = next;
      next += pair.last;
      pair.last = pair.first;  // until its entries are in their places
    }
    auto const k = static_cast<std::uint64_t>(blocks_.num_blocks);
    for (Edge i = begin; i < end; ++i) {
      Entry const& entry = by_low_.data()[i];
      auto const key = static_cast<std::uint64_t>(low) * k + static_cast<std::uint64_t>(entry.high);
      entries[pair_of(entry).last++] = {key, entry.vertex};
    }
    for (Block const high : highs) pairs.push_back(std::exchange(of_high[high - first], BlockPair{}));
  }

  Exec& ex_;
  CsrView graph_;
  BlocksView blocks_;
  FlowState state_;
  std::uint8_t* borders_;
  Edge chunks_;  // of vertices; all their counts together are no more than there are vertices
  std::vector<Part> parts_;
  std::vector<Edge> first_of_low_;
  Edge num_entries_ = 0;
  Buffer<Exec, Entry> by_low_;
};

}  // namespace procmap
