// SPDX-License-Identifier: MIT
#include "initial/clustered_start.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "initial/best_attempt.hpp"
#include "initial/cluster_vertices.hpp"
#include "initial/fm.hpp"
#include "initial/greedy_growing.hpp"

namespace procmap::initial {

namespace {

constexpr Vertex coarsest = 16;     // clusters (measured)
constexpr Vertex shrink = 3;        // vertices per cluster of a level (measured)
constexpr double heaviest = 1.5;    // average weights of the last clusters (measured)
constexpr Vertex least_shrink = 5;  // a level without a fifth of the vertices is worth its time
constexpr int growings = 4;         // of the last clusters (measured)
constexpr int passes = 2, stall = 25;  // of FM on a level: what one leaves undone the next one can do (measured)

InitialConfig on_levels(InitialConfig config) {
  config.fm_passes = std::min(config.fm_passes, passes);
  config.fm_min_stall = std::min(config.fm_min_stall, stall);
  return config;
}

/// The best of some growings, each refined. Overwrites work.best.
void grow_best(Bisection& work, Balance const& balance, InitialConfig const& config) {
  best_attempt(work, balance, {0, growings}, [&, seed = work.seed](int i) {
    work.set_ties(hash(seed, static_cast<std::uint64_t>(i)));
    grow_from_start(work, balance, i);
    refine_cut(work, balance, config);
  });
}

/// Makes `coarse` the bisection of the clusters of `fine`, whose graph is `graph`.
void load_clusters(Bisection& coarse, Subgraph const& graph, Bisection const& fine, Clusters const& clusters) {
  coarse.load(graph);
  for (std::size_t v = 0; v < fine.pinned.size(); ++v) {
    Vertex const cluster = clusters.of[v];
    if (fine.pinned[v] != Bisection::free && !coarse.is_pinned(cluster)) coarse.pin(cluster, fine.pinned[v]);
  }
  coarse.set_ties(hash(fine.seed, 1));
}

void take_sides(Bisection& work, Clusters const& clusters, Bisection const& coarse) {
  work.restart();
  for (Vertex v = 0; v < work.graph.num_vertices; ++v)
    if (coarse.side[clusters.of[v]] != work.side[v]) work.flip(v);
}

void bisect_refined(Bisection& work, Balance const& balance, InitialConfig const& config);

/// Takes the sides of the clusters of `work`; false where it has few vertices, or next to no clusters.
bool take_sides_of_clusters(Bisection& work, Balance const& balance, InitialConfig const& config) {
  Vertex const n = work.graph.num_vertices;
  if (n <= coarsest) return false;
  auto const max_weight = static_cast<Weight>(heaviest * static_cast<double>(work.total_weight) / coarsest);
  auto const clusters = cluster_vertices(work, std::max(coarsest, n / shrink), max_weight);
  if (clusters.count > n - n / least_shrink) return false;
  Level level;
  level.append_clusters(work.graph, clusters.of, clusters.count);
  Bisection coarse(clusters.count);
  load_clusters(coarse, level.slice(0, clusters.count), work, clusters);
  bisect_refined(coarse, balance, config);
  take_sides(work, clusters, coarse);
  return true;
}

void bisect_refined(Bisection& work, Balance const& balance, InitialConfig const& config) {
  if (take_sides_of_clusters(work, balance, config))
    refine_cut(work, balance, config);
  else
    grow_best(work, balance, config);
}

}  // namespace

bool start_from_clusters(Bisection& work, Balance const& balance, InitialConfig const& config) {
  return take_sides_of_clusters(work, balance, on_levels(config));
}

}  // namespace procmap::initial
