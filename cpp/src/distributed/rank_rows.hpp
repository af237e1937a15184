// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/index.hpp"
#include "graph/csr_view.hpp"

// What one rank computes of a graph that several hold, between two exchanges of theirs. Nothing here knows how they
// exchange. Every decision follows from global ids and exact sums, so that it is the same wherever a row lies.

namespace procmap {

/// A vertex of a distributed graph. A rank holds consecutive rows of it.
using GlobalVertex = std::int64_t;

inline constexpr GlobalVertex no_global_vertex = -1;

/// Integers of 32 or of 64 bits, whichever they need: most graphs need 32, and that is half the memory.
class IntegerView {
 public:
  IntegerView() = default;
  IntegerView(std::span<std::int64_t const> values) : wide_(values.data()), size_(values.size()) {}
  IntegerView(std::span<std::int32_t const> values) : narrow_(values.data()), size_(values.size()) {}
  IntegerView(std::vector<std::int64_t> const& values) : IntegerView(std::span(values)) {}
  IntegerView(std::vector<std::int32_t> const& values) : IntegerView(std::span(values)) {}

  std::int64_t operator[](std::size_t i) const { return narrow_ ? std::int64_t{narrow_[i]} : wide_[i]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  std::int64_t const* wide_ = nullptr;
  std::int32_t const* narrow_ = nullptr;
  std::size_t size_ = 0;
};

/// The rows of a rank. Heads are local: its own rows from 0 on, then its ghosts, the neighbours that other ranks hold,
/// in the order of their ids. Empty weights are 1.
struct RankRows {
  GlobalVertex first = 0;  // id of row 0
  std::span<Edge const> offsets;
  std::span<Vertex const> heads;
  std::span<Weight const> arc_weights;
  std::span<Weight const> vertex_weights;  // of own rows and ghosts
  std::span<GlobalVertex const> ghosts;
  std::span<NarrowWeight const> narrow_arc_weights;  // instead of arc_weights

  Vertex num_rows() const { return static_cast<Vertex>(offsets.size()) - 1; }
  std::size_t num_local() const { return offsets.size() - 1 + ghosts.size(); }
  GlobalVertex id(Vertex v) const {
    return v < num_rows() ? first + v : ghosts[static_cast<std::size_t>(v - num_rows())];
  }
  CsrView view() const {
    CsrView graph{num_rows(),
                  static_cast<Edge>(heads.size()),
                  offsets.data(),
                  heads.data(),
                  arc_weights.empty() ? nullptr : arc_weights.data(),
                  vertex_weights.empty() ? nullptr : vertex_weights.data()};
    if (!narrow_arc_weights.empty()) graph.narrow_arc_weights = narrow_arc_weights.data();
    return graph;
  }
};

/// Arcs with global ends, sorted by tail and head.
struct ArcList {
  std::vector<GlobalVertex> tails, heads;
  std::vector<Weight> weights;
};

/// Rows as they are given: global heads, in any order. They may be a slice of what a rank has: offsets need not begin
/// with 0.
struct GivenRows {
  GlobalVertex first = 0;
  GlobalVertex num_vertices = 0;  // of all ranks
  std::span<Edge const> offsets;
  IntegerView heads;
  IntegerView arc_weights;  // empty: all 1

  std::size_t num_rows() const { return offsets.size() - 1; }
  std::size_t num_arcs() const { return index(offsets.back() - offsets.front()); }
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

/// Consecutive rows of a rank.
struct OwnRows {
  GlobalVertex first = 0;
  GlobalVertex count = 0;

  bool has(GlobalVertex v) const { return v >= first && v < first + count; }
};

/// Ids of the heads that are no rows here, increasing.
std::vector<GlobalVertex> ghosts_of(OwnRows own, IntegerView heads);
std::vector<Vertex> local_heads(OwnRows own, IntegerView heads, std::span<GlobalVertex const> ghosts);

/// Rows that are `inside`, from `begin` on, until there are `enough` arcs; heads are replaced by their `number`, which
/// is of own rows and ghosts, and left out where that is negative. `next` is the row behind the last.
struct SelectedRows {
  GlobalRows rows;
  Vertex next = 0;
};
SelectedRows selected_rows(RankRows const& rows, std::span<std::uint8_t const> inside, IntegerView number, Vertex begin,
                           std::size_t enough);

}  // namespace procmap
