// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "refinement/flow/middle.hpp"
#include "refinement/flow/narrow.hpp"

namespace procmap {

// A pair on a CPU. Each side of its band is grown, becomes half of a network and is solved for itself (halves.hpp), by
// a thread of its own if one is idle. What then is left is little (middle.hpp). Nothing of it is written to the halves:
// a narrower band goes on with them, as its network is parted in the same way.

/// The sides of the pairs that a thread cuts, one pair at a time, and the extreme cuts of their networks. In these the
/// vertices of b are numbered behind those of a.
template <class Amount>
struct TwoSides {
  BandSide<Amount> a, b;
  Middle<Amount> middle;
  GrowingArray<Vertex> near_source, height;  // as in FlowNetwork; heights only say who has a way

  Vertex size() const { return a.size() + b.size(); }
  /// For the extreme cuts.
  void make_room() {
    near_source.make_room(static_cast<std::size_t>(size()), 0);
    height.make_room(static_cast<std::size_t>(size()), 0);
  }
  FlowNetwork shown() const {
    FlowNetwork network;
    network.num_vertices = size();
    network.near_source = near_source.data();
    network.height = height.data();
    return network;
  }
};

/// With amounts of few bytes, and for networks in which these are too few.
struct LentSides {
  TwoSides<std::int32_t> narrow;
  TwoSides<Weight> wide;
};

/// A maximum preflow of a half, from heights that are lower bounds, and what is stuck in it.
template <class Amount>
void solve_half(BandSide<Amount>& side) {
  HalfFlow<Amount>(side.half).run();
  list_stuck(side);
}

/// Puts the vertices and steps of b behind those of a.
template <class Amount>
void append_band(BandSide<Amount>& a, BandSide<Amount> const& b) {
  auto const n = static_cast<std::size_t>(a.size() + b.size());
  a.vertices.make_room(n, static_cast<std::size_t>(a.size()));
  a.steps.make_room(static_cast<std::size_t>(a.growth.steps + b.growth.steps),
                    static_cast<std::size_t>(a.growth.steps));
  std::copy_n(b.vertices.data(), b.size(), a.vertices.data() + a.size());
  for (Vertex i = 0; i < b.growth.steps; ++i) {
    GrownStep step = b.steps[static_cast<std::size_t>(i)];
    step.end += a.size();
    a.steps[static_cast<std::size_t>(a.growth.steps++)] = step;
  }
  a.growth.cut_short |= b.growth.cut_short;
}

/// Goes on with vertices of a side that are found in the end, to those which they lead to in `to`, by edges of the cut
/// and then against the direction in which its half was solved. `found` of `to` are known already; mark(i) says whether
/// i is new.
template <class Amount, class Mark>
void spread(BandSide<Amount> const& from, std::vector<Vertex> const& found_there, BandSide<Amount> const& to,
            std::vector<Vertex> const& found, Vertex const* place, Mark mark) {
  auto const& half = to.half;
  auto const* const stuck_number = to.stuck_number.data();
  auto const adds = [&](Vertex i) { return stuck_number[i] == no_vertex && mark(i); };
  auto* const end = std::copy(found.begin(), found.end(), half.list());
  auto count = static_cast<Vertex>(end - half.list());
  for (Vertex const i : found_there)
    for (CutEdge const& edge : cut_edges_of(from, i))
      if (Vertex const j = place[edge.head]; j >= 0 && adds(j)) half.list()[count++] = j;
  search(half, count, [&](Vertex, auto const& arc) { return arc.behind > 0 && adds(arc.head); });
}

/// Shows the extreme cuts, for which there is room. Expects both halves and what is between them solved.
template <class Amount>
void show_cuts(TwoSides<Amount>& sides, Vertex const* place) {
  auto& [a, b, middle, near_source, height] = sides;
  Vertex const first_of_b = a.size(), no_way = sides.size() + 1;
  auto* const near = near_source.data();
  auto* const way = height.data();
  for (Vertex i = 0; i < a.size(); ++i) {
    near[i] = a.half.has_way(i) ? 1 : 0;
    way[i] = no_way;
  }
  for (Vertex i = 0; i < b.size(); ++i) {
    near[first_of_b + i] = 0;
    way[first_of_b + i] = b.half.has_way(i) ? 1 : no_way;
  }
  if (a.missing + b.missing == 0) return;
  auto const reached_a = middle.reached_in(a, true), reached_b = middle.reached_in(b, false);
  for (Vertex const i : reached_a) near[i] = 1;
  for (Vertex const i : reached_b) near[first_of_b + i] = 1;
  spread(b, reached_b, a, reached_a, place, [&](Vertex i) { return std::exchange(near[i], 1) == 0; });
  auto const reaching_a = middle.reaching_in(a, true), reaching_b = middle.reaching_in(b, false);
  for (Vertex const i : reaching_a) way[i] = 1;
  for (Vertex const i : reaching_b) way[first_of_b + i] = 1;
  spread(a, reaching_a, b, reaching_b, place, [&](Vertex i) { return std::exchange(way[first_of_b + i], 1) != 1; });
}

/// Contracts the vertices of a side that do not stay with its sink, which is the terminal of their own block: their
/// arcs become arcs of their neighbours to it. Lists them first in the list of the half, `first` is the number of the
/// side's first vertex in the band. Returns how many they are.
template <class Amount>
Vertex contract(BandSide<Amount> const& side, SideEnd const& end, Vertex first, std::uint64_t seed) {
  auto const& half = side.half;
  auto* const height = half.heights();
  Vertex count = 0;
  for (Vertex i = std::max(end.begin - first, 0); i < half.size(); ++i) {
    if (height[i] == 0 || end.keeps(first + i, side.vertices.data()[i], seed)) continue;
    height[i] = 0;
    half.list()[count++] = i;
  }
  for (Vertex k = 0; k < count; ++k) {
    auto& vertex = half.vertices()[half.list()[k]];
    for_arcs(half, half.list()[k], [&](auto& arc) {
      if (height[arc.head] == 0) return;
      half.vertices()[arc.head].to_sink += arc.behind;
      auto& back = opposite(half, arc);
      back.ahead = 0;
      back.behind = 0;
    });
    vertex.excess = 0;
    vertex.to_sink = 0;
  }
  return count;
}

/// Gives a way to those who have one by the first `count` that are listed. Returns whether one of them has excess.
template <class Amount>
bool open_ways(Half<Amount> const& half, Vertex count) {
  bool has_excess = false;
  search(half, count, [&](Vertex, auto const& arc) {
    if (arc.behind == 0 || half.has_way(arc.head)) return false;
    half.heights()[arc.head] = 1;
    has_excess |= half.vertices()[arc.head].excess > 0;
    return true;
  });
  return has_excess;
}

/// Makes a side of a band narrower and its flow a maximum one again. Returns how many vertices it loses. Where nothing
/// flows heights only say who has a way.
template <class Amount>
Vertex narrow(BandSide<Amount>& side, SideEnd const& end, Vertex first, std::uint64_t seed) {
  auto const& half = side.half;
  Vertex const count = contract(side, end, first, seed);
  bool const flows = open_ways(half, count);
  for (Vertex k = 0; k < count; ++k) half.vertices()[half.list()[k]].degree = 0;
  if (flows) {
    make_heights_exact(half);
    solve_half(side);
  } else {
    list_stuck(side);
  }
  return count;
}

}  // namespace procmap
