// SPDX-License-Identifier: MIT
#pragma once

#include "objective/objective.hpp"
#include "refinement/flow/border.hpp"
#include "refinement/flow/edge_colouring.hpp"
#include "refinement/flow/free_pairs.hpp"
#include "refinement/flow/host_borders.hpp"
#include "refinement/flow/main_pairs.hpp"
#include "refinement/flow/pair_classes.hpp"
#include "refinement/flow/queued_pairs.hpp"
#include "refinement/flow/scope_progress.hpp"

namespace procmap {

/// One cut for every pair that is worth it, in an order that is the same on every machine.
template <HostExecutor Exec, class Objective>
FlowResult cut_all_pairs(Exec& ex, FlowRun<Exec>& run, Objective const& objective, std::vector<BlockPair> pairs) {
  keep_main_pairs(pairs);
  auto const begin = colour_pairs(pairs);
  if constexpr (!ObjectiveTraits<Objective>::all_equal)
    return cut_classes(ex, run, objective, pairs, begin);
  else if constexpr (Exec::has_small_teams)
    return cut_free_pairs(ex, run, objective, pairs);
  else
    return cut_queued_pairs(ex, run, objective, std::move(pairs));
}

/// find_borders(), as suits the machine.
template <HostExecutor Exec>
Border<Exec> search_borders(Exec& ex, FlowRun<Exec> const& run, [[maybe_unused]] Vertex* vertices) {
  if constexpr (Exec::has_small_teams)
    return HostBorders<Exec>(ex, run).find();
  else
    return find_borders(ex, run, vertices);
}

/// A flow refinement before its first round.
template <HostExecutor Exec, class Objective>
FlowRun<Exec> begin_flow(Exec& ex, RefinementProblem<Objective> const& refined, RefinementScratch<Exec>& scratch,
                         Block* block, FlowConfig const& config, std::uint64_t seed) {
  auto const& [graph, objective, blocks, anchors, copies] = refined;
  FlowRun<Exec> run(ex, graph, blocks, !ObjectiveTraits<Objective>::all_equal);
  run.problem = {graph,  blocks, block,  scratch.block_weight.data(), run.block_loads.data(), nullptr,
                 config, seed,   anchors};
  run.state = {block,
               scratch.previous.data(),
               scratch.block_weight.data(),
               run.block_loads.data(),
               run.block_size.data(),
               {run.changed_block.data(), run.changed_scope.data(), run.changed_vertex.data()},
               run.scope_change.data(),
               scratch.scope.data()};
  StartFlow const start{run.problem, run.state, run.arrays.place.data(),
                        run.largest_block.size() > 0 ? run.largest_block.data() : nullptr};
  ex.resident({graph.num_vertices, start.template scratch_bytes<Exec>(), 0, graph.num_arcs}, start);
  return run;
}

/// Pairwise flow refinement of all scopes at once: every two adjacent blocks of a scope exchange vertices along a
/// minimum cut of the band around their border (Sanders and Schulz, "Engineering multilevel graph partitioning
/// algorithms", section 4), the pairs of a colour class of the scopes' quotient graphs at once (Holtgrewe, Sanders,
/// Schulz, "Engineering a scalable high quality graph partitioner"). Follows refine(): expects the scopes' best
/// mappings in `block` and their states in `scratch`, and updates both. No scope gets worse, no block exceeds its
/// capacity, and scopes with an overloaded block stay as they are. Fixed vertices do not move.
template <HostExecutor Exec, class Objective>
FlowResult refine_pairs(Exec& ex, RefinementProblem<Objective> const& refined, RefinementScratch<Exec>& scratch,
                        Block* block, FlowConfig const& config, std::uint64_t seed) {
  auto run = begin_flow(ex, refined, scratch, block, config, seed);
  FlowResult result;
  std::vector<BlockPair> settled;
  ScopeProgress<Exec> progress(ex, scratch, refined.blocks.num_scopes(), config.least_gain);
  for (int round = 0; round < config.rounds; ++round) {
    auto border = search_borders(ex, run, scratch.active.data());
    keep_open_pairs(border.pairs, settled);
    progress.keep_pairs(border.pairs, refined.blocks);
    if (border.pairs.empty()) break;
    run.problem.border = border.entries.data();
    run.largest = border.largest_block;
    run.problem.seed = hash(seed, static_cast<std::uint64_t>(round));
    auto cuts = cut_all_pairs(ex, run, refined.objective, std::move(border.pairs));
    result.cuts += cuts.cuts;
    result.cut_short += cuts.cut_short;
    settled = std::move(cuts.settled);
    if (!cuts.changed) break;
    if (round + 1 < config.rounds) progress.note_round(ex);
  }
  return result;
}

}  // namespace procmap
