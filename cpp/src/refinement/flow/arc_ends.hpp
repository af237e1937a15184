// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "graph/csr_view.hpp"
#include "refinement/flow/band_view.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// Where an arc leads.
struct ArcEnd {
  Vertex head = 0;
  Block block = no_block;
  Vertex place = no_vertex;  // in the band
  Weight weight = 0;         // 0: of no consequence, or not an arc
};

/// Arcs of a row, as many as a lane looks at together.
template <class Lanes>
struct ArcEnds {
  static constexpr int size = arc_batch<Lanes>;
  ArcEnd of[size];
};

/// f(ends) for all arcs of v, shared by `lanes`; wants_place(block) where places are looked at. Many lanes look at one
/// thing of all arcs before they wait for any answer, at every place without a question: to look at nothing where it is
/// not wanted would be a branch, and they wait at each.
template <class Lanes, class WantsPlace, class F>
PROCMAP_HD void for_ends(CsrView graph, BandView const& band, Vertex v, Lanes lanes, WantsPlace wants_place, F f) {
  constexpr int batch = ArcEnds<Lanes>::size;
  Edge const end = graph.end(v);
  PROCMAP_LOOP
  for (Edge first = graph.begin(v) + lanes.rank(); first < end; first += batch * lanes.size()) {
    ArcEnds<Lanes> ends;
    PROCMAP_UNROLL
    for (int i = 0; i < batch; ++i) {
      Edge const e = first + i * lanes.size();
      bool const is_arc = e < end;
      ends.of[i].head = graph.heads[is_arc ? e : first];
      ends.of[i].weight = is_arc ? graph.arc_weight(e) : 0;
    }
    PROCMAP_UNROLL
    for (auto& one : ends.of) one.block = racy_load(&band.block[one.head]);
    PROCMAP_UNROLL
    for (auto& one : ends.of)
      if (Lanes::size() > 1 || wants_place(one.block)) one.place = racy_load(&band.place[one.head]);
    f(ends);
  }
}

}  // namespace procmap
