// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "procmap/config.hpp"
#include "procmap/device.hpp"
#include "procmap/error.hpp"
#include "procmap/export.h"
#include "procmap/graph.hpp"
#include "procmap/monitor.hpp"
#include "procmap/stats.hpp"
#include "procmap/topology.hpp"
#include "procmap/types.hpp"

namespace procmap PROCMAP_API {

struct Options {
  static constexpr int max_timed_repeats = 1000;

  double imbalance = 0.03;   ///< eps: a block may weigh ceil((1 + eps) c(V) / k); finite, >= 0
  std::vector<double> imbalances;  ///< of several weights per vertex, one of each; empty: `imbalance` for all
  std::uint64_t seed = 0;    ///< same input, options and seed: the same mapping, on any number of threads
  int threads = 0;           ///< <= 0: all; fewer if the graph is small
  std::string device = "auto";  ///< "cpu", "cuda", "cuda:N", or "auto": a GPU if there is one and the graph is large
  Config config = Config::preset("default");
  std::vector<Weight> capacities;  ///< what every PE may hold instead of Lmax; 0: nothing; empty: Lmax for all.
                                   ///< Of several weights [pe * number + i], 0: none of that weight
  std::vector<Block> fixed;  ///< PE of every fixed vertex, no_block for the others; empty: nobody is fixed
  std::vector<Block> initial;  ///< a mapping to improve instead of making one; empty: none
  double migration_cost = 0;  ///< with `initial`: minimise J + this * the size of all vertices that leave their PE
  std::vector<Weight> vertex_sizes;  ///< what moving every vertex takes; empty: all 1
  bool allow_empty = false;  ///< false: no PE without a vertex, if there is one that fits for every PE of capacity > 0
  int repeats = 0;  ///< mappings to make, with the seeds seed, seed + 1, ...; the best is kept. 0: one, or as
                    ///< many as fit into the time limit, at most max_timed_repeats
  double time_limit = 0;  ///< seconds, 0: none. Then the best mapping found so far is returned, which makes the
                          ///< result depend on the speed of the machine. At least one mapping is always finished;
                          ///< unless the method is integrated, "fast" is tried before `config`
  Monitor monitor;
};

/// What the blocks hold of one of several weights.
struct WeightReport {
  std::vector<Weight> block_weights;
  Weight max_block_weight = 0;
  std::vector<Weight> capacities;  ///< of every block
  Weight capacity = 0;  ///< the largest of them
  double imbalance = 0;  ///< heaviest block over the average, minus 1
};

/// What a mapping costs and whether it is balanced.
struct Report {
  /// Machines with more different distances than this have no traffic by distance.
  static constexpr std::size_t max_distances = 64;

  Weight cost = 0;  ///< J: sum over ordered pairs of traffic times distance (every edge twice)
  Weight edge_cut = 0;  ///< traffic between different PEs (every edge once)
  /// Every edge once. [0]: inside a PE; [i]: at distance level_distances[i - 1], which in a hierarchy is between PEs
  /// that meet at level i. Only [0] on machines with more than `max_distances` different distances.
  std::vector<Weight> level_traffic;
  std::vector<Weight> level_distances;  ///< of the levels of a hierarchy, or all different ones, increasing
  std::vector<Weight> block_weights;  ///< this and what follows: of the first weight of a vertex
  Weight max_block_weight = 0;
  std::vector<Weight> capacities;  ///< of every block
  Weight capacity = 0;  ///< Lmax, or the largest of the given capacities
  double imbalance = 0;  ///< heaviest block over the average, minus 1
  std::vector<WeightReport> further;  ///< of the second and further weights
  bool feasible = true;  ///< no block above its capacity in any weight, and none empty if that was asked for
  Block empty_blocks = 0;  ///< of a mapping, without a vertex; forbidden ones do not count
  Vertex migrated_vertices = 0;  ///< not on the PE of the given initial mapping
  Weight migrated_weight = 0;  ///< their size; the cost above does not contain it
};

struct Mapping {
  std::vector<Block> blocks;  ///< PE of every vertex
  Report report;
  Stats stats;
};

/// Lmax = ceil((1 + eps) c(V) / k), computed without rounding error.
Weight block_capacity(Weight total_weight, Block num_blocks, double imbalance);

/// Maps the tasks of `graph` onto the PEs of `topology`. Throws ConfigError on bad options, capacities that sum up to
/// less than the total vertex weight among them, and std::overflow_error if J could exceed 2^62. An infeasible result
/// is returned with report.feasible == false.
Mapping map(Graph const& graph, Topology const& topology, Options const& options = {});

/// Does a job of Helpers on a device ("cpu", "cuda:N") and returns its answer. Throws ConfigError if the bytes are none
/// of this version, DeviceError if the device cannot be used.
std::string do_job(std::string_view job, std::string const& device, int threads = 0);

/// One of many graphs to be mapped; `options.threads` and `options.monitor` do not count.
struct MapRequest {
  Graph const* graph = nullptr;
  Options options;
};

/// Maps many graphs, each as map() does, at the same time: small ones by one thread each. Everything is checked before
/// any work; throws as map(), and messages name the culprit, "graphs[3]: ...". `threads` as in Options, in all; of
/// `monitor` only `interrupted` is called. On a GPU one graph after the other; small ones that lie on the host are
/// mapped there even if `options.device` is a GPU, as that takes less time (`Stats::device_reason`).
std::vector<Mapping> map_many(std::span<MapRequest const> requests, Topology const& topology, int threads = 0,
                              Monitor const& monitor = {});

/// Splits the graph into k blocks with a small edge cut: map onto Topology::flat(k).
Mapping partition(Graph const& graph, Block k, Options const& options = {});

/// How to evaluate; as in Options.
struct EvaluateOptions {
  double imbalance = 0.03;
  int threads = 0;
  std::string device = "auto";  ///< "auto" is where the graph lies: to copy it takes longer than to read it once
  std::span<Weight const> capacities = {};
  std::span<double const> imbalances = {};
};

/// J, cut, traffic per level and loads of `blocks` (one PE in [0, k) per vertex). Throws as map().
Report evaluate(Graph const& graph, Topology const& topology, std::span<Block const> blocks,
                EvaluateOptions const& options = {});

/// What the blocks of a mapping look like. Edges of weight 0 do not count.
struct BlockShapes {
  /// Communication volume of every block: for each of its vertices, the number of other blocks with a neighbour.
  std::vector<std::int64_t> volume;
  std::vector<Vertex> components;  ///< connected components of every block; 0 if it is empty
};

/// Volume and components of `blocks` (one in [0, num_blocks) per vertex).
BlockShapes block_shapes(Graph const& graph, std::span<Block const> blocks, Block num_blocks, int threads = 0);

}  // namespace procmap PROCMAP_API
