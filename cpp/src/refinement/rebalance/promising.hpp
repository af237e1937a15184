// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "refinement/rebalance/rules.hpp"

namespace procmap {

/// Lists the vertices that may leave an overloaded block of a scope that rebalances.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT VertexList list_candidates(Exec& ex, Refinement const& refinement, Vertex* list) {
  auto const phase = ex.phase("list candidates");
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const& config = refinement.rules.config;
  auto const part = refinement.part;
  Edge const count = ex.collect(
      part.num_vertices,
      [=, &config] PROCMAP_LAMBDA(Edge i) {
        Vertex const v = part.vertex(i);
        Block const from = state.block[v];
        if (state.block_weight[from] <= blocks.capacity[from]) return false;
        ScopeState const& scope = state.scope[blocks.scope_of(from)];
        if (scope.mode <= ScopeMode::propagate || state.anchors.holds(v)) return false;
        return may_leave(config, blocks, state, from, graph.vertex_weight(v));
      },
      [=] PROCMAP_LAMBDA(Edge i) { return part.vertex(i); }, list);
  return {list, count};
}

/// Weight per block and bucket of the loss: much cheaper than to look at all of a block.
struct LossHistogram {
  static constexpr Edge num_buckets = loss_histogram_buckets;

  Weight* weight = nullptr;  // [(block - first_block) * num_buckets + bucket]
  CsrView graph;
  RefinementView state;
  Block first_block = 0;

  PROCMAP_HD int bucket(Vertex v) const {
    return histogram_bucket(loss_bucket(-state.gain[v], graph.vertex_weight(v)));
  }
  PROCMAP_HD void add(Vertex v) const { uneven_add(&row(state.block[v])[bucket(v)], graph.vertex_weight(v)); }
  PROCMAP_HD Weight* row(Edge block) const { return weight + (block - first_block) * num_buckets; }
};

/// Empties the rows of overloaded blocks; the others are never read. Several entries at a time, as most blocks may be
/// none of these: there are machines of a million PEs.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void clear_histogram(Exec& ex, Refinement const& refinement, LossHistogram const& histogram) {
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  Edge const first = refinement.first_block();
  constexpr Edge at_once = 8;
  static_assert(LossHistogram::num_buckets % at_once == 0);
  ex.for_each_ahead(refinement.num_blocks() * (LossHistogram::num_buckets / at_once), [=] PROCMAP_LAMBDA(Edge i) {
    Edge const b = first + i * at_once / LossHistogram::num_buckets;
    if (state.block_weight[b] <= blocks.capacity[b]) return;
    for (Edge j = i * at_once; j < (i + 1) * at_once; ++j) histogram.weight[j] = 0;
  });
}

/// Brings the cached gains of the listed vertices up to date and counts them in the histogram.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void renew_gains(Exec& ex, BlocksView const& blocks, RenewDestination<Objective> const& renew,
                                  LossHistogram const& histogram, VertexList candidates) {
  auto const phase = ex.phase("renew gains");
  auto const state = renew.state;
  auto const* const list = candidates.vertex;
  ex.for_each_with_table(
      candidates.count,
      [=, &renew] PROCMAP_LAMBDA(Edge i) -> TableNeeds {
        Vertex const v = list[i];
        return state.dirty[v] ? see_needs(renew.graph, state, renew.objective, blocks.per_scope, v) : TableNeeds(0);
      },
      renew.objective.num_keys(),
      [=, &renew] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = list[i];
        bool const dirty = state.dirty[v];
        group.sync();  // all lanes have read what the first one writes below
        bool const keep = dirty && renew(v, group, table);
        if (group.rank() != 0) return;
        if (dirty)
          state.mark[v] = static_cast<std::uint8_t>(keep ? state.mark[v] | Mark::eager : state.mark[v] & ~Mark::eager);
        histogram.add(v);
      });
}

/// Of the listed vertices keeps, for every block, those whose cached gain says that they may be among the
/// cheapest rebalance_reserve times the excess. A scope that moved nothing in the last round looks at all. They go to
/// `kept`.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT VertexList keep_promising(Exec& ex, Refinement const& refinement, LossHistogram const& histogram,
                                           VertexList candidates, Vertex* kept) {
  auto const phase = ex.phase("keep promising");
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  double const reserve = refinement.rules.config.rebalance_reserve;
  auto const* const list = candidates.vertex;
  constexpr Edge num_buckets = LossHistogram::num_buckets;
  auto cutoff_buffer = ex.template buffer<std::int32_t>(static_cast<std::size_t>(refinement.num_blocks()));
  auto* const cutoff = cutoff_buffer.data();
  Block const first = refinement.first_block();
  ex.for_each(refinement.num_blocks(), [=] PROCMAP_LAMBDA(Edge i) {
    Edge const b = first + i;
    Weight const overload = state.block_weight[b] - blocks.capacity[b];
    if (overload <= 0) return;
    double const wanted = reserve * static_cast<double>(overload);
    auto const* const weight = histogram.row(b);
    std::int32_t last = 0;
    Weight sum = weight[0];
    while (last + 1 < num_buckets && static_cast<double>(sum) < wanted) sum += weight[++last];
    cutoff[i] = state.scope[blocks.scope_of(static_cast<Block>(b))].moved ? last : num_buckets;
  });
  Edge const count = ex.collect(
      candidates.count,
      [=] PROCMAP_LAMBDA(Edge i) { return histogram.bucket(list[i]) <= cutoff[state.block[list[i]] - first]; },
      [=] PROCMAP_LAMBDA(Edge i) { return list[i]; }, kept);
  return {kept, count};
}

}  // namespace procmap
