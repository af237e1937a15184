// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/band.hpp"
#include "refinement/flow/network.hpp"

namespace procmap {

/// The arrays that the teams of a colour class share, each its own part.
struct FlowArrays {
  Vertex* place = nullptr;  // per vertex of the graph

  // Per band vertex.
  Vertex* band = nullptr;
  Vertex* list[3] = {};
  Edge* row_begin = nullptr;
  Edge* row_end = nullptr;
  Weight* excess = nullptr;
  Weight* to_sink = nullptr;
  Weight* received = nullptr;
  Vertex* height = nullptr;
  Vertex* next_height = nullptr;
  Vertex* near_source = nullptr;
  std::uint8_t* listed = nullptr;

  // Per arc of a band.
  Vertex* head = nullptr;
  Edge* reverse = nullptr;
  Weight* residual = nullptr;

  PROCMAP_HD BandView band_of(PairState& pair, Block const* block) const {
    return {block, place, {band + pair.first_vertex, &pair.counts[0]}, list[0] + pair.first_vertex};
  }

  PROCMAP_HD FlowNetwork network_of(PairState& pair) const {
    Edge const v = pair.first_vertex;
    FlowNetwork network;
    network.num_vertices = pair.size;
    network.row_begin = row_begin + v;
    network.row_end = row_end + v;
    network.head = head + pair.first_arc;
    network.reverse = reverse + pair.first_arc;
    network.residual = residual + pair.first_arc;
    network.excess = excess + v;
    network.to_sink = to_sink + v;
    network.received = received + v;
    network.height = height + v;
    network.next_height = next_height + v;
    network.near_source = near_source + v;
    network.listed = listed + v;
    network.active = {list[0] + v, &pair.counts[1]};
    network.next_active = {list[1] + v, &pair.counts[2]};
    network.receivers = {list[2] + v, &pair.counts[3]};
    return network;
  }
};

/// Owns FlowArrays; buffers grow to the largest colour class met.
template <class Exec>
struct FlowScratch {
  void make_vertices(Exec& ex, std::size_t n) {
    if (n <= band.size()) return;
    band = ex.template buffer<Vertex>(n);
    for (auto& list : lists) list = ex.template buffer<Vertex>(n);
    row_begin = ex.template buffer<Edge>(n);
    row_end = ex.template buffer<Edge>(n);
    excess = ex.template buffer<Weight>(n);
    to_sink = ex.template buffer<Weight>(n);
    received = ex.template buffer<Weight>(n);
    height = ex.template buffer<Vertex>(n);
    next_height = ex.template buffer<Vertex>(n);
    near_source = ex.template buffer<Vertex>(n);
    listed = ex.template buffer<std::uint8_t>(n);
  }
  void make_arcs(Exec& ex, std::size_t m) {
    if (m <= head.size()) return;
    head = ex.template buffer<Vertex>(m);
    reverse = ex.template buffer<Edge>(m);
    residual = ex.template buffer<Weight>(m);
  }

  FlowArrays view() const {
    return {place.data(),       band.data(),        {lists[0].data(), lists[1].data(), lists[2].data()},
            row_begin.data(),   row_end.data(),     excess.data(),
            to_sink.data(),     received.data(),    height.data(),
            next_height.data(), near_source.data(), listed.data(),
            head.data(),        reverse.data(),     residual.data()};
  }

  Buffer<Exec, Vertex> place, band, lists[3];
  Buffer<Exec, Edge> row_begin, row_end;
  Buffer<Exec, Weight> excess, to_sink, received;
  Buffer<Exec, Vertex> height, next_height, near_source;
  Buffer<Exec, std::uint8_t> listed;
  Buffer<Exec, Vertex> head;
  Buffer<Exec, Edge> reverse;
  Buffer<Exec, Weight> residual;
};

}  // namespace procmap
