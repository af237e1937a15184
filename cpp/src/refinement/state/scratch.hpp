// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "exec/executor.hpp"
#include "graph/degrees.hpp"
#include "refinement/state/anchors.hpp"
#include "refinement/state/kept_tables.hpp"
#include "refinement/state/scope_state.hpp"

namespace procmap {

/// Bits of RefinementView::mark.
struct Mark {
  static constexpr unsigned eager = 1;    // has a destination worth proposing
  static constexpr unsigned locked = 2;   // moved in the last propagation, sits out one
  static constexpr unsigned changed = 4;  // is elsewhere than in the best mapping
  static constexpr unsigned wants = 8;    // would gain by a move that was not made
};

/// The state of one refinement, per vertex unless said otherwise. One name, one meaning.
struct RefinementView {
  Block* block = nullptr;         // where the vertex is
  Block* best = nullptr;          // where it is in the best mapping so far
  Block* previous = nullptr;      // where it was before the last moves; equals block for all others
  Block* destination = nullptr;   // cached: its best other block, no_block if none is worth it
  Weight* gain = nullptr;         // cached: what moving there alone would save (every edge once)
  Block* proposal = nullptr;      // destination of the candidates of this round, no_block for all others
  std::uint8_t* dirty = nullptr;  // cached values are out of date
  std::uint8_t* mark = nullptr;
  Weight* block_weight = nullptr;  // per block
  ScopeState* scope = nullptr;     // per scope
  AnchorsView anchors = {};
  KeptTables tables = {};
};

/// What the refinements of a level came to.
struct LevelSummary {
  Weight cost = 0;    // of the best member
  Weight rounds = 0;  // of all refinements since it was cleared
};

/// Buffers of a refinement. They grow with the levels, from the coarsest to the finest.
template <class Exec>
struct RefinementScratch {
  RefinementScratch(Exec& ex, std::size_t n, std::size_t num_blocks)
      : best(ex.template buffer<Block>(n)),
        previous(ex.template buffer<Block>(n)),
        destination(ex.template buffer<Block>(n)),
        proposal(ex.template buffer<Block>(n)),
        gain(ex.template buffer<Weight>(n)),
        dirty(ex.template buffer<std::uint8_t>(n)),
        mark(ex.template buffer<std::uint8_t>(n)),
        block_weight(ex.template buffer<Weight>(num_blocks)),
        scope(ex.template buffer<ScopeState>(num_blocks)),
        active(ex.template buffer<Vertex>(n)),
        movers(ex.template buffer<Vertex>(n)),
        accepted(ex.template buffer<std::uint8_t>(n)),
        summary(ex.template buffer<LevelSummary>(1)),
        used_entries(ex.template buffer<Edge>(1)) {
    ex.fill(summary.data(), 1, LevelSummary{});
  }

  RefinementView view(Block* block, AnchorsView anchors = {}, KeptTables tables = {}) const {
    return {block,        best.data(), previous.data(),     destination.data(), gain.data(), proposal.data(),
            dirty.data(), mark.data(), block_weight.data(), scope.data(),       anchors,     tables};
  }
  /// Makes room for the tables of the hubs of `graph`, if it has any.
  KeptTables tables_of(Exec& ex, CsrView graph) {
    if (largest_degree(ex, graph) < KeptTables::least_degree) return {};
    auto const n = static_cast<std::size_t>(graph.num_vertices);
    auto const entries = static_cast<std::size_t>(KeptTables::entries_of(graph.num_arcs));
    if (n > first_entry.size() || entries > entry.size()) {
      first_entry = {};
      entry = {};
      first_entry = ex.template buffer<std::uint32_t>(n);
      entry = ex.template buffer<Connection>(entries);
    }
    ex.fill(used_entries.data(), 1, Edge{0});
    return {first_entry.data(), entry.data(), used_entries.data(), static_cast<Edge>(entry.size())};
  }
  /// Gives back what only rounds of refinement need, until reserve() makes it again.
  void give_rounds_back() {
    for (auto* const per_vertex : {&best, &destination, &proposal}) *per_vertex = {};
    gain = {};
    for (auto* const flags : {&dirty, &mark, &accepted}) *flags = {};
    movers = {};
    first_entry = {};
    entry = {};
  }
  /// Makes room; what was there is lost if it did not fit.
  void reserve(Exec& ex, std::size_t n, std::size_t num_blocks) {
    if (n <= best.size() && num_blocks <= block_weight.size()) return;
    {
      [[maybe_unused]] auto const old = std::move(*this);
    }  // first gives back what it has
    *this = RefinementScratch(ex, n, num_blocks);
  }

  Buffer<Exec, Block> best, previous, destination, proposal;
  Buffer<Exec, Weight> gain;
  Buffer<Exec, std::uint8_t> dirty, mark;
  Buffer<Exec, Weight> block_weight;
  Buffer<Exec, ScopeState> scope;
  Buffer<Exec, Vertex> active;            // vertices with something to do in this round
  Buffer<Exec, Vertex> movers;            // vertices that move in this round
  Buffer<Exec, std::uint8_t> accepted;    // per active vertex: passed the afterburner
  Buffer<Exec, LevelSummary> summary;     // one
  Buffer<Exec, std::uint32_t> first_entry;  // of the table of every vertex (KeptTables)
  Buffer<Exec, Connection> entry;
  Buffer<Exec, Edge> used_entries;        // one
};

/// The states of all scopes where a refinement left them.
template <HostExecutor Exec>
std::vector<ScopeState> scope_states(Exec& ex, RefinementScratch<Exec> const& scratch, Block num_scopes) {
  std::vector<ScopeState> states(static_cast<std::size_t>(num_scopes));
  ex.download(scratch.scope.data(), num_scopes, states.data());
  return states;
}

}  // namespace procmap
