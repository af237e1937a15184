// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "refinement/rebalance.hpp"

namespace procmap {

/// Lists the vertices that may leave an overloaded block of a scope that rebalances.
template <Executor Exec>
PROCMAP_RESIDENT Edge list_candidates(Exec& ex, CsrView const& graph, BlocksView const& blocks,
                                      RefinementView const& state, RebalanceRules const& rules, Vertex* list) {
  auto const phase = ex.phase("list candidates");
  return ex.collect(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge v) {
        Block const from = state.block[v];
        if (state.block_weight[from] <= blocks.capacity[from]) return false;
        ScopeState const& scope = state.scope[blocks.scope_of(from)];
        if (scope.mode <= ScopeMode::propagate || state.anchors.holds(static_cast<Vertex>(v))) return false;
        return may_leave(state, blocks, rules, scope, from, graph.vertex_weight(static_cast<Vertex>(v)));
      },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, list);
}

/// Weight per block and bucket of the loss: much cheaper than to look at all of a block.
struct LossHistogram {
  static constexpr Edge num_buckets = loss_histogram_buckets;

  Weight* weight = nullptr;  // [block * num_buckets + bucket]
  CsrView graph;
  RefinementView state;

  PROCMAP_HD int bucket(Vertex v) const {
    return histogram_bucket(loss_bucket(-state.gain[v], graph.vertex_weight(v)));
  }
  PROCMAP_HD void add(Vertex v) const {
    atomic_add(&weight[state.block[v] * num_buckets + bucket(v)], graph.vertex_weight(v));
  }
  PROCMAP_HD Weight* row(Edge block) const { return weight + block * num_buckets; }
};

/// Empties the rows of overloaded blocks; the others are never read.
template <Executor Exec>
PROCMAP_RESIDENT void clear_histogram(Exec& ex, BlocksView const& blocks, RefinementView const& state,
                                      LossHistogram const& histogram) {
  ex.for_each_ahead(blocks.num_blocks * LossHistogram::num_buckets, [=] PROCMAP_LAMBDA(Edge i) {
    Edge const b = i / LossHistogram::num_buckets;
    if (state.block_weight[b] > blocks.capacity[b]) histogram.weight[i] = 0;
  });
}

/// Brings the cached gains of the listed vertices up to date and counts them in the histogram.
template <Executor Exec, class Objective>
PROCMAP_RESIDENT void renew_gains(Exec& ex, BlocksView const& blocks, RenewDestination<Objective> const& renew,
                                  LossHistogram const& histogram, Vertex const* list, Edge count) {
  auto const phase = ex.phase("renew gains");
  auto const state = renew.state;
  ex.for_each_with_table(
      count,
      [=, &renew] PROCMAP_LAMBDA(Edge i) -> TableNeeds {
        Vertex const v = list[i];
        return state.dirty[v] ? connectivity_needs(renew.graph, renew.objective, blocks.per_scope, v) : TableNeeds(0);
      },
      renew.objective.num_keys(),
      [=, &renew] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = list[i];
        bool const dirty = state.dirty[v];
        group.sync();  // all lanes have read what the first one writes below
        bool const keep = dirty && renew(v, group, table);
        if (group.rank() != 0) return;
        if (dirty)
          state.mark[v] = static_cast<std::uint8_t>(keep ? state.mark[v] | eager : state.mark[v] & ~unsigned{eager});
        histogram.add(v);
      });
}

/// Of the listed vertices keeps, for every block, those whose cached gain says that they may be among the
/// cheapest `reserve` times the excess. A scope that moved nothing in the last round looks at all. Returns the new
/// length.
template <Executor Exec>
PROCMAP_RESIDENT Edge keep_promising(Exec& ex, BlocksView const& blocks, RefinementView const& state,
                                     RebalanceRules const& rules, LossHistogram const& histogram, Vertex const* list,
                                     Edge count, Vertex* kept) {
  auto const phase = ex.phase("keep promising");
  constexpr Edge num_buckets = LossHistogram::num_buckets;
  auto cutoff_buffer = ex.template buffer<std::int32_t>(static_cast<std::size_t>(blocks.num_blocks));
  auto* const cutoff = cutoff_buffer.data();
  ex.for_each(blocks.num_blocks, [=] PROCMAP_LAMBDA(Edge b) {
    Weight const overload = state.block_weight[b] - blocks.capacity[b];
    if (overload <= 0) return;
    double const wanted = rules.reserve * static_cast<double>(overload);
    auto const* const weight = histogram.row(b);
    std::int32_t last = 0;
    Weight sum = weight[0];
    while (last + 1 < num_buckets && static_cast<double>(sum) < wanted) sum += weight[++last];
    cutoff[b] = state.scope[blocks.scope_of(static_cast<Block>(b))].moved ? last : num_buckets;
  });
  return ex.collect(
      count, [=] PROCMAP_LAMBDA(Edge i) { return histogram.bucket(list[i]) <= cutoff[state.block[list[i]]]; },
      [=] PROCMAP_LAMBDA(Edge i) { return list[i]; }, kept);
}

}  // namespace procmap
