// SPDX-License-Identifier: MIT
#include "initial/bisection.hpp"

#include <algorithm>

#include "core/hash.hpp"
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

void Bisection::pin(Vertex v, std::uint8_t to) {
  if (pinned.empty()) pinned.assign(static_cast<std::size_t>(graph.num_vertices), free);
  pinned[v] = to;
  pinned_weight[to] += graph.vertex_weights[v];
}

void Bisection::restart(std::uint64_t new_seed) {
  seed = new_seed;
  weight = {0, total_weight};
  cut = 0;
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  std::fill_n(side.begin(), n, std::uint8_t{1});
  for (std::size_t v = 0; v < n; ++v) {
    gain[v] = -incident_weight[v];
    tie[v] = hash(seed, static_cast<std::uint64_t>(graph.origins[v])) << 32 | v;
  }
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

}  // namespace

Score bisect(Bisection& work, Balance const& balance, InitialConfig const& config, std::uint64_t seed) {
  auto const exploration = brief(config);
  Score best;
  for (int start = 0; start == 0 || start < config.starts; ++start) {
    work.restart(hash(seed, static_cast<std::uint64_t>(start)));
    grow_side_zero(work, balance, start == 0 ? Start::peripheral : Start::hashed);
    if (config.starts <= 1) break;
    refine_cut(work, balance, exploration);
    if (auto const score = work.score(balance); start == 0 || score < best) {
      best = score;
      std::swap(work.best, static_cast<Sides&>(work));
    }
  }
  if (config.starts > 1) std::swap(work.best, static_cast<Sides&>(work));
  refine_cut(work, balance, config);
  return work.score(balance);
}

}  // namespace procmap::initial
