// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "coarsening/cluster_history.hpp"
#include "coarsening/clustering.hpp"
#include "coarsening/coarsening_plan.hpp"
#include "coarsening/contract_by_arcs.hpp"
#include "coarsening/matching.hpp"
#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// What keeps vertices apart: only those of equal scope and equal fixed PE (or both free) are merged.
struct VertexLabels {
  Block const* scope = nullptr;    // null: a single scope
  Block const* fixed = nullptr;    // no_block: free; null: nobody is fixed
  bool arcs_cross_scopes = false;  // false: every arc stays within its scope
};

/// The label of every coarse vertex, which all its members share. An empty buffer if there are no labels.
template <HostExecutor Exec>
Buffer<Exec, Block> restrict_labels(Exec& ex, Block const* label, Vertex n, Vertex const* coarse_of,
                                    Vertex num_coarse) {
  auto coarse = ex.template buffer<Block>(label ? static_cast<std::size_t>(num_coarse) : 0);
  if (!label) return coarse;
  auto* const to = coarse.data();
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { racy_store(&to[coarse_of[v]], label[v]); });
  return coarse;
}

/// Renames leaders to 0, 1, ... in the order of their ids, which keeps neighbours close in memory.
/// Turns leader[] into coarse_of[].
struct CoarseNumbers {
  Vertex n = 0;
  Vertex* leader = nullptr;
  Edge* count = nullptr;  // of coarse vertices

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("numbering");
    auto const rank_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(n) + 1);
    auto* const rank = rank_buffer.data();
    Edge const all = ex.scan(
        n, [=, leader = leader] PROCMAP_LAMBDA(Edge v) -> Edge { return leader[v] == static_cast<Vertex>(v); }, rank);
    ex.for_each(n, [=, leader = leader] PROCMAP_LAMBDA(Edge v) { leader[v] = static_cast<Vertex>(rank[leader[v]]); });
    ex.for_each_ahead(1, [=, count = count] PROCMAP_LAMBDA(Edge) { *count = all; });
  }
};

template <>
struct KernelTraits<CoarseNumbers> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// As above; returns the number of coarse vertices.
template <HostExecutor Exec>
Vertex number_coarse_vertices(Exec& ex, Vertex n, Vertex* leader) {
  auto count = ex.template buffer<Edge>(1);
  auto const bytes = Exec::template scratch_bytes<Edge>(static_cast<std::size_t>(n) + 1);
  ex.resident({n, bytes, 0, 0}, CoarseNumbers{n, leader, count.data()});
  return static_cast<Vertex>(ex.read(count.data()));
}

/// One level, but for its graph, which only gets its size: vertices go where the history has them, otherwise where
/// matching or clustering puts them.
template <HostExecutor Exec>
Level<Exec> coarsen_once(Exec& ex, CsrView graph, PairLimits limits, CoarseningPlan const& plan, std::uint64_t seed,
                         ClusterHistory<Exec>* history) {
  auto const& config = plan.config;
  Level<Exec> level;
  level.coarse_of = ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_vertices));
  auto* const coarse_of = level.coarse_of.data();
  if (history && history->repeat(ex, graph, limits, coarse_of)) {
    // done
  } else if (config.algorithm == CoarseningAlgorithm::matching) {
    match(ex, graph, limits, config, seed, coarse_of);
  } else {
    cluster(ex, graph, limits, config, seed, coarse_of, plan.goal);
  }
  level.graph.num_vertices = number_coarse_vertices(ex, graph.num_vertices, coarse_of);
  return level;
}

/// The levels above `finest`, finer ones first. `history`, if there is one, records them or says how they begin.
template <HostExecutor Exec>
std::vector<Level<Exec>> coarsen(Exec& ex, CsrView finest, VertexLabels labels, CoarseningPlan const& plan,
                                 ClusterHistory<Exec>* history = nullptr) {
  auto const& [goal, config, seed, levels_before] = plan;
  std::vector<Level<Exec>> levels;
  CsrView graph = finest;
  while (graph.num_vertices > goal.target_vertices && graph.num_arcs > goal.few_arcs) {
    auto const level_seed = hash(seed, levels.size() + static_cast<std::size_t>(levels_before));
    bool const arcs_cross = labels.fixed || (labels.scope && labels.arcs_cross_scopes);
    PairLimits const limits{goal.max_weight, labels.scope, labels.fixed, arcs_cross};
    auto level = coarsen_once(ex, graph, limits, plan, level_seed, history);
    Vertex const num_coarse = level.graph.num_vertices;
    if (num_coarse > (1.0 - config.min_shrink) * graph.num_vertices) break;
    if (history) history->advance(ex, graph, level.coarse_of.data(), num_coarse);
    level.graph = contract_level(ex, graph, num_coarse, level.coarse_of.data());
    level.scope = restrict_labels(ex, labels.scope, graph.num_vertices, level.coarse_of.data(), num_coarse);
    level.fixed = restrict_labels(ex, labels.fixed, graph.num_vertices, level.coarse_of.data(), num_coarse);
    if (labels.scope) labels.scope = level.scope.data();
    if (labels.fixed) labels.fixed = level.fixed.data();
    graph = level.graph.view();
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace procmap
