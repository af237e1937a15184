// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "refinement/flow/half.hpp"

namespace procmap {

/// Exact heights, by a search backwards from the sink.
template <class Amount>
void make_heights_exact(Half<Amount> const& half) {
  auto* const height = half.heights();
  Vertex const no_way = half.no_way();
  Vertex count = 0;
  for (Vertex i = 0; i < half.size(); ++i) {
    if (height[i] == 0) continue;
    bool const last = half.vertices()[i].to_sink > 0;
    height[i] = last ? 1 : no_way;
    if (last) half.list()[count++] = i;
  }
  search(half, count, [&](Vertex i, auto const& arc) {
    if (arc.behind == 0 || height[arc.head] != no_way) return false;
    height[arc.head] = height[i] + 1;
    return true;
  });
}

/// A maximum preflow of a half, by one thread: push-relabel, first in, first out (Goldberg and Tarjan, "A new approach
/// to the maximum-flow problem"), with exact heights now and then and the gap heuristic (Cherkassky and Goldberg, "On
/// implementing the push-relabel method for the maximum flow problem"). Which preflow comes out does not matter, see
/// extreme_cuts.hpp.
///
/// No vertex is as high as a gap; so what is higher has no way to the sink, and never will: its arcs to lower vertices
/// are full, and only a lower vertex could open one, by pushing up.
template <class Amount>
class HalfFlow {
 public:
  /// Expects heights that are lower bounds; they end exact.
  explicit HalfFlow(Half<Amount> const& half)
      : half_(half), vertex_(half.vertices()), arc_(half.arcs()), height_(half.heights()), queue_(half.list()) {}

  void run() {
    if (half_.size() == 0) return;
    count_heights();
    list_active();
    do {
      push();
      make_heights_exact(half_);
      count_heights();
    } while (list_active());
  }

 private:
  void count_heights() {
    auto* const at_height = half_.at_height();
    std::fill_n(at_height, half_.no_way() + 1, 0);
    for (Vertex i = 0; i < half_.size(); ++i) ++at_height[height_[i]];
    gap_ = half_.no_way();
  }
  bool list_active() {
    first_ = waiting_ = 0;
    for (Vertex i = 0; i < half_.size(); ++i) {
      vertex_[i].is_listed = false;
      if (vertex_[i].excess > 0 && height_[i] < gap_) list(i);
    }
    return waiting_ > 0;
  }
  void list(Vertex i) {
    if (vertex_[i].is_listed) return;
    vertex_[i].is_listed = true;
    Vertex const place = first_ + waiting_++;  // below twice the size
    queue_[place < half_.size() ? place : place - half_.size()] = i;
  }
  Vertex take() {
    Vertex const i = queue_[first_];
    if (++first_ == half_.size()) first_ = 0;
    --waiting_;
    vertex_[i].is_listed = false;
    return i;
  }

  /// Visits until nobody is active, or for about as much work as to make heights exact.
  void push() {
    Edge const enough = half_.num_arcs() + half_.size();
    for (Edge work = 0; waiting_ > 0 && work < enough;) work += visit(take());
  }

  /// Sends the excess of i down, and lifts i as long as something is left that has a way. Returns the arcs looked at,
  /// and one.
  Edge visit(Vertex i) {
    auto& from = vertex_[i];
    Edge work = 1;
    if (height_[i] > gap_) return work;
    Amount left = from.excess;
    Amount const taken = std::min(left, from.to_sink);
    from.to_sink -= taken;
    left -= taken;
    while (left > 0) {
      Vertex const lowest = send_down(i, left);
      work += from.degree;
      if (left == 0 || !lift(i, lowest + 1)) break;
    }
    from.excess = left;
    return work;
  }

  /// Sends what is `left` to lower vertices. If all of them take too little: the height of the lowest other one that
  /// takes something.
  Vertex send_down(Vertex i, Amount& left) {
    Vertex const height = height_[i];
    Vertex lowest = half_.no_way();
    auto* const row = arc_ + vertex_[i].row;
    Vertex const degree = vertex_[i].degree;
    for (Vertex e = 0; e < degree && left > 0; ++e) {
      auto& arc = row[e];
      if (arc.ahead == 0) continue;
      if (Vertex const other = height_[arc.head]; other >= height)
        lowest = std::min(lowest, other);
      else
        left -= send(arc, left);
    }
    return lowest;
  }

  Amount send(HalfArc<Amount>& arc, Amount most) {
    auto& to = vertex_[arc.head];
    auto& back = arc_[to.row + arc.opposite];
    Amount const amount = std::min(most, arc.ahead);
    arc.ahead -= amount;
    arc.behind += amount;
    back.ahead += amount;
    back.behind -= amount;
    to.excess += amount;
    list(arc.head);
    return amount;
  }

  /// Returns whether i still has a way, as far as that is known.
  bool lift(Vertex i, Vertex to) {
    auto* const at_height = half_.at_height();
    Vertex const before = height_[i];
    if (--at_height[before] == 0) gap_ = std::min(gap_, before);
    if (to == gap_) close_gap();
    bool const has_way = to < gap_;
    height_[i] = has_way ? to : half_.no_way();
    ++at_height[height_[i]];
    return has_way;
  }

  /// Somebody is to become as high as the gap. What is higher has no way all the same.
  void close_gap() {
    for (Vertex i = 0; i < half_.size(); ++i)
      if (height_[i] > gap_) height_[i] = half_.no_way();
    std::fill(half_.at_height() + gap_ + 1, half_.at_height() + half_.no_way(), 0);
    gap_ = half_.no_way();
  }

  Half<Amount> const& half_;
  HalfVertex<Amount>* vertex_;
  HalfArc<Amount>* arc_;
  Vertex* height_;
  Vertex* queue_;  // a ring
  Vertex first_ = 0, waiting_ = 0;
  Vertex gap_ = 0;  // no vertex with a way is as high
};

}  // namespace procmap
