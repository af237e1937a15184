// SPDX-License-Identifier: MIT
#pragma once

#include "core/pe_capacities.hpp"
#include "multilevel/adaptive_imbalance.hpp"
#include "multilevel/evolve.hpp"
#include "multilevel/nested_factors.hpp"
#include "multilevel/scopes.hpp"
#include "multilevel/split.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// A mapping that is to be improved instead of making one; null pointers if there is none.
struct GivenMapping {
  Block const* pe = nullptr;      // of every vertex
  Block const* refuge = nullptr;  // per PE: where its vertices start; the PE itself unless that is forbidden
  Weight const* pull = nullptr;   // per vertex: half of what it costs to migrate; null: nothing
};

/// A mapping problem: the machine, what its PEs hold, and how to go about it.
struct MappingTask {
  Topology const& topology;
  PeCapacities const& capacities;
  Weight total_weight;
  Config const& config;
  std::uint64_t seed;
  Block const* fixed = nullptr;  // PE of every fixed vertex, no_block for the others; null: nobody is fixed
  GivenMapping given = {};
};

/// Capacity and share of every PE.
inline SplitTask machine_blocks(MappingTask const& task) {
  SplitTask blocks;
  blocks.parts = task.topology.num_pes();
  auto const& pes = task.capacities;
  Weight const room = pes.room(0, blocks.parts);
  for (Block pe = 0; pe < blocks.parts; ++pe) {
    blocks.capacity.push_back(pes.of(pe));
    blocks.share.push_back(room > 0 ? proportion(task.total_weight, pes.of(pe), room) : 0);
  }
  return blocks;
}

/// Coarsening for a mapping of all PEs at once, down to `vertices_per_block` for each.
inline CoarseningGoal mapping_goal(MappingTask const& task, int vertices_per_block) {
  auto const& coarsening = task.config.coarsening;
  auto const wanted = Edge{vertices_per_block} * task.topology.num_pes();
  auto const average = static_cast<double>(task.total_weight) / static_cast<double>(wanted);
  return {static_cast<Vertex>(std::min<Edge>(wanted, 1 << 30)),
          std::max<Weight>(1, static_cast<Weight>(coarsening.max_cluster_weight * average))};
}

/// One level of the machine: scopes of weights `weight`, in the order of their PEs, become `parts` children each.
/// `depth` levels remain, this one included; `slack_share` as in child_capacity.
inline SplitTask split_task(std::vector<Weight> const& weight, Block parts, PeCapacities const& pes, int depth,
                            double slack_share = 0) {
  SplitTask task;
  task.num_scopes = static_cast<Block>(weight.size());
  task.parts = parts;
  task.pes_per_block = pes.num_pes() / (task.num_scopes * parts);
  Block first = 0;
  for (Weight const w : weight) {
    Weight const room = pes.room(first, task.pes_per_block * parts);
    for (Block child = 0; child < parts; ++child, first += task.pes_per_block) {
      Weight const child_room = pes.room(first, task.pes_per_block);
      Weight const needed = std::max<Weight>(pes.fixed_load(first, task.pes_per_block), child_room > 0);
      task.capacity.push_back(std::max(child_capacity(w, child_room, room, depth, slack_share), needed));
      task.share.push_back(room > 0 ? proportion(w, child_room, room) : w / parts);
    }
  }
  return task;
}

/// The heaviest vertex that coarsening may make: it fits into an average child that is not forbidden, of every
/// scope that has any.
inline Weight largest_coarse_vertex(SplitTask const& split) {
  Weight largest = PeCapacities::unbounded;
  auto const parts = static_cast<std::size_t>(split.parts);
  for (std::size_t first = 0; first < split.capacity.size(); first += parts) {
    __int128 room = 0;
    Weight children = 0;
    for (std::size_t b = first; b < first + parts; ++b) {
      room += split.capacity[b];
      children += split.capacity[b] > 0 ? 1 : 0;
    }
    if (children > 0) largest = std::min(largest, static_cast<Weight>(room / children));
  }
  return largest;
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
  plan.goal.max_weight = largest_coarse_vertex(split);
  plan.tournament = !coarsen_first ? 1
                    : outermost    ? multisection.tournament_outer
                    : innermost    ? multisection.tournament_inner
                                   : multisection.tournament_middle;
  plan.population = !coarsen_first ? 1
                    : outermost    ? multisection.population_outer
                    : innermost    ? multisection.population_inner
                                   : multisection.population_middle;
  plan.population_share = multisection.population_share;
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

/// Are all PEs equally far apart? Then the mapping cost is a multiple of the edge cut.
inline bool is_partitioning(Topology const& topology) {
  auto const& distances = topology.distances();
  return !distances.empty() && distances.front() == distances.back();
}

/// What a level may use up of the slack. No more than an even share where all levels cost the same, and where PEs hold
/// so few vertices that much of the slack is rounded away: the inner levels would lack it.
inline double slack_share_of(MappingTask const& task, Vertex num_vertices) {
  constexpr Edge enough = 32;  // vertices per PE
  bool const few = num_vertices < enough * task.topology.num_pes();
  return few || is_partitioning(task.topology) ? 0 : task.config.multisection.slack_share;
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
  double const slack_share = slack_share_of(task, graph.num_vertices);
  int const all = static_cast<int>(steps.size());
  int depth = all;
  ClusterHistory<Exec> first_pass(ex);
  auto* const history = task.config.multisection.reuse_clusters && all > 1 ? &first_pass : nullptr;
  for (auto const& step : steps) {
    Block const parts = step.parts;
    Block const* const scope = scopes > 1 ? block.data() : nullptr;
    auto const split = split_task(scope_weights(ex, graph, scope, scopes), parts, task.capacities, depth, slack_share);
    auto const plan = split_plan(task, split, step, depth == all, depth == 1 && all > 1, multilevel);
    if (scope) {
      auto const inside = drop_cross_arcs(ex, graph, scope);
      block = evolve_split(ex, inside.view(), {scope, task.fixed}, split, plan, history);
    } else {
      block = evolve_split(ex, graph, {scope, task.fixed}, split, plan, history);
    }
    first_pass.rewind();
    scopes *= parts;
    --depth;
  }
  return block;
}

}  // namespace procmap
