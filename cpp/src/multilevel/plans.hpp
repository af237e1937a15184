// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "coarsening/coarsening_plan.hpp"
#include "multilevel/split_steps.hpp"
#include "multilevel/targets.hpp"

// What each stage of the method does, read off the configuration. No algorithms and no executors here.

namespace procmap {

/// How a stage of the method refines its levels. refinement.rounds and flow.rounds are those of this stage.
struct StagePlan {
  std::string name;
  RefinementConfig refinement;
  FlowConfig flow;
  double filter_fine = 0;    // Jet's c on the finest graph
  double filter_coarse = 0;  // ... and on the others
  std::uint64_t seed = 0;
};

/// How subgraphs are split.
struct SplitPlan {
  CoarseningPlan coarsening;
  InitialConfig initial;
  StagePlan stage;
  int tournament = 1;           // members at the coarsest graph
  double refined_starts = 1;    // the share of them that is refined there
  int population = 1;           // splits made independently ...
  double population_share = 1;  // ... of a graph with at most this share of the vertices ...
  Vertex max_population_vertices = 1 << 30;  // ... and at most this many, and combined
  int population_annealing = 1;  // every second one of them has so many steps of annealing
  int finest_annealing = 1;      // ... where the coarse graph turns out to have most of the arcs
  int combine_starts = 1;       // at most so many members at the coarsest graph beside those that are combined
  int fine_rounds = 1;          // of refinement at most, on the levels below that graph
  double fine_flow_gain = 0;    // ... and flow.least_gain is at least this there
  Edge max_host_arcs = 0;       // of levels that a GPU leaves to the host
  int first_level = 0;          // what the finest graph is called: 0, or a level of a larger hierarchy
  Vertex finer = 0;             // vertices of the next finer level, where members go on to; 0: there is none
};

/// The same with other random numbers.
SplitPlan with_seed(SplitPlan plan, std::uint64_t seed);

/// What member t of a population is made by. Random numbers alone are no variety: there are graphs with a dense core,
/// of which nearly all seeds find the same bad cut. Annealing on more levels finds the better one there, and is no
/// better elsewhere (measured).
SplitPlan plan_of_member(SplitPlan const& plan, int t);

/// The same where the population lives on the finest graph since its coarse graph has most of the arcs: starts on
/// graphs coarser still matter little there.
SplitPlan plan_of_finest(SplitPlan plan);

/// How a given mapping is improved by a V-cycle.
struct VCyclePlan {
  CoarseningPlan coarsening;
  StagePlan stage;
};

/// What a level may use up of the slack. No more than an even share where all levels cost the same, and where there are
/// less than three vertices to two PEs: there most of the slack is room for a second vertex, and whoever takes it
/// leaves another PE empty.
double slack_share_of(MappingTask const& task, Vertex num_vertices);

struct GraphSize {
  Vertex num_vertices;
  Edge num_arcs;
};

/// How the scopes of a graph are split.
SplitPlan split_plan(MappingTask const& task, BlockTargets const& targets, SplitStep step, GraphSize size);

/// One recursive bisection of the whole graph, without refinement (paper, initial mapping of GPU-IM).
SplitPlan bisection_plan(MappingTask const& task, BlockTargets const& targets, SplitStep step, GraphSize size);

/// Where a population lives: unless it is small, the finest graph costs too much for what it adds.
CoarseningPlan population_coarsening(SplitPlan const& plan, Vertex num_vertices);

/// Refinement of the mapping cost over all PEs at once.
StagePlan mapping_stage(MappingTask const& task);

/// How many splits of integrated mapping are made of the finest graph: all but the two innermost at most, as a split of
/// the finest graph takes longer than two of the coarsest, and none of a partition, or if there is no coarser graph.
int fine_splits(MappingTask const& task, Vertex num_vertices);

/// The same where there are such splits. The starts of the outermost are shared out among its population.
Config with_fine_splits(Config config);

/// Integrated mapping: how levels are refined on the way back.
StagePlan integrated_stage(MappingTask const& task);

/// Integrated mapping: how the graph is coarsened before it is multisected.
CoarseningPlan integrated_coarsening(MappingTask const& task, Vertex num_vertices);

/// The last refinement after multisection.
StagePlan final_stage(MappingTask const& task);

/// What brings an overloaded mapping back into balance.
StagePlan balance_stage(MappingTask const& task);

/// V-cycle number `cycle` on the edge cut over all blocks of a partition.
VCyclePlan partition_cycle(MappingTask const& task, int cycle);

/// V-cycle number `cycle` on the mapping cost of a machine that is no hierarchy.
VCyclePlan machine_cycle(MappingTask const& task, int cycle);

/// How a given mapping is improved. Where migration costs, few vertices move, and that takes less.
VCyclePlan improvement_plan(MappingTask const& task, Vertex num_vertices);

/// How one of several mappings with one task per PE is made: without flow, as there is no room to move anything, and
/// without populations, whose children are no better than other starts then.
Config one_per_pe_config(Config config);

/// Members that are refined at the coarsest graph, of so many.
int refined_starts(SplitPlan const& plan, int starts);

/// Members that go on to a level with `finer` vertices: the work of a level stays what it was at the coarsest.
int survivors(int tournament, Vertex coarsest, Vertex finer);

/// The same without annealing: mappings that are good already are not given up for a while in the hope of better ones.
RefinementConfig without_annealing(RefinementConfig refinement);

/// How often a level is refined: once if by annealing, unless it has so few vertices that more attempts find more than
/// one long one.
int repetitions_of(RefinementConfig const& config, Vertex num_vertices, Block num_blocks);

/// Jet's c of a repetition (paper, GPU-HM-ultra, repeats with varying c): the first uses the level's own,
/// later ones walk through (0, 1) by the golden ratio, which spreads any number of them evenly.
double filter_of_repetition(double own, int repetition);

/// Jet's c in the first and in the last step of a repetition: those of annealing, or the repetition's own for all of
/// it.
struct Filters {
  double first, last;
};
Filters filters_of_repetition(RefinementConfig const& config, double own, int repetition);

}  // namespace procmap
