// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace procmap {

// Every parameter of the algorithms, and nothing else: no constant of an algorithm lives anywhere
// else. The comment of a field says what it does and where its default comes from; "paper" is
// "GPU-Accelerated Algorithms for Process Mapping", "measured" means benchmarks/README.md.
// Names, ranges and descriptions that users see are in config.cpp, next to validate().

enum class Method { integrated, multisection };
enum class CoarseningAlgorithm { matching, clustering };
enum class Rebalancing { buckets, sorted };

/// How a level of the hierarchy is made from the next finer one.
struct CoarseningConfig {
  CoarseningAlgorithm algorithm = CoarseningAlgorithm::clustering;
  double shrink_factor = 2.5;       ///< clustering ends a level at n / this clusters (measured)
  double shrink_tolerance = 0.05;   ///< ... or when it is this close to it (measured)
  int clustering_rounds = 4;        ///< passes over all vertices per level
  int clustering_subrounds = 4;     ///< hashed classes a pass moves one after the other
  double max_cluster_weight = 3.0;  ///< times the average weight of a coarsest vertex
  int matching_rounds = 8;          ///< proposals per level; the paper repeats until nothing changes
  double two_hop_above = 0.25;      ///< two-hop matching if more than this share is unmatched (paper, coarsening)
  int max_matchmaker_degree = 64;   ///< relatives are matched only through vertices of at most this degree
  double min_shrink = 0.03;         ///< coarsening ends when a level removes less than this share of the vertices
};

/// Recursive bisection of the coarsest graph, on the host.
struct InitialConfig {
  int starts = 2;           ///< greedy growings per bisection; the best survives (measured)
  int fm_passes = 6;        ///< at most, per bisection
  double fm_stall = 0.125;  ///< a pass ends after this share of the vertices brought nothing ...
  int fm_min_stall = 60;    ///< ... but not before this many moves
  double trial_patience = 0.25;  ///< with several starts, each gets one pass with this share of the stall (measured)
};

/// Jet-style refinement (paper, section on refinement).
struct RefinementConfig {
  int rounds = 12;               ///< rounds without progress before a level ends (paper)
  double progress = 0.999;       ///< progress: the cost falls below this share of the best (paper, phi)
  int max_rounds = 400;          ///< a level never takes more rounds than this
  double cut_filter_fine = 0.25;    ///< Jet's c for the edge cut on the finest graph (paper)
  double cut_filter_coarse = 0.75;  ///< ... and on the others
  double mapping_filter_fine = 0.0;    ///< the same for the mapping cost; 0 admits no loss
  double mapping_filter_coarse = 0.0;
  Rebalancing rebalancing = Rebalancing::sorted;
  int weak_rounds = 2;         ///< bucket rebalancing: weak rounds before a strong one (paper)
  double sigma_share = 0.99;   ///< bucket rebalancing: ... but at least this share of Lmax
  int sigma_slack = 100;       ///< bucket rebalancing: a target is at most Lmax - this (paper, sigma)
  double rebalance_reserve =
      2.0;  ///< rebalancing looks at the cheapest vertices of this multiple of the excess (measured)
  double heavy_vertex = 1.5;   ///< a vertex above this multiple of the excess over the average stays (paper)
  int heavy_rounds = 4;        ///< sorted rebalancing: ... but only for this many rounds in a row (measured)
  int last_resort_rounds = 6;  ///< sorted rebalancing: if stuck after this many rounds, one strong round (measured)
  int repetitions = 1;         ///< refine every level this often with varying filters (18: ultra)
  bool subtree_swaps = true;   ///< exchange equal subtrees of the machine after each level (mapping cost only)
  int max_swap_subtrees = 1024;  ///< levels of the machine with more subtrees than this are not swapped
};

/// Pairwise flow refinement: minimum cuts in bands around the borders of adjacent blocks.
struct FlowConfig {
  int rounds = 4;            ///< over all pairs of blocks that changed in the round before; 0: no flow
  double band = 0.08;        ///< share of a block that a band takes, beyond the free room of the other block
  int retries = 5;  ///< a cut that fits no capacity is tried again on smaller bands, the last without a share
  double band_shrink = 0.5;  ///< ... each smaller by this factor
  int max_depth = 16;  ///< steps from the border that a band may reach (measured)
  int max_band_vertices = 16'384;  ///< per block: bounds the work of a pair
};

/// Hierarchical multisection (paper, GPU-HM): one pass per level of the machine, outermost first.
struct MultisectionConfig {
  int vertices_per_parent = 256;  ///< coarsest vertices per subgraph to split (measured)
  int vertices_per_block = 32;  ///< ... and at least this many per block
  int tournament_outer = 64;  ///< starts at the coarsest graph, outermost level (measured)
  int tournament_middle = 8;  ///< ... levels between
  int tournament_inner = 2;  ///< ... innermost level
  int population_outer = 2;  ///< independent splits that are combined, outermost level (measured)
  int population_middle = 2;  ///< ... levels between
  int population_inner = 1;  ///< ... innermost level
  double population_share = 0.1;  ///< ... of a coarse graph with at most this share of the vertices (measured)
  int inner_rounds = 6;  ///< RefinementConfig::rounds at the innermost level
  int inner_flow_rounds = 1;  ///< FlowConfig::rounds, at most, at the innermost level (measured)
  bool reuse_clusters =
      true;  ///< inner levels coarsen with the clusters of the outermost, split where they must (measured)
  double slack_share = 0.85;  ///< of the imbalance left that a level may use up, if more than an even share (measured)
  int final_rounds = 0;  ///< RefinementConfig::rounds of a last refinement of the mapping cost; 0: none (measured)
  double final_filter = 0.25;  ///< ... Jet's c of it (measured)
  int final_flow_rounds = 2;  ///< ... FlowConfig::rounds of it, at most (measured)
  int max_parts = 32;  ///< a level of the machine is split in steps of at most this many parts (measured)
  int v_cycles = 1;  ///< V-cycles over all blocks at the end, if all PEs are equally far apart (measured)

  void without_populations() { population_outer = population_middle = population_inner = 1; }
};

/// Integrated mapping (paper, GPU-IM): coarsen, multisect the coarsest graph, refine the mapping cost.
struct IntegratedConfig {
  int vertices_per_block = 64;  ///< coarsening ends at this times k vertices; 8 in the paper
  double coarsest_share = 0.25;  ///< ... or at this share of the vertices, if that is more (measured; 0 in the paper)
  bool refine_coarsest = true;  ///< multisection of the coarsest graph is itself multilevel and refined
  int coarsest_flow_rounds = 1;  ///< ... FlowConfig::rounds of it (measured)
};

/// Improving a given mapping: a V-cycle inside its blocks.
struct ImproveConfig {
  int vertices_per_block = 64;  ///< coarsening ends at this times k vertices
  bool coarsen_with_migration = false;  ///< ... also where migration costs: few vertices will move (measured)
  int migration_flow_rounds = 1;  ///< FlowConfig::rounds, at most, where migration costs (measured)
  double migration_flow_band = 0.03;  ///< ... and FlowConfig::band (measured)
};

/// Machines that are no hierarchies (multisection, then V-cycles on the mapping cost), and one task per PE.
struct MachineConfig {
  int guide_parts = 4;  ///< parts per level of the hierarchy that multisection follows (measured)
  int v_cycles = 2;  ///< on the mapping cost (measured)
  int vertices_per_block = 16;  ///< coarsening of a V-cycle ends at this times k vertices (measured)
  int rounds = 48;  ///< RefinementConfig::rounds of a V-cycle (measured)
  double filter_fine = 0.25;  ///< Jet's c of a V-cycle on the finest graph (measured)
  double filter_coarse = 0.5;  ///< ... and on the others
  int exchange_places = 2048;  ///< blocks are not exchanged on machines with more PEs
  int annealing = 32;  ///< exchanges per pair of blocks that simulated annealing tries before V-cycles (measured)
  int block_kicks = 500;  ///< random exchanges of blocks tried when no other helps (measured)
  int starts = 4;  ///< one task per PE: mappings tried (measured)
  int kicks = 256;  ///< one task per PE: random exchanges of tasks tried when no other helps (measured)
};

/// One preset of procmap. Aggregates only: a Config is what it says.
struct Config {
  Method method = Method::multisection;
  CoarseningConfig coarsening;
  InitialConfig initial;
  RefinementConfig refinement;
  FlowConfig flow;
  MultisectionConfig multisection;
  IntegratedConfig integrated;
  ImproveConfig improve;
  MachineConfig machine;

  /// "fast", "default", "strong", "im", "hm", "hm-ultra"; throws ConfigError naming the known ones.
  static Config preset(std::string_view name);
  static std::vector<std::string> preset_names();

  /// Throws ConfigError naming the first field outside its range.
  void validate() const;
};

/// A field as users see it: "refinement.rounds". Enums appear as strings, bools as 0 or 1.
struct ConfigField {
  enum class Type { boolean, integer, real, choice };
  std::string path;
  Type type;
  std::string description;
  double min = 0, max = 0;  ///< inclusive range of integers and reals
  std::vector<std::string> choices;  ///< of a choice
};

/// All fields, in declaration order.
std::vector<ConfigField> config_fields();
/// Value of a field as text: "12", "0.25", "true", "clustering".
std::string get_field(Config const& config, std::string_view path);
/// Sets a field from text and checks its range; throws ConfigError.
void set_field(Config& config, std::string_view path, std::string_view value);

}  // namespace procmap
