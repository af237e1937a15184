// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "exec/host_team.hpp"
#include "initial/bisection.hpp"
#include "support/graphs.hpp"
#include "support/view.hpp"

// What bisections on the host are tested with.

namespace procmap::test {

/// A graph ready to be bisected.
struct BisectionTrial {
  BisectionTrial(Graph const& graph, std::uint64_t seed) : csr(to_csr(graph)), work(graph.num_vertices()) {
    level.append(view_of(csr));
    work.load(level.slice(0, graph.num_vertices()));
    work.set_ties(seed);
  }

  Csr csr;
  initial::Level level;
  initial::Bisection work;
};

/// Pins every seventh vertex, in turn to one side and to the other.
inline void pin_every_seventh(initial::Bisection& work) {
  for (Vertex v = 0; v < work.graph.num_vertices; v += 7) work.pin(v, static_cast<std::uint8_t>(v / 7 % 2));
}

/// All vertices on one side.
inline BisectionTrial one_sided(Graph const& graph, std::uint64_t seed) {
  BisectionTrial trial(graph, seed);
  trial.work.restart();
  return trial;
}

/// Sides by coin.
inline BisectionTrial by_coin(Graph const& graph, std::uint64_t seed) {
  auto trial = one_sided(graph, seed);
  for (Vertex v = 0; v < graph.num_vertices(); ++v)
    if (random_below(2, seed, static_cast<std::uint64_t>(v)) == 0) trial.work.flip(v);
  return trial;
}

/// Weight of the edges between different blocks, or sides.
template <class Blocks>
Weight cut_of(CsrView graph, Blocks const& block) {
  Weight twice = 0;
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      if (block[v] != block[graph.heads[e]]) twice += graph.arc_weight(e);
  return twice / 2;
}

/// What both sides weigh.
inline std::array<Weight, 2> weights_of_sides(initial::Bisection const& work) {
  std::array<Weight, 2> weight{};
  for (Vertex v = 0; v < work.graph.num_vertices; ++v) weight[work.side[v]] += work.graph.vertex_weights[v];
  return weight;
}

/// Says to have `size` threads, and does the last job first.
inline HostTeam backwards(int size) {
  return {size, [](Edge count, HostTeam::Job const& job) {
            for (Edge i = count; i-- > 0;) job(i);
          }};
}

}  // namespace procmap::test
