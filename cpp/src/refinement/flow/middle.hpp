// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "refinement/flow/side.hpp"

namespace procmap {

// What is left to be done once both halves of a network are solved (halves.hpp). In half b, excess that has no way to
// the sink is stuck in what it reaches, call that B. In half a, what is missing is stuck in what it reaches against the
// direction of arcs, A. Nothing leads out of B but the edges of the cut, and nothing leads to A but them. So excess of
// b that leaves B and comes to another vertex of a than those of A never reaches A; nor does it come back to b, as no
// arc of the cut leads from a to b, unless something went the other way through A. What flows, flows inside of A and B.
//
// The extreme cuts are defined as in extreme_cuts.hpp. On the source side least lies what of a has a way in its half,
// and what the excess reaches that is left in the end; what reaches the sink is what of b has a way in its half, and
// what reaches something of a that is missing in the end. Outside of A and B no residual has changed.

/// The cut edges of a vertex.
template <class Amount>
std::span<CutEdge const> cut_edges_of(BandSide<Amount> const& side, Vertex i) {
  auto const first =
      std::partition_point(side.cut.begin(), side.cut.end(), [=](CutEdge const& edge) { return edge.from < i; });
  return {first, std::partition_point(first, side.cut.end(), [=](CutEdge const& edge) { return edge.from == i; })};
}

/// Lists what is stuck in a half whose flow is a maximum one.
template <class Amount>
void list_stuck(BandSide<Amount>& side) {
  auto const& half = side.half;
  auto* const number = side.stuck_number.data();
  for (Vertex const i : side.stuck) number[i] = no_vertex;
  Vertex found = 0;
  Vertex const count = search_from_excess(half, [&](Vertex i) {
    if (number[i] != no_vertex) return false;
    number[i] = found++;
    return true;
  });
  side.stuck.assign(half.list(), half.list() + count);
  side.missing = excess_of(half);
}

/// The network of what is stuck in two sides.
template <class Amount>
class Middle {
 public:
  /// Returns what the whole flow falls short of the present cut. `place`: of the vertices of the graph in their sides.
  Weight solve(BandSide<Amount> const& a, BandSide<Amount> const& b, Vertex const* place) {
    net_.clear();
    first_of_a_ = static_cast<Vertex>(b.stuck.size());
    reached_.clear();
    if (a.stuck.empty() || b.stuck.empty()) return a.missing + b.missing;
    allot_rows(a, b);
    link_sides(a, b, place);
    std::fill_n(net_.heights(), net_.size(), net_.no_way());
    make_heights_exact(net_);
    HalfFlow<Amount>(net_).run();
    return a.missing + excess_of(net_);
  }

  /// Of those that are stuck in b or in a: what the excess reaches that is left.
  std::vector<Vertex> reached_in(BandSide<Amount> const& side, bool is_a) {
    if (net_.size() == 0) return is_a ? std::vector<Vertex>{} : side.stuck;
    if (reached_.empty()) find_reached();
    return list_if(side, is_a, [&](Vertex i) { return reached_[static_cast<std::size_t>(i)] != 0; });
  }
  /// ... and what reaches something that is missing.
  std::vector<Vertex> reaching_in(BandSide<Amount> const& side, bool is_a) const {
    if (net_.size() == 0) return is_a ? side.stuck : std::vector<Vertex>{};
    return list_if(side, is_a, [&](Vertex i) { return net_.has_way(i); });
  }

 private:
  void allot_rows(BandSide<Amount> const& a, BandSide<Amount> const& b) {
    Edge arcs = 0;
    auto const arcs_of = [](BandSide<Amount> const& side, Vertex i) {
      return side.half.vertices()[i].degree + static_cast<Edge>(cut_edges_of(side, i).size());
    };
    for (auto const* side : {&b, &a})
      for (Vertex const i : side->stuck) arcs += arcs_of(*side, i);
    net_.make_room(static_cast<Vertex>(a.stuck.size() + b.stuck.size()), arcs);
    for (auto const* side : {&b, &a})
      for (Vertex const i : side->stuck) net_.append(arcs_of(*side, i));
  }

  void link_sides(BandSide<Amount> const& a, BandSide<Amount> const& b, Vertex const* place) {
    for_links(b, [&](Vertex i, Vertex j, auto const& arc) { net_.link(i, j, arc.ahead, arc.behind); });
    for_links(a, [&](Vertex i, Vertex j, auto const& arc) {
      net_.link(first_of_a_ + i, first_of_a_ + j, arc.behind, arc.ahead);
    });
    for (Vertex i = 0; i < first_of_a_; ++i) {
      Vertex const in_b = b.stuck[static_cast<std::size_t>(i)];
      net_.vertices()[i].excess = b.half.vertices()[in_b].excess;
      for (CutEdge const& edge : cut_edges_of(b, in_b)) {
        Vertex const in_a = place[edge.head];
        if (in_a < 0 || a.stuck_number.data()[in_a] == no_vertex) continue;
        auto const open = static_cast<Amount>(2 * edge.capacity);
        net_.link(i, first_of_a_ + a.stuck_number.data()[in_a], open, 0);
      }
    }
    for (Vertex i = first_of_a_; i < net_.size(); ++i)
      net_.vertices()[i].to_sink = a.half.vertices()[a.stuck[static_cast<std::size_t>(i - first_of_a_)]].excess;
  }
  /// f(i, j, arc) for the arcs from one that is stuck to another, every edge once, by their numbers there.
  template <class F>
  static void for_links(BandSide<Amount> const& side, F f) {
    auto const* const number = side.stuck_number.data();
    for (Vertex const v : side.stuck)
      for_arcs(side.half, v, [&](auto const& arc) {
        if (number[arc.head] != no_vertex && number[arc.head] < number[v]) f(number[v], number[arc.head], arc);
      });
  }

  void find_reached() {
    reached_.assign(static_cast<std::size_t>(net_.size()), 0);
    search_from_excess(net_, [&](Vertex i) { return std::exchange(reached_[static_cast<std::size_t>(i)], 1) == 0; });
  }
  template <class Is>
  std::vector<Vertex> list_if(BandSide<Amount> const& side, bool is_a, Is is) const {
    std::vector<Vertex> listed;
    for (Vertex const v : side.stuck)
      if (is((is_a ? first_of_a_ : 0) + side.stuck_number.data()[v])) listed.push_back(v);
    return listed;
  }

  Half<Amount> net_;  // what is stuck in b, then what is stuck in a
  Vertex first_of_a_ = 0;
  std::vector<std::uint8_t> reached_;  // by the excess that is left
};

}  // namespace procmap
