// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "exec/growing_array.hpp"
#include "exec/serial_group.hpp"
#include "refinement/flow/build_network.hpp"
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
    excess = 0;
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
  /// To be grown, of a block of `most` vertices.
  BandView band(Block const* block, Vertex* place, Vertex most, BandLimits const& limits, Vertex* count) {
    auto const room = static_cast<std::size_t>(most);
    vertices.make_room(room, 0);
    list_[0].make_room(room, 0);
    steps.make_room(static_cast<std::size_t>(most_steps(std::max(limits.a.depth, limits.b.depth), most)), 0);
    return {block, place, {vertices.data(), count}, list_[0].data(), steps.data(), {}};
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
        pair_(pair),
        own_(own),
        other_(own == pair.a ? pair.b : pair.a),
        distance_(objective.distance(pair.a, pair.b)),
        place_(place),
        side_(side) {}

  /// `most`: vertices of the block.
  void run(Vertex most, BandLimits const& limits) {
    side_.clear();
    BandView const band = side_.band(problem_.block, place_, most, limits, &found_);
    vertices_ = band.vertices.items;
    bool const is_a = own_ == pair_.a;
    grow_sides(graph_, band, pair_, problem_.border, SerialGroup{}, {is_a, !is_a}, limits, problem_.seed, side_.growth,
               [&](Vertex begin, Vertex end, GrowingSides grows) { look_at(begin, end, grows.any()); });
    part_by_terminals();
  }

 private:
  void look_at(Vertex begin, Vertex end, bool grows) {
    allot_rows(begin, end);
    graph_.with_arc_weights([&](auto weight) {
      for (Vertex i = begin; i < end; ++i) scan(i, weight, grows);
    });
  }

  /// Gives vertices empty rows with room for all of their arcs.
  void allot_rows(Vertex begin, Vertex end) {
    Edge arcs = side_.arcs;
    for (Vertex i = begin; i < end; ++i) arcs += graph_.degree(vertices_[i]);
    side_.make_room(end, arcs);
    network_ = side_.network();
    for (Vertex i = begin; i < end; ++i) {
      network_.row_begin[i] = network_.row_end[i] = side_.arcs;
      side_.arcs += graph_.degree(vertices_[i]);
    }
    side_.size = end;
  }

  /// Links vertex i to those numbered before it, and lists its neighbours that are not in the band yet.
  template <class ArcWeight>
  void scan(Vertex i, ArcWeight weight, bool grows) {
    Vertex const v = vertices_[i];
    Weight across = 0, within = 0;
    Edge row_end = network_.row_end[i];
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Weight const capacity = weight(e) * distance_;
      if (capacity == 0) continue;
      Vertex const head = graph_.heads[e];
      Block const block = racy_load(&block_[head]);
      if (block == other_) {
        across += capacity;
        if (own_ == pair_.a) side_.cut.push_back({i, head, capacity});
      }
      if (block != own_) continue;
      Vertex const place = place_[head];
      if (place >= 0 && place < i) {
        network_.to_sink[place] -= capacity;
        link(network_, SerialGroup{}, i, place, row_end++, network_.row_end[place]++, capacity);
        continue;
      }
      within += capacity;
      if (grows && place == no_vertex) {
        place_[head] = placed_soon;
        vertices_[found_++] = head;
      }
    }
    network_.row_end[i] = row_end;
    network_.excess[i] = across;
    network_.to_sink[i] = within;
  }

  /// Takes what both terminals would have of a vertex from both. So far `excess` is what leads to the other block, and
  /// `to_sink` what leads to what its own one has outside of the band.
  void part_by_terminals() {
    auto const& anchors = problem_.anchors;
    for (Vertex i = 0; i < side_.size; ++i) {
      Vertex const v = vertices_[i];
      Weight const stay = network_.excess[i] + anchors.affinity(v, other_);
      Weight const leave = network_.to_sink[i] + anchors.affinity(v, own_);
      Weight const common = std::min(stay, leave);
      network_.excess[i] = stay - common;
      network_.to_sink[i] = leave - common;
      side_.excess += stay - common;
    }
  }

  FlowProblem const& problem_;
  CsrView graph_;
  Block const* block_;
  BlockPair const& pair_;
  Block own_, other_;
  Weight distance_;
  Vertex* place_;
  BandSide& side_;
  Vertex* vertices_ = nullptr;
  FlowNetwork network_;
  Vertex found_ = 0;  // vertices listed
};

}  // namespace procmap
