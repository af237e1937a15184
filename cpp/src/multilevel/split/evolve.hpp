// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "multilevel/split/member_job.hpp"
#include "multilevel/split/overlay.hpp"
#include "procmap/monitor.hpp"

namespace procmap {

/// Copies the blocks of a member to where its population has them.
template <HostExecutor Exec>
void place_member(Exec& ex, Vertex n, Block const* from, Block first_block, Block* to) {
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { to[v] = from[v] + first_block; });
}

/// Hands members of a population to the helpers of the call.
template <HostExecutor Exec>
void start_elsewhere(Exec& ex, Helpers const& helpers, CsrView graph, VertexLabels labels, BlockTargets const& targets,
                     SplitPlan const& plan, std::vector<int> const& members) {
  Phase phase(ex.run(), "members elsewhere");
  auto job = member_job(ex, graph, labels, targets, plan);
  std::vector<std::string> jobs;
  for (int const t : members) {
    job.plan = plan_of_member(plan, t);
    jobs.push_back(packed(job));
  }
  helpers.start(std::move(jobs));
}

/// Independent splits, from best to worst in every scope. The first knows the history. Helpers of the call make some.
template <HostExecutor Exec>
Population<Exec> split_independently(Exec& ex, CsrView graph, VertexLabels labels, BlockTargets const& targets,
                                     SplitPlan const& plan, ClusterHistory<Exec>* history) {
  Vertex const n = graph.num_vertices;
  Block const blocks_per_member = targets.num_blocks();
  Population<Exec> members{plan.population, ex.template buffer<Block>(static_cast<std::size_t>(n) *
                                                                      static_cast<std::size_t>(plan.population))};
  std::vector<std::vector<ScopeState>> found(static_cast<std::size_t>(plan.population));
  auto const level_targets = targets_of_level(targets, plan.first_level, n);
  auto const keep = [&](Exec& own_ex, int t, Buffer<Exec, Block> block) {
    found[static_cast<std::size_t>(t)] =
        measure_scopes(own_ex, graph, level_targets, plan.stage.refinement, block.data());
    place_member(own_ex, n, block.data(), blocks_per_member * static_cast<Block>(t),
                 members.block.data() + Edge{n} * t);
  };
  auto const* const helpers = ex.run().helpers();
  auto const away = members_away(plan.population, helpers ? helpers->share : 0);
  if (!away.empty()) start_elsewhere(ex, *helpers, graph, labels, targets, plan, away);
  std::vector<int> here;
  for (int t = 0; t < plan.population; ++t)
    if (std::ranges::find(away, t) == away.end()) here.push_back(t);
  auto const parts = static_cast<Edge>(here.size());
  ex.for_each_part(parts, parts * graph.num_arcs, [&](Edge i, Exec& own_ex) {
    int const t = here[static_cast<std::size_t>(i)];
    keep(own_ex, t, split_scopes(own_ex, graph, labels, targets, plan_of_member(plan, t), t == 0 ? history : nullptr));
  });
  if (!away.empty()) {
    Phase phase(ex.run(), "members elsewhere");
    auto const answers = helpers->finish();
    for (std::size_t i = 0; i < away.size(); ++i) {
      auto const blocks = unpacked_blocks(answers.at(i), n, blocks_per_member);
      keep(ex, away[i], put(ex, std::span(blocks)));
    }
  }
  std::vector<ScopeState> states;
  for (auto const& member : found) states.insert(states.end(), member.begin(), member.end());
  return keep_best(ex, members, plan.population, {n, labels.scope}, blocks_per_member, states);
}

/// What the cut of a split cost on a level on its way to the finest graph.
struct LevelCost {
  Vertex vertices = 0;
  Weight cost = 0;
};

/// Rule: has coarsening left so many arcs, on few vertices, that splits of the coarse graph are hardly cheaper? Then
/// its clusters mix what belongs apart, too, as in random graphs of communities, and only the finest graph shows a good
/// cut.
inline bool mixes_communities(CsrView finest, CsrView coarse) {
  constexpr Edge most_arcs = Edge{1} << 21;  // what larger graphs would gain is not worth their time and memory
  constexpr Edge percent = 40;  // of random graphs of communities 49 to 73 are left, of others 1 to 23 (measured)
  auto const degree = [](CsrView graph) { return graph.num_arcs / graph.num_vertices; };
  return finest.num_arcs <= most_arcs && 100 * coarse.num_arcs > percent * finest.num_arcs &&
         degree(coarse) > 2 * degree(finest);
}

/// Splits every scope, as split_scopes does, but `plan.population` times on a coarse graph, and combines the results.
/// With a population of one this is split_scopes. Adds to `costs`, if there is one, what the cut cost on the levels
/// finer than that coarse graph. Where that has most of the arcs, and nobody asks for costs, the finest graph is split.
template <HostExecutor Exec>
Buffer<Exec, Block> evolve_split(Exec& ex, CsrView finest, VertexLabels labels, BlockTargets const& targets,
                                 SplitPlan const& plan, ClusterHistory<Exec>* history = nullptr,
                                 std::vector<LevelCost>* costs = nullptr) {
  if (overlay_size(targets, plan.population) == 1) return split_scopes(ex, finest, labels, targets, plan, history);
  auto levels = make_levels(ex, finest, labels, population_coarsening(plan, finest.num_vertices), history);
  auto own = plan;
  auto* rest_of_history = history;
  if (levels.coarsest() > 0 && !costs && mixes_communities(finest, levels.coarsest_graph())) {
    levels.drop_above(0);
    own = plan_of_finest(plan);
    rest_of_history = nullptr;  // it knows the levels that were dropped
  }
  auto const coarsest = levels.coarsest();
  auto const graph = levels.coarsest_graph();
  own.first_level = static_cast<int>(coarsest);
  auto members = split_independently(ex, graph, levels.coarsest_labels(), targets, own, rest_of_history);
  own = with_seed(own, hash(plan.stage.seed, Salt::combine));
  own.tournament = std::min(own.tournament, plan.combine_starts);
  auto best = combine(ex, graph, levels.coarsest_labels(), targets, own, std::move(members));
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto stage = plan.stage;
  stage.refinement.rounds = std::min(stage.refinement.rounds, plan.fine_rounds);
  stage.flow.least_gain = std::max(stage.flow.least_gain, plan.fine_flow_gain);
  auto const refine = [&](std::size_t level) {
    if (level == coarsest) return;  // combine has refined it
    SplitLevel const here{levels.graph(level), levels.labels(level), static_cast<int>(level)};
    Weight const cost = refine_members(ex, here, targets, stage, scratch, best, {1, 1});
    if (costs) costs->push_back({here.graph.num_vertices, cost});
  };
  uncoarsen(coarsest, refine, [&](std::size_t level) {
    best = project(ex, levels, level, best);
    levels.drop_above(level);
  });
  return std::move(best.block);
}

}  // namespace procmap
