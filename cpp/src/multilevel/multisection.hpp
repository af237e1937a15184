// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/adaptive_imbalance.hpp"
#include "multilevel/nested_factors.hpp"
#include "multilevel/scopes.hpp"
#include "multilevel/split.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// A mapping problem: the machine, what a PE holds, and how to go about it.
struct MappingTask {
  Topology const& topology;
  Weight pe_capacity;
  Weight total_weight;
  Config const& config;
  std::uint64_t seed;
};

/// Capacity and share of every PE.
inline SplitTask machine_blocks(MappingTask const& task) {
  auto const k = static_cast<std::size_t>(task.topology.num_pes());
  SplitTask blocks;
  blocks.parts = task.topology.num_pes();
  blocks.capacity.assign(k, task.pe_capacity);
  blocks.share.assign(k, task.total_weight / task.topology.num_pes());
  return blocks;
}

/// One level of the machine: scopes of weights `weight`, each with `num_pes` PEs below it, become `parts`
/// children. `depth` levels remain, this one included.
inline SplitTask split_task(std::vector<Weight> const& weight, Block parts, Block num_pes, Weight pe_capacity,
                            int depth) {
  SplitTask task;
  task.num_scopes = static_cast<Block>(weight.size());
  task.parts = parts;
  for (Weight const w : weight) {
    auto const children = static_cast<std::size_t>(parts);
    task.capacity.insert(task.capacity.end(), children, child_capacity(w, parts, num_pes, pe_capacity, depth));
    task.share.insert(task.share.end(), children, w / parts);
  }
  return task;
}

/// One step of multisection: every subgraph becomes `parts` children.
struct SplitStep {
  Block parts;
  int level;   // of the machine, 0 is the innermost
  int inside;  // steps of the same level before this one
};

/// The steps, outermost first: the levels of the machine, large ones in several steps. 512 parts at once leave
/// 64 vertices each to the coarsest graph, and moves between any two of them to refinement.
inline std::vector<SplitStep> split_steps(Topology const& topology, Block max_parts) {
  std::vector<SplitStep> steps;
  for (int level = topology.num_levels() - 1; level >= 0; --level) {
    int inside = 0;
    for (Block const parts : nested_factors(topology.sizes()[static_cast<std::size_t>(level)], max_parts))
      if (parts > 1) steps.push_back({parts, level, inside++});
  }
  return steps;
}

inline SplitPlan split_plan(MappingTask const& task, SplitTask const& split, SplitStep step, bool outermost,
                            bool innermost, bool coarsen_first) {
  auto const& config = task.config;
  auto const& multisection = config.multisection;
  SplitPlan plan;
  plan.coarsening = config.coarsening;
  plan.initial = config.initial;
  auto const target = std::max(Edge{split.num_scopes} * multisection.vertices_per_parent,
                               Edge{split.num_scopes} * split.parts * multisection.vertices_per_block);
  plan.goal.target_vertices = coarsen_first ? static_cast<Vertex>(std::min<Edge>(target, 1 << 30)) : (1 << 30);
  Weight const smallest = *std::min_element(split.capacity.begin(), split.capacity.end());
  plan.goal.max_weight = std::max<Weight>(1, smallest);
  plan.tournament = !coarsen_first ? 1
                    : outermost    ? multisection.tournament_outer
                    : innermost    ? multisection.tournament_inner
                                   : multisection.tournament_middle;
  plan.stage.name = "multisection " + std::to_string(step.level + 1);
  plan.stage.refinement = config.refinement;
  plan.stage.flow = config.flow;
  plan.stage.filter_fine = config.refinement.cut_filter_fine;
  plan.stage.filter_coarse = config.refinement.cut_filter_coarse;
  plan.stage.rounds = innermost ? multisection.inner_rounds : config.refinement.rounds;
  if (innermost) plan.stage.flow.rounds = std::min(plan.stage.flow.rounds, multisection.inner_flow_rounds);
  if (!coarsen_first) {
    plan.stage.rounds = 0;
    plan.stage.flow.rounds = 0;
  }
  plan.stage.seed = hash(task.seed, 0x5eedull, static_cast<std::uint64_t>(step.level + 64 * step.inside));
  return plan;
}

/// Hierarchical multisection (paper, GPU-HM), all subgraphs of a level in one pass: splits along the
/// machine, outermost level first, with adaptive imbalance. With multilevel == false every split is one
/// recursive bisection of the whole graph, without refinement (paper, initial mapping of GPU-IM).
template <Executor Exec>
Buffer<Exec, Block> multisect(Exec& ex, CsrView graph, MappingTask const& task, bool multilevel) {
  auto const steps = split_steps(task.topology, task.config.multisection.max_parts);
  auto block = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  ex.fill(block.data(), graph.num_vertices, Block{0});
  Block scopes = 1;
  Block pes_below = task.topology.num_pes();
  int const all = static_cast<int>(steps.size());
  int depth = all;
  for (auto const& step : steps) {
    Block const parts = step.parts;
    Block const* const scope = scopes > 1 ? block.data() : nullptr;
    auto const split = split_task(scope_weights(ex, graph, scope, scopes), parts, pes_below, task.pe_capacity, depth);
    auto const plan = split_plan(task, split, step, depth == all, depth == 1 && all > 1, multilevel);
    if (scope) {
      auto const inside = drop_cross_arcs(ex, graph, scope);
      block = split_scopes(ex, inside.view(), scope, split, plan);
    } else {
      block = split_scopes(ex, graph, scope, split, plan);
    }
    scopes *= parts;
    pes_below /= parts;
    --depth;
  }
  return block;
}

}  // namespace procmap
