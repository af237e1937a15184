// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "refinement/flow/band_view.hpp"
#include "refinement/flow/network.hpp"

namespace procmap {

/// The arrays that the teams of a colour class share, each its own part.
struct FlowArrays {
  Vertex* place = nullptr;  // per vertex of the graph

  // Per band vertex.
  Vertex* band = nullptr;
  Vertex* list[2] = {};
  Edge* row_begin = nullptr;
  Edge* row_end = nullptr;
  Weight* excess = nullptr;
  Weight* to_sink = nullptr;
  Vertex* height = nullptr;
  Vertex* near_source = nullptr;
  std::uint32_t* listed = nullptr;

  // Per arc of a band.
  FlowArc* arc = nullptr;
  Weight* capacity = nullptr;

  GrownStep* step = nullptr;  // per step of a band

  PROCMAP_HD BandView band_of(PairState const& pair, Block const* block, Vertex* counters) const {
    return {block, place, {band + pair.first_vertex, counters}, list[0] + pair.first_vertex, step + pair.first_step,
            {}};
  }

  PROCMAP_HD FlowNetwork network_of(PairState& pair, Vertex* counters) const {
    Edge const v = pair.first_vertex;
    FlowNetwork network;
    network.num_vertices = pair.size;
    network.has_few_arcs = pair.arcs <= std::numeric_limits<std::uint32_t>::max();
    network.row_begin = row_begin + v;
    network.row_end = row_end + v;
    network.arc = arc + pair.first_arc;
    network.capacity = capacity + pair.first_arc;
    network.excess = excess + v;
    network.to_sink = to_sink + v;
    network.height = height + v;
    network.near_source = near_source + v;
    for (int i = 0; i < 2; ++i) network.list[i].items = list[i] + v;
    network.listed.words = listed + v;
    static_assert(num_team_counters == 1 + TeamPasses::turns);  // the first one counts the band
    network.passes = {counters + 1, pair.sums};
    return network;
  }
};

inline constexpr Edge band_vertex_bytes = 56;  // of FlowArrays, without `place`
inline constexpr Edge band_arc_bytes = 24;
/// Bytes that are worth less than to wait for the sizes of bands.
inline constexpr Edge small_bands = Edge{64} << 20;

/// Owns FlowArrays; buffers grow to the largest colour class met, or have room for any from the start.
template <class Exec>
struct FlowScratch {
  /// Makes room for the bands of all blocks of a small graph, so that nobody has to wait for their sizes. Returns
  /// whether it is one.
  bool make_all(Exec& ex, CsrView graph) {
    if (band_vertex_bytes * graph.num_vertices + band_arc_bytes * graph.num_arcs > small_bands) return false;
    make_vertices(ex, static_cast<std::size_t>(graph.num_vertices));
    make_arcs(ex, static_cast<std::size_t>(graph.num_arcs));
    return true;
  }
  void make_vertices(Exec& ex, std::size_t n) {
    make_bands(ex, n);
    make_networks(ex, n);
  }
  /// Room to grow bands; networks of them may follow.
  void make_bands(Exec& ex, std::size_t n) {
    if (n <= band.size()) return;
    band = ex.template buffer<Vertex>(n);
    lists[0] = ex.template buffer<Vertex>(n);
  }
  /// Room for networks of n vertices of bands.
  void make_networks(Exec& ex, std::size_t n) {
    if (n <= row_begin.size()) return;
    lists[1] = ex.template buffer<Vertex>(n);
    row_begin = ex.template buffer<Edge>(n);
    row_end = ex.template buffer<Edge>(n);
    excess = ex.template buffer<Weight>(n);
    to_sink = ex.template buffer<Weight>(n);
    height = ex.template buffer<Vertex>(n);
    near_source = ex.template buffer<Vertex>(n);
    listed = ex.template buffer<std::uint32_t>(n);
  }
  void make_steps(Exec& ex, Edge n) {
    if (static_cast<std::size_t>(n) > step.size()) step = ex.template buffer<GrownStep>(static_cast<std::size_t>(n));
  }
  void make_arcs(Exec& ex, std::size_t m) {
    if (m <= arc.size()) return;
    arc = ex.template buffer<FlowArc>(m);
    capacity = ex.template buffer<Weight>(m);
  }

  FlowArrays view() const {
    return {place.data(),     band.data(),    {lists[0].data(), lists[1].data()},
            row_begin.data(), row_end.data(), excess.data(),
            to_sink.data(),   height.data(),  near_source.data(),
            listed.data(),    arc.data(),     capacity.data(),
            step.data()};
  }

  Buffer<Exec, Vertex> place, band, lists[2];
  Buffer<Exec, Edge> row_begin, row_end;
  Buffer<Exec, Weight> excess, to_sink;
  Buffer<Exec, Vertex> height, near_source;
  Buffer<Exec, std::uint32_t> listed;
  Buffer<Exec, FlowArc> arc;
  Buffer<Exec, Weight> capacity;
  Buffer<Exec, GrownStep> step;
};

}  // namespace procmap
