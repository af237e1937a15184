// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "exec/growing_array.hpp"
#include "exec/serial_group.hpp"
#include "refinement/flow/flow_problem.hpp"
#include "refinement/flow/network.hpp"

namespace procmap {

/// An edge of the present cut: from a vertex of a side, by number, to one of the other block.
struct CutEdge {
  Vertex from;
  Vertex head;
  Weight capacity;
};

/// One side of a band and its half of the network, by one thread; at last the whole band, once the other side is behind
/// it. Arrays keep their room from pair to pair.
class BandSide {
 public:
  GrowingArray<Vertex> vertices;  // by number
  GrowingArray<GrownStep> steps;
  std::vector<CutEdge> cut;
  Vertex size = 0;
  Edge arcs = 0;     // room that its rows have
  Growth growth;
  Weight excess = 0;  // what its half has to send

  void clear() {
    size = 0;
    arcs = 0;
    growth = {};
    cut.clear();
  }
  void make_room(Vertex n, Edge m) {
    auto const used = static_cast<std::size_t>(size), wanted = static_cast<std::size_t>(n);
    vertices.make_room(wanted, used);
    for (auto* array : {&list_[0], &list_[1], &near_source_}) array->make_room(wanted, 0);
    height_.make_room(wanted, used);
    for (auto* array : {&row_begin_, &row_end_}) array->make_room(wanted, used);
    for (auto* array : {&excess_, &to_sink_}) array->make_room(wanted, used);
    listed_.make_room(static_cast<std::size_t>(TeamFlags::num_words(n)), 0);
    arc_.make_room(static_cast<std::size_t>(m), static_cast<std::size_t>(arcs));
    capacity_.make_room(static_cast<std::size_t>(m), static_cast<std::size_t>(arcs));
  }
  FlowNetwork network() {
    FlowNetwork network;
    network.num_vertices = size;
    network.row_begin = row_begin_.data();
    network.row_end = row_end_.data();
    network.arc = arc_.data();
    network.capacity = capacity_.data();
    network.excess = excess_.data();
    network.to_sink = to_sink_.data();
    network.height = height_.data();
    network.near_source = near_source_.data();
    for (int i = 0; i < 2; ++i) network.list[i].items = list_[i].data();
    network.listed.words = listed_.data();
    network.passes = {counts_, sums_};
    return network;
  }

 private:
  GrowingArray<Vertex> list_[2], height_, near_source_;
  GrowingArray<Edge> row_begin_, row_end_;
  GrowingArray<Weight> excess_, to_sink_;
  GrowingArray<std::uint32_t> listed_;
  GrowingArray<FlowArc> arc_;
  GrowingArray<Weight> capacity_;
  Vertex counts_[TeamPasses::turns] = {};
  Weight sums_[TeamPasses::turns] = {};
};

/// Grows a side of a band and builds its half of the network with one look at every row: grow() and build_network() of
/// one lane, where all distances are equal.
template <class Objective>
class SideBuilder {
 public:
  SideBuilder(FlowProblem const& problem, Objective const& objective, BlockPair const& pair, Block own, Vertex* place,
              BandSide& side)
      : problem_(problem),
        graph_(problem.graph),
        block_(problem.block),
        own_(own),
        other_(own == pair.a ? pair.b : pair.a),
        distance_(objective.distance(pair.a, pair.b)),
        place_(place),
        side_(side),
        pair_(pair) {}

  /// `most`: vertices of the block.
  void run(Vertex most, BandLimit limit) {
    side_.clear();
    side_.vertices.make_room(static_cast<std::size_t>(most), 0);
    side_.steps.make_room(static_cast<std::size_t>(most_steps(limit.depth, most)), 0);
    vertices_ = side_.vertices.data();
    find_border();
    for (int depth = 1; side_.size < found_; ++depth) {
      bool const is_last = take_step(limit) || depth == limit.depth;
      graph_.with_arc_weights([&](auto weight) {
        for (; scanned_ < side_.size; ++scanned_) scan(scanned_, weight, is_last);
      });
      if (is_last) break;
    }
    finish();
  }

 private:
  void find_border() {
    for (Edge i = pair_.first; i < pair_.last; ++i) {
      Vertex const v = problem_.border[i].id;
      if (racy_load(&block_[v]) != own_ || place_[v] == never_placed) continue;
      bool found = false;
      for (Edge e = graph_.begin(v); e < graph_.end(v) && !found; ++e)
        found = racy_load(&block_[graph_.heads[e]]) == other_ && graph_.arc_weight(e) != 0;
      if (!found) continue;
      place_[v] = placed_soon;
      vertices_[found_++] = v;
    }
  }

  /// Numbers what is found, or as much as fits. Returns whether that is not all.
  bool take_step(BandLimit& limit) {
    StepLoad load{0, found_ - side_.size};
    for (Vertex i = side_.size; i < found_; ++i) load.weight += graph_.vertex_weight(vertices_[i]);
    bool const is_full = !limit.take(load);
    if (is_full) {
      if (load.weight <= limit.weight) side_.growth.cut_short = 1;
      keep_classes(limit);
    }
    Vertex const begin = side_.size;
    Edge m = side_.arcs;
    for (Vertex i = begin; i < found_; ++i) m += graph_.degree(vertices_[i]);
    side_.make_room(found_, m);
    network_ = side_.network();
    for (Vertex i = begin; i < found_; ++i) {
      Vertex const v = vertices_[i];
      place_[v] = i;
      network_.row_begin[i] = network_.row_end[i] = side_.arcs;
      side_.arcs += graph_.degree(v);
    }
    side_.size = found_;
    StepLoads loads;
    (own_ == pair_.a ? loads.a : loads.b) = load;
    side_.steps[static_cast<std::size_t>(side_.growth.steps++)] = {side_.size, loads};
    return is_full;
  }

  void keep_classes(BandLimit const& limit) {
    BandView const band{block_, place_, {vertices_, nullptr}, nullptr, nullptr, {}};
    BandStep const step{side_.size, found_, problem_.seed};
    int const classes = fitting_classes_of_lane(graph_, band, own_, step, limit);
    Vertex kept = side_.size;
    for (Vertex i = side_.size; i < found_; ++i) {
      Vertex const v = vertices_[i];
      if (admission_class(problem_.seed, v) < classes)
        vertices_[kept++] = v;
      else
        place_[v] = no_vertex;
    }
    found_ = kept;
  }

  /// Links vertex i to those numbered before it, and lists its neighbours that are not in the band yet.
  template <class ArcWeight>
  void scan(Vertex i, ArcWeight weight, bool is_last) {
    Vertex const v = vertices_[i];
    Weight across = 0, within = 0;
    Edge row_end = network_.row_end[i];
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Weight const capacity = weight(e) * distance_;
      if (weight(e) == 0) continue;
      Vertex const head = graph_.heads[e];
      Block const block = racy_load(&block_[head]);
      if (block == own_) {
        within += capacity;
        Vertex const place = place_[head];
        if (place >= 0) {
          if (place >= i) continue;
          within -= capacity;
          network_.to_sink[place] -= capacity;
          Edge const forth = row_end++, back = network_.row_end[place]++;
          network_.arc[forth] = {place, static_cast<Vertex>(back - network_.row_begin[place]), capacity};
          network_.arc[back] = {i, static_cast<Vertex>(forth - network_.row_begin[i]), capacity};
          network_.capacity[forth] = capacity;
          network_.capacity[back] = capacity;
        } else if (!is_last && place == no_vertex) {
          place_[head] = placed_soon;
          vertices_[found_++] = head;
        }
      } else if (block == other_) {
        across += capacity;
        if (own_ == pair_.a) side_.cut.push_back({i, head, capacity});
      }
    }
    network_.row_end[i] = row_end;
    network_.excess[i] = across;
    network_.to_sink[i] = within;
  }

  void finish() {
    auto const& anchors = problem_.anchors;
    Weight all = 0;
    for (Vertex i = 0; i < side_.size; ++i) {
      Vertex const v = vertices_[i];
      Weight const stay = network_.excess[i] + anchors.affinity(v, other_);
      Weight const leave = network_.to_sink[i] + anchors.affinity(v, own_);
      Weight const common = std::min(stay, leave);
      network_.excess[i] = stay - common;
      network_.to_sink[i] = leave - common;
      all += stay - common;
    }
    side_.excess = all;
  }

  FlowProblem const& problem_;
  CsrView graph_;
  Block const* block_;
  Block own_, other_;
  Weight distance_;
  Vertex* place_;
  BandSide& side_;
  BlockPair const& pair_;
  Vertex* vertices_ = nullptr;
  FlowNetwork network_;
  Vertex found_ = 0;    // vertices listed, of which the first `size` are numbered
  Vertex scanned_ = 0;  // ... and so many have been looked at
};

}  // namespace procmap
