// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "exec/growing_array.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// An arc of a half, and what is left of it.
template <class Amount>
struct HalfArc {
  Vertex head = 0;
  Vertex opposite = 0;  // place of the opposite arc in the row of `head`
  Amount ahead = 0;     // what it still takes
  Amount behind = 0;    // what the opposite arc still takes
};

/// A vertex of a half. All that a push needs of it comes with one access.
template <class Amount>
struct HalfVertex {
  Edge row = 0;  // its first arc
  Vertex degree = 0;
  bool is_listed = false;  // waits for a visit
  Amount excess = 0;       // arrived and not sent on
  Amount to_sink = 0;      // what an arc to the sink still takes
};

/// Half of the flow network of a band (halves.hpp) for one thread, or what two halves have in the middle: a FlowNetwork
/// in fewer bytes. Arrays keep their room from pair to pair.
template <class Amount>
class Half {
 public:
  void clear() {
    size_ = 0;
    arcs_ = 0;
  }
  void make_room(Vertex vertices, Edge arcs) {
    auto const used = static_cast<std::size_t>(size_), wanted = static_cast<std::size_t>(vertices);
    vertex_.make_room(wanted, used);
    height_.make_room(wanted, used);
    arc_.make_room(static_cast<std::size_t>(arcs), static_cast<std::size_t>(arcs_));
    list_.make_room(wanted, 0);
    at_height_.make_room(wanted + 2, 0);
  }
  /// Appends a vertex and an empty row, for which there is room.
  void append(Edge degree) {
    vertices()[size_++] = {arcs_};
    arcs_ += degree;
  }
  /// Appends an arc from i to j to the row of i, and the opposite one to that of j.
  void link(Vertex i, Vertex j, Amount ahead, Amount behind) const {
    auto& from = vertices()[i];
    auto& to = vertices()[j];
    Vertex const forth = from.degree++, back = to.degree++;
    arcs()[from.row + forth] = {j, back, ahead, behind};
    arcs()[to.row + back] = {i, forth, behind, ahead};
  }

  Vertex size() const { return size_; }
  Edge num_arcs() const { return arcs_; }  // for which there is room
  HalfVertex<Amount>* vertices() const { return vertex_.data(); }
  HalfArc<Amount>* arcs() const { return arc_.data(); }
  /// Lower bounds of the distances to the sink. 0: contracted with it.
  Vertex* heights() const { return height_.data(); }
  Vertex no_way() const { return size_ + 1; }
  bool has_way(Vertex i) const { return heights()[i] < no_way(); }

  /// Scratch: room for all vertices, and a number for every height.
  Vertex* list() const { return list_.data(); }
  Vertex* at_height() const { return at_height_.data(); }

 private:
  Vertex size_ = 0;
  Edge arcs_ = 0;
  GrowingArray<HalfVertex<Amount>> vertex_;
  GrowingArray<HalfArc<Amount>> arc_;
  GrowingArray<Vertex> height_, list_, at_height_;
};

/// f(arc) for all arcs of vertex i.
template <class Amount, class F>
void for_arcs(Half<Amount> const& half, Vertex i, F f) {
  auto const& from = half.vertices()[i];
  auto* const row = half.arcs() + from.row;
  for (Vertex e = 0; e < from.degree; ++e) f(row[e]);
}

/// All that arrived and was not sent on.
template <class Amount>
Weight excess_of(Half<Amount> const& half) {
  Weight sum = 0;
  for (Vertex i = 0; i < half.size(); ++i) sum += half.vertices()[i].excess;
  return sum;
}

/// A search from the first `count` vertices of the list of the half, behind which it lists what it finds: the head of
/// an arc of i, if opens(i, arc) says so. Returns how many are listed in the end.
template <class Amount, class Opens>
Vertex search(Half<Amount> const& half, Vertex count, Opens opens) {
  auto* const list = half.list();
  for (Vertex next = 0; next < count; ++next) {
    Vertex const i = list[next];
    for_arcs(half, i, [&](auto const& arc) {
      if (opens(i, arc)) list[count++] = arc.head;
    });
  }
  return count;
}

/// Lists what the excess of a half reaches; mark(i) says whether i is new. Returns how many are listed.
template <class Amount, class Mark>
Vertex search_from_excess(Half<Amount> const& half, Mark mark) {
  Vertex count = 0;
  for (Vertex i = 0; i < half.size(); ++i)
    if (half.vertices()[i].excess > 0 && mark(i)) half.list()[count++] = i;
  return search(half, count, [&](Vertex, auto const& arc) { return arc.ahead > 0 && mark(arc.head); });
}

/// The opposite arc.
template <class Amount>
HalfArc<Amount>& opposite(Half<Amount> const& half, HalfArc<Amount> const& arc) {
  return half.arcs()[half.vertices()[arc.head].row + arc.opposite];
}

}  // namespace procmap
