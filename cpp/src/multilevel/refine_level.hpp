// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>

#include "core/atomic.hpp"
#include "refinement/flow/pairwise.hpp"
#include "refinement/jet.hpp"

namespace procmap {

/// Everything a stage of the method needs to refine its levels.
struct StageTask {
  std::string name;
  RefinementConfig refinement;
  FlowConfig flow;
  double filter_fine = 0;
  double filter_coarse = 0;
  int rounds = 12;
  std::uint64_t seed = 0;
};

/// Jet's c of a repetition (paper, GPU-HM-ultra, repeats with varying c): the first uses the level's own,
/// later ones walk through (0, 1) by the golden ratio, which spreads any number of them evenly.
inline double filter_of_repetition(double own, int repetition) {
  if (repetition == 0 || own == 0) return own;
  double const position = own + 0.6180339887498949 * repetition;
  return position - std::floor(position);
}

/// Refines one level, repeatedly and with flow if configured, and reports it. `scratch` grows if it is too small;
/// `anchors` are those of the vertices of this level.
template <Executor Exec, class Objective>
void refine_level(Exec& ex, CsrView graph, Objective objective, BlocksView blocks, RefinementScratch<Exec>& scratch,
                  Block* block, StageTask const& task, int level, int members, AnchorsView anchors = {}) {
  scratch.reserve(ex, static_cast<std::size_t>(graph.num_vertices), static_cast<std::size_t>(blocks.num_blocks));
  Stopwatch watch;
  auto* const summary = scratch.summary.data();
  ex.fill(summary, 1, LevelSummary{});
  double const filter = level == 0 ? task.filter_fine : task.filter_coarse;
  auto const level_seed = hash(task.seed, static_cast<std::uint64_t>(level));
  for (int repetition = 0; repetition < task.refinement.repetitions; ++repetition) {
    RefinementTask const pass{filter_of_repetition(filter, repetition), task.rounds,
                              hash(level_seed, static_cast<std::uint64_t>(repetition)), anchors};
    refine(ex, graph, objective, blocks, scratch, block, task.refinement, pass);
  }
  FlowResult flow;
  if (task.flow.rounds > 0)
    flow = refine_pairs(ex, graph, objective, blocks, scratch, block, task.flow, level_seed, anchors);
  Block const scopes = blocks.num_scopes() / members;
  ex.for_each(scopes, [scope = scratch.scope.data(), scopes, members, summary] PROCMAP_LAMBDA(Edge s) {
    Edge best = s;  // members are recombined scope by scope
    for (Edge i = s + scopes; i < Edge{scopes} * members; i += scopes)
      if (scope[i].best_overload < scope[best].best_overload ||
          (scope[i].best_overload == scope[best].best_overload && scope[i].best_cost < scope[best].best_cost))
        best = i;
    contended_add(&summary->cost, scope[best].best_cost);
  });
  auto const [cost, rounds] = ex.read(summary);
  ex.run().add_level({task.name, level, graph.num_vertices, graph.num_arcs, members, static_cast<int>(rounds),
                      flow.cuts, flow.cut_short, cost, watch.seconds()});
}

}  // namespace procmap
