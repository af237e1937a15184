// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/prefetch.hpp"
#include "exec/growing_array.hpp"
#include "exec/serial_group.hpp"
#include "refinement/flow/flow_problem.hpp"
#include "refinement/flow/half_flow.hpp"

namespace procmap {

/// An edge of the present cut: from a vertex of a side, by number, to one of the other block.
struct CutEdge {
  Vertex from;
  Vertex head;
  Weight capacity;
};

/// One side of a band and its half of the network, by one thread. Arrays keep their room from pair to pair.
template <class Amount>
struct BandSide {
  GrowingArray<Vertex> vertices;  // by number; those of side a at last with those of b behind them
  GrowingArray<GrownStep> steps;  // likewise
  Growth growth;                  // likewise
  GrowingArray<Vertex> candidates;
  std::vector<CutEdge> cut;  // by number of the vertex
  Half<Amount> half;
  Weight missing = 0;         // what its flow falls short of the present cut
  std::vector<Vertex> stuck;  // what is reached by excess that has no way to the sink
  GrowingArray<Vertex> stuck_number;  // of a vertex, in this list; no_vertex: it is not there

  Vertex size() const { return half.size(); }
  void clear() {
    growth = {};
    cut.clear();
    half.clear();
    stuck.clear();
  }
  /// To be grown, of a block of `most` vertices.
  BandView band(Block const* block, Vertex* place, Vertex most, BandLimits const& limits, Vertex* count) {
    auto const room = static_cast<std::size_t>(most);
    vertices.make_room(room, 0);
    candidates.make_room(room, 0);
    steps.make_room(static_cast<std::size_t>(most_steps(std::max(limits.a.depth, limits.b.depth), most)), 0);
    return {block, place, {vertices.data(), count}, candidates.data(), steps.data(), {}};
  }
};

/// Grows a side of a band and builds its half of the network with one look at every row: grow() and build_network() of
/// one lane, where all distances are equal.
template <class Amount, class Objective>
class SideBuilder {
 public:
  SideBuilder(FlowProblem const& problem, Objective const& objective, BlockPair const& pair, Block own, Vertex* place,
              BandSide<Amount>& side)
      : problem_(problem),
        graph_(problem.graph),
        block_(problem.block),
        pair_(pair),
        own_(own),
        other_(own == pair.a ? pair.b : pair.a),
        distance_(objective.distance(pair.a, pair.b)),
        place_(place),
        side_(side),
        half_(side.half) {}

  /// `most`: vertices of the block. Returns whether all amounts of the network can be told; if not, it is of no use.
  bool run(Vertex most, BandLimits const& limits) {
    side_.clear();
    BandView const band = side_.band(problem_.block, place_, most, limits, &found_);
    vertices_ = band.vertices.items;
    bool const is_a = own_ == pair_.a;
    grow_sides(graph_, band, pair_, problem_.border, SerialGroup{}, {is_a, !is_a}, limits, problem_.seed, side_.growth,
               [&](Vertex begin, Vertex end, GrowingSides grows) { look_at(begin, end, grows.any()); });
    if (fits()) part_by_terminals();
    if (fits()) bound_heights();
    side_.stuck_number.make_room(static_cast<std::size_t>(half_.size()), 0);
    std::fill_n(side_.stuck_number.data(), half_.size(), no_vertex);
    return fits();
  }

 private:
  /// Of all amounts together: as much may come to one vertex, twice.
  static constexpr Weight most_in_all = std::numeric_limits<Amount>::max() / 4;

  bool fits() const { return std::is_same_v<Amount, Weight> || in_all_ <= most_in_all; }

  void look_at(Vertex begin, Vertex end, bool grows) {
    allot_rows(begin, end);
    graph_.with_arc_weights([&](auto weight) {
      for (Vertex i = begin; i < end && fits(); ++i) {
        fetch_ahead(i, end);
        scan(i, weight, grows);
      }
    });
  }

  /// Gives vertices empty rows with room for all of their arcs.
  void allot_rows(Vertex begin, Vertex end) {
    Edge arcs = half_.num_arcs();
    for (Vertex i = begin; i < end; ++i) arcs += graph_.degree(vertices_[i]);
    half_.make_room(end, arcs);
    for (Vertex i = begin; i < end; ++i) half_.append(graph_.degree(vertices_[i]));
  }

  /// Asks for what scans of the vertices behind i look at. A band is a few vertices of the graph, here and there in
  /// memory, and each look decides what comes next, so that a processor does not run ahead on its own.
  void fetch_ahead(Vertex i, Vertex end) const {
    constexpr Vertex row_ahead = 3, offset_ahead = 8;
    if (i + offset_ahead < end) prefetch(&graph_.offsets[vertices_[i + offset_ahead]]);
    if (i + row_ahead < end) prefetch(&graph_.heads[graph_.begin(vertices_[i + row_ahead])]);
    if (i + 1 >= end) return;
    Vertex const next = vertices_[i + 1];
    for (Edge e = graph_.begin(next); e < graph_.end(next); ++e) {
      prefetch(&block_[graph_.heads[e]]);
      prefetch(&place_[graph_.heads[e]]);
    }
  }

  /// Links vertex i to those numbered before it, and lists its neighbours that are not in the band yet.
  template <class ArcWeight>
  void scan(Vertex i, ArcWeight weight, bool grows) {
    Vertex const v = vertices_[i];
    auto* const vertex = half_.vertices();
    Weight across = 0, within = 0;
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Weight const capacity = weight(e) * distance_;
      if (capacity == 0) continue;
      Vertex const head = graph_.heads[e];
      Block const block = racy_load(&block_[head]);
      if (block == other_) {
        across += capacity;
        side_.cut.push_back({i, head, capacity});
      }
      if (block != own_) continue;
      Vertex const place = place_[head];
      if (place >= 0 && place < i) {
        auto const amount = static_cast<Amount>(capacity);
        vertex[place].to_sink -= amount;
        half_.link(i, place, amount, amount);
        continue;
      }
      within += capacity;
      if (grows && place == no_vertex) {
        place_[head] = placed_soon;
        vertices_[found_++] = head;
      }
    }
    in_all_ += across + within;
    vertex[i].excess = static_cast<Amount>(across);
    vertex[i].to_sink = static_cast<Amount>(within);
  }

  /// Takes what both terminals would have of a vertex from both. So far `excess` is what leads to the other block, and
  /// `to_sink` what leads to what its own one has outside of the band.
  void part_by_terminals() {
    auto const& anchors = problem_.anchors;
    for (Vertex i = 0; i < half_.size(); ++i) {
      auto& vertex = half_.vertices()[i];
      Weight stay = vertex.excess, leave = vertex.to_sink;
      if (anchors.home) {
        Vertex const v = vertices_[i];
        stay += anchors.affinity(v, other_);
        leave += anchors.affinity(v, own_);
        in_all_ += stay + leave;
      }
      Weight const common = std::min(stay, leave);
      vertex.excess = static_cast<Amount>(stay - common);
      vertex.to_sink = static_cast<Amount>(leave - common);
    }
  }

  /// An arc leads to the same step, or to the one before or behind it; so nobody is nearer to the sink than the nearest
  /// step with an arc to it.
  void bound_heights() {
    auto* const height = half_.heights();
    auto const* const step = side_.steps.data();
    Vertex nearest = half_.no_way();
    Vertex begin = 0;
    for (Vertex s = 0; s < side_.growth.steps; begin = step[s++].end) {
      nearest = is_next_to_sink(begin, step[s].end) ? 1 : std::min(nearest + 1, half_.no_way());
      std::fill(height + begin, height + step[s].end, nearest);
    }
    nearest = half_.no_way();
    for (Vertex s = side_.growth.steps; s-- > 0;) {
      begin = s > 0 ? step[s - 1].end : 0;
      if (begin == step[s].end) continue;  // the last one may be empty
      nearest = std::min(nearest + 1, height[begin]);
      std::fill(height + begin, height + step[s].end, nearest);
    }
  }
  bool is_next_to_sink(Vertex begin, Vertex end) const {
    auto const* const vertex = half_.vertices();
    return std::any_of(vertex + begin, vertex + end, [](auto const& one) { return one.to_sink > 0; });
  }

  FlowProblem const& problem_;
  CsrView graph_;
  Block const* block_;
  BlockPair const& pair_;
  Block own_, other_;
  Weight distance_;
  Vertex* place_;
  BandSide<Amount>& side_;
  Half<Amount>& half_;
  Vertex* vertices_ = nullptr;
  Vertex found_ = 0;    // vertices listed
  Weight in_all_ = 0;   // of amounts
};

}  // namespace procmap
