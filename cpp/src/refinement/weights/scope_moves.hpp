// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "objective/cost.hpp"
#include "objective/objective.hpp"
#include "refinement/state/destinations.hpp"
#include "refinement/state/refinement.hpp"
#include "refinement/weights/block_loads.hpp"

namespace procmap {

/// The vertices of one scope that have several weights, on the host: where they are, what they gain elsewhere, and
/// whether they fit there.
template <class Objective>
struct ScopeMoves {
  ScopeMoves(RefinementProblem<Objective> const& problem, Block first, Block count, std::span<Vertex const> of_scope,
             Block* block_of, std::uint64_t noise_seed)
      : graph(problem.graph),
        objective(problem.objective),
        anchors(problem.anchors),
        vertices(of_scope),
        block(block_of),
        seed(noise_seed),
        loads(problem.graph, problem.blocks, first, count, of_scope, block_of),
        conn(static_cast<std::size_t>(count), 0) {}

  std::uint64_t noise(std::uint64_t round, Vertex v) const { return hash(seed, round, static_cast<std::uint64_t>(v)); }
  std::size_t index(Block b) const { return static_cast<std::size_t>(b - loads.first()); }

  /// Fills `conn` and `touched`: the weight from v to every adjacent block.
  void gather(Vertex v) {
    for (Block const b : touched) conn[index(b)] = 0;
    touched.clear();
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Weight const weight = graph.arc_weight(e);
      if (weight == 0) continue;
      Block const b = block[graph.heads[e]];
      if (conn[index(b)] == 0) touched.push_back(b);
      conn[index(b)] += weight;
    }
    constexpr std::size_t most_considered = 64;
    if (ObjectiveTraits<Objective>::all_equal || touched.size() <= most_considered) return;
    // A gain adds up the distances of all adjacent blocks, for each of them.
    std::ranges::sort(touched, [&](Block a, Block b) {
      return conn[index(a)] != conn[index(b)] ? conn[index(a)] > conn[index(b)] : a < b;
    });
    for (std::size_t i = most_considered; i < touched.size(); ++i) conn[index(touched[i])] = 0;
    touched.resize(most_considered);
  }

  /// What v saves in b, but for what is the same everywhere; gather() comes before.
  Weight affinity(Vertex v, Block b) const {
    Weight sum = anchors.affinity(v, b);
    if constexpr (ObjectiveTraits<Objective>::all_equal) {
      sum += conn[index(b)];
    } else {
      for (Block const c : touched) sum -= conn[index(c)] * objective.distance(b, c);
    }
    return sum;
  }

  /// The best adjacent block in which v fits.
  Destination best_fitting(Vertex v, std::uint64_t round) {
    gather(v);
    Block const own = block[v];
    Weight const here = affinity(v, own);
    Destination best;
    auto const consider = [&](Block b) {
      if (b == own || !loads.fits(v, b)) return;
      Destination const other{affinity(v, b) - here, hash(noise(round, v), static_cast<std::uint64_t>(b)), b};
      if (other.better_than(best)) best = other;
    };
    for (Block const b : touched) consider(b);
    if (Block const home = anchors.home_of(v); home != no_block) consider(home);
    return best;
  }

  bool borders(Vertex v) const {
    if (anchors.home_of(v) != no_block && anchors.home_of(v) != block[v]) return true;
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      if (block[graph.heads[e]] != block[v]) return true;
    return false;
  }

  void move(Vertex v, Block to) {
    loads.move(v, block[v], to);
    block[v] = to;
  }

  Weight cost() const {
    Weight sum = 0;
    for (Vertex const v : vertices) sum += vertex_cost(graph, objective, block, v) + anchors.cost(v, block[v]);
    return sum;
  }

  CsrView graph;
  Objective const& objective;
  AnchorsView anchors;
  std::span<Vertex const> vertices;
  Block* block;
  std::uint64_t seed;
  BlockLoads loads;
  std::vector<Weight> conn;    // of one vertex, per block; 0 where `touched` has none
  std::vector<Block> touched;
};

}  // namespace procmap
