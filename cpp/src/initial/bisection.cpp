// SPDX-License-Identifier: MIT
#include "initial/bisection.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "initial/best_attempt.hpp"
#include "initial/clustered_start.hpp"
#include "initial/fm.hpp"
#include "initial/greedy_growing.hpp"

namespace procmap::initial {

Bisection::Bisection(Vertex max_vertices) {
  auto const n = static_cast<std::size_t>(max_vertices);
  for (auto* sides : {static_cast<Sides*>(this), &best}) {
    sides->side.resize(n);
    sides->gain.resize(n);
  }
  incident_weight.resize(n);
  tie.resize(n);
  slot.resize(n);
}

void Bisection::load(Subgraph const& new_graph) {
  graph = new_graph;
  total_weight = 0;
  pinned_weight = {0, 0};
  pinned.clear();
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    Weight incident = 0;
    for (auto const& arc : graph.arcs(v)) incident += arc.weight;
    incident_weight[v] = incident;
    total_weight += graph.vertex_weights[v];
  }
}

void Bisection::load_graph_of(Bisection const& other) {
  graph = other.graph;
  total_weight = other.total_weight;
  pinned_weight = other.pinned_weight;
  pinned = other.pinned;
  std::copy_n(other.incident_weight.begin(), graph.num_vertices, incident_weight.begin());
}

void Bisection::pin(Vertex v, std::uint8_t to) {
  if (pinned.empty()) pinned.assign(static_cast<std::size_t>(graph.num_vertices), free);
  pinned[v] = to;
  pinned_weight[to] += graph.vertex_weights[v];
}

void Bisection::set_ties(std::uint64_t new_seed) {
  seed = new_seed;
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    tie[v] = hash(seed, static_cast<std::uint64_t>(graph.origins[v])) << 32 | static_cast<std::uint64_t>(v);
}

void Bisection::restart() {
  weight = {0, total_weight};
  cut = 0;
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  std::fill_n(side.begin(), n, std::uint8_t{1});
  for (std::size_t v = 0; v < n; ++v) gain[v] = -incident_weight[v];
  for (std::size_t v = 0; v < pinned.size(); ++v)
    if (pinned[v] == 0) flip(static_cast<Vertex>(v));
}

void Bisection::reset_slots() {
  std::fill_n(slot.begin(), graph.num_vertices, slot_none);
  for (std::size_t v = 0; v < pinned.size(); ++v)
    if (pinned[v] != free) slot[v] = slot_locked;
}

namespace {

/// Enough to tell good starts from bad ones: one pass with less patience.
InitialConfig brief(InitialConfig config) {
  config.fm_passes = std::min(config.fm_passes, 1);
  config.fm_stall *= config.trial_patience;
  config.fm_min_stall = static_cast<int>(config.fm_min_stall * config.trial_patience);
  return config;
}

/// The last starts begin with clusters, the others with single vertices.
void begin(Bisection& work, Balance const& balance, InitialConfig const& config, int start, std::uint64_t seed) {
  work.set_ties(hash(seed, static_cast<std::uint64_t>(start)));
  bool const with_clusters = start >= config.starts - config.clustered_starts;
  if (with_clusters && start_from_clusters(work, balance, config)) return;
  grow_from_start(work, balance, start);
}

/// Tries the starts first, first + step, ...; leaves the best of them in the sides of `work`.
Attempt best_start(Bisection& work, Balance const& balance, InitialConfig const& config, std::uint64_t seed, int first,
                   int step) {
  return best_attempt(work, balance, {first, config.starts, step}, [&](int start) {
    begin(work, balance, config, start, seed);
    refine_cut(work, balance, brief(config));
  });
}

void try_starts(Bisections& work, Balance const& balance, InitialConfig const& config, std::uint64_t seed,
                HostTeam const& team) {
  auto const workers = std::min(static_cast<int>(work.size()), config.starts);
  std::vector<Attempt> found(static_cast<std::size_t>(workers));
  team.for_each_job(workers, [&](Edge i) {
    auto const worker = static_cast<std::size_t>(i);
    if (worker > 0) work[worker].load_graph_of(work[0]);
    found[worker] = best_start(work[worker], balance, config, seed, static_cast<int>(i), workers);
  });
  auto const best = static_cast<std::size_t>(std::ranges::min_element(found) - found.begin());
  if (best > 0) std::swap(static_cast<Sides&>(work[0]), static_cast<Sides&>(work[best]));
  work[0].set_ties(hash(seed, static_cast<std::uint64_t>(config.starts - 1)));
}

}  // namespace

Score bisect(Bisections& work, Balance const& balance, InitialConfig const& config, std::uint64_t seed,
             HostTeam const& team) {
  if (config.starts > 1)
    try_starts(work, balance, config, seed, team);
  else
    begin(work[0], balance, config, 0, seed);
  refine_cut(work[0], balance, config);
  return work[0].score(balance);
}

}  // namespace procmap::initial
