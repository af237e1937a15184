// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "graph/csr_view.hpp"
#include "graph/index.hpp"

// What one rank computes of a graph that several hold, between two exchanges of theirs. Nothing here knows how they
// exchange. Every decision follows from global ids and exact sums, so that it is the same wherever a row lies.

namespace procmap {

/// A vertex of a distributed graph. A rank holds consecutive rows of it.
using GlobalVertex = std::int64_t;

inline constexpr GlobalVertex no_global_vertex = -1;

/// The rows of a rank. Heads are local: its own rows from 0 on, then its ghosts, the neighbours that other ranks hold,
/// in the order of their ids. Empty weights are 1.
struct RankRows {
  GlobalVertex first = 0;  // id of row 0
  std::span<Edge const> offsets;
  std::span<Vertex const> heads;
  std::span<Weight const> arc_weights;
  std::span<Weight const> vertex_weights;  // of own rows and ghosts
  std::span<GlobalVertex const> ghosts;

  Vertex num_rows() const { return static_cast<Vertex>(offsets.size()) - 1; }
  std::size_t num_local() const { return offsets.size() - 1 + ghosts.size(); }
  GlobalVertex id(Vertex v) const {
    return v < num_rows() ? first + v : ghosts[static_cast<std::size_t>(v - num_rows())];
  }
  CsrView view() const {
    return {num_rows(),
            static_cast<Edge>(heads.size()),
            offsets.data(),
            heads.data(),
            arc_weights.empty() ? nullptr : arc_weights.data(),
            vertex_weights.empty() ? nullptr : vertex_weights.data()};
  }
};

/// Arcs with global ends, sorted by tail and head.
struct ArcList {
  std::vector<GlobalVertex> tails, heads;
  std::vector<Weight> weights;
};

/// Rows as they are given: global heads, in any order.
struct GivenRows {
  GlobalVertex first = 0;
  GlobalVertex num_vertices = 0;  // of all ranks
  std::span<Edge const> offsets;
  std::span<GlobalVertex const> heads;
  std::span<Weight const> arc_weights;  // empty: all 1
};

/// Compressed rows with global heads.
struct GlobalRows {
  std::vector<Edge> offsets;
  std::vector<GlobalVertex> heads;
  std::vector<Weight> arc_weights;  // empty: all 1
};

/// Rows in order of heads, without self-loops, parallel arcs added up. Throws GraphError naming vertex and arc if a
/// head is no vertex or a weight negative, std::overflow_error if the weights add up to 2^62.
GlobalRows tidy_rows(GivenRows const& given);

/// Two numbers that add up to 0 over all ranks, modulo 2^64, if every arc has a reverse arc of equal weight; if not,
/// the chance of it is 2^-64 each.
std::vector<std::uint64_t> arc_balance(GivenRows const& tidy);

/// Arcs u->v of these rows that end at other ranks, as what is expected of those: v->u.
ArcList reverse_arcs(GivenRows const& tidy);

/// Throws GraphError naming the first of `expected`, arcs whose tails are rows here, that is not among the rows or has
/// another weight.
void check_reverse(GivenRows const& tidy, std::span<GlobalVertex const> tails, std::span<GlobalVertex const> heads,
                   std::span<Weight const> weights);

/// Ids of the heads that are no rows here, increasing.
std::vector<GlobalVertex> ghosts_of(GivenRows const& tidy);
std::vector<Vertex> local_heads(GivenRows const& tidy, std::span<GlobalVertex const> ghosts);

}  // namespace procmap
