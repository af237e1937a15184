// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "refinement/flow/cut_pair.hpp"
#include "refinement/flow/two_sides.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

/// What a flow refinement, or a round of it, did.
struct FlowResult {
  std::int64_t cuts = 0;                // networks solved
  std::int64_t cut_short = 0;           // ... whose band hit max_band_vertices
  bool changed = false;                 // did a cut change anything?
  std::vector<BlockPair> settled = {};  // by a round (PairState::is_settled)
};

/// What became of pairs; `turns` may say that some were left out.
template <HostExecutor Exec>
std::vector<PairOutcome> outcomes_of(Exec& ex, Edge num_pairs, PairState const* work, TeamTurn const* turns = nullptr) {
  std::vector<PairOutcome> outcomes(static_cast<std::size_t>(num_pairs));
  auto buffer = ex.template buffer<PairOutcome>(outcomes.size());
  auto* const outcome = buffer.data();
  ex.for_each(num_pairs, [=] PROCMAP_LAMBDA(Edge i) {
    outcome[i] = turns && turns[i].left_out ? PairOutcome{.left_out = 1} : outcome_of(work[i]);
  });
  ex.download(outcome, num_pairs, outcomes.data());
  return outcomes;
}

/// Adds what became of the pairs of a round.
inline void note_outcomes(FlowResult& result, std::vector<BlockPair> const& pairs,
                          std::vector<PairOutcome> const& outcomes) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    result.cut_short += outcomes[i].cut_short;
    result.changed |= outcomes[i].has_moved != 0;
    if (outcomes[i].is_settled != 0) result.settled.push_back(pairs[i]);
  }
}

/// The pairs of a colour class: no block is in two of them.
struct PairClass {
  BlockPair const* pair = nullptr;
  PairState* work = nullptr;  // of every pair
  Edge count = 0;
};

/// What the cuts of the last round changed; at first, everything. All arrays are flags.
struct FlowChanges {
  std::uint8_t* block = nullptr;   // per block
  std::uint8_t* scope = nullptr;   // per scope: one of its blocks
  std::uint8_t* vertex = nullptr;  // per vertex: it moved, or a neighbour did
};

/// About how many arcs the bands of blocks have that hold `vertices` together.
inline Edge usual_band_arcs(CsrView graph, Edge vertices) {
  constexpr Edge share = 8;  // one of so many lies in a band
  return graph.num_arcs / std::max<Edge>(1, graph.num_vertices) * vertices / share;
}

/// What cuts change. Teams hold different blocks, so they share nothing but the sums per scope.
struct FlowState {
  Block* block = nullptr;
  Block* previous = nullptr;       // where a vertex was before the last cuts; equals block for all others
  Weight* block_weight = nullptr;
  Weight* block_loads = nullptr;   // of several weights, [block * graph.num_loads + i]
  Vertex* block_size = nullptr;    // vertices per block
  FlowChanges changed;             // by the cuts of this round
  Weight* scope_change = nullptr;  // per scope: of the cost by the last class, every edge twice
  ScopeState* scope = nullptr;
};

/// Vertices and arcs: of a block, or what a slot must hold.
struct BandNeeds {
  Edge vertices = 0;
  Edge arcs = 0;
};

/// Room for as many bands as may be cut at the same time.
struct BandSlots {
  Edge count = 0;
  Edge vertices = 0;  // of one
  Edge arcs = 0;
};

/// Buffers and views of one flow refinement.
template <class Exec>
struct FlowRun {
  /// `by_class`: pairs are cut by colour classes.
  FlowRun(Exec& ex, CsrView graph, BlocksView blocks, bool by_class)
      : block_size(ex.template buffer<Vertex>(static_cast<std::size_t>(blocks.num_blocks))),
        changed_block(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(blocks.num_blocks))),
        changed_scope(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(blocks.num_scopes()))),
        changed_vertex(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(graph.num_vertices))),
        on_border(ex.template buffer<std::uint8_t>(static_cast<std::size_t>(graph.num_vertices))),
        scope_change(ex.template buffer<Weight>(static_cast<std::size_t>(blocks.num_scopes()))),
        block_loads(ex.template buffer<Weight>(static_cast<std::size_t>(blocks.num_blocks) *
                                               static_cast<std::size_t>(graph.num_loads))),
        largest_block(ex.template buffer<BandNeeds>(by_class || Exec::has_small_teams ? 0 : 1)) {
    arrays.place = ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices));
    holds_all = by_class && arrays.make_all(ex, graph);
  }

  Buffer<Exec, Vertex> block_size;
  Buffer<Exec, std::uint8_t> changed_block, changed_scope, changed_vertex;
  Buffer<Exec, std::uint8_t> on_border;  // flag per vertex, kept from round to round
  Buffer<Exec, Weight> scope_change, block_loads;
  Buffer<Exec, BandNeeds> largest_block;  // one, if somebody asks: the most vertices and arcs of a block to begin with
  FlowScratch<Exec> arrays;
  std::vector<LentSides> sides;  // of threads that cut one pair after the other
  BandSlots slots;  // of teams that cut pairs in one launch
  BandNeeds largest;  // largest_block, as a search for borders brings it to the host
  bool holds_all = false;  // the arrays have room for any colour class
  FlowProblem problem;
  FlowState state;
};

/// Loads and sizes of the blocks, and what the largest one has; nobody has a place in a band, and fixed vertices and
/// large hubs never get one. Everything counts as changed.
struct StartFlow {
  FlowProblem problem;
  FlowState state;
  Vertex* place = nullptr;
  BandNeeds* largest = nullptr;  // null: nobody asks

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("start flow");
    int const num_loads = problem.graph.num_loads;
    auto const arcs_buffer = ex.template buffer<Edge>(num_sums());
    auto* const arcs = largest ? arcs_buffer.data() : nullptr;
    ex.for_each_ahead(problem.blocks.num_scopes(),
                      [=, state = state] PROCMAP_LAMBDA(Edge s) { state.changed.scope[s] = 1; });
    ex.for_each(problem.blocks.num_blocks, [=, state = state] PROCMAP_LAMBDA(Edge b) {
      if (arcs) arcs[b] = 0;
      state.block_weight[b] = 0;
      state.block_size[b] = 0;
      state.changed.block[b] = 1;
      for (int j = 0; j < num_loads; ++j) state.block_loads[b * num_loads + j] = 0;
    });
    ex.for_each(problem.graph.num_vertices,
                [=, &problem = problem, &state = state, place = place] PROCMAP_LAMBDA(Edge i) {
                  auto const& graph = problem.graph;
                  auto const v = static_cast<Vertex>(i);
                  Block const b = state.block[v];
                  state.previous[v] = b;
                  state.changed.vertex[v] = 1;
                  bool const stays = problem.anchors.holds(v) || exceeds_blocks(graph, problem.blocks, v);
                  place[v] = stays ? never_placed : no_vertex;
                  if (arcs) contended_add(&arcs[b], graph.degree(v));
                  contended_add(&state.block_size[b], 1);
                  contended_add(&state.block_weight[b], graph.vertex_weight(v));
                  for (int j = 0; j < num_loads; ++j)
                    contended_add(&state.block_loads[Edge{b} * num_loads + j], graph.load(v, j));
                });
    if (largest) find_largest(ex, arcs);
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void find_largest(Exec& ex, Edge const* arcs) const {
    ex.for_each_in_group(
        1, [num_blocks = problem.blocks.num_blocks] PROCMAP_LAMBDA(Edge) { return Edge{num_blocks}; },
        [arcs, num_blocks = problem.blocks.num_blocks, size = state.block_size, largest = largest] PROCMAP_LAMBDA(
            Edge, auto group) {
          BandNeeds most;
          for (Block b = group.rank(); b < num_blocks; b += group.size()) {
            if (size[b] > most.vertices) most.vertices = size[b];
            if (arcs[b] > most.arcs) most.arcs = arcs[b];
          }
          auto const more = [](Edge a, Edge b) { return a > b; };
          most = {group.best(most.vertices, more), group.best(most.arcs, more)};
          if (group.rank() == 0) *largest = most;
        });
  }

  /// Of the arcs of every block.
  PROCMAP_HD std::size_t num_sums() const { return largest ? static_cast<std::size_t>(problem.blocks.num_blocks) : 0; }
  template <class Exec>
  std::size_t scratch_bytes() const {
    return largest ? Exec::template scratch_bytes<Edge>(num_sums()) + Exec::pass_bytes(1) : 0;
  }
};

template <>
struct KernelTraits<StartFlow> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

}  // namespace procmap
