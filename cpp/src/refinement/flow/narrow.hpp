// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/band_admission.hpp"
#include "refinement/flow/network.hpp"

namespace procmap {

// A narrower band is part of the one that was grown: all of its steps but the last ones, of which some classes stay.
// What does not stay keeps its block, so it is one with a terminal: in block a with the source, in b with the sink. The
// flow found so far is a preflow of what is left, and the search for a maximum one goes on from there, instead of from
// a network of its own. Which preflow that is does not matter: the extreme cuts depend on the network alone.

/// Where a side of a narrower band ends: all vertices numbered below `begin` stay, and of those below `end` the first
/// `classes`.
struct SideEnd {
  Vertex begin = 0;
  Vertex end = 0;
  int classes = 0;

  PROCMAP_HD bool keeps(Vertex i, Vertex v, std::uint64_t seed) const {
    return i < begin || (i < end && admission_class(seed, v) < classes);
  }
};

struct BandEnds {
  SideEnd a, b;
};

PROCMAP_HD inline BandEnds whole_band(Vertex size) { return {{size, size, 0}, {size, size, 0}}; }

/// The terminal that a vertex has become one with.
enum class Contracted : Vertex { no, with_source, with_sink };

/// Where a band of `size` vertices ends within narrower limits. Called by all lanes, like everything below.
template <class Group>
PROCMAP_HD BandEnds ends_within(CsrView graph, BandView const& band, BlockPair const& pair, Growth growth, Vertex size,
                                Group group, BandLimits limit, std::uint64_t seed) {
  auto ends = whole_band(size);
  GrowingSides grows;
  Vertex begin = 0;
  for (Vertex i = 0; i < growth.steps && grows.any(); ++i) {
    GrownStep const step = band.steps[i];
    auto const fits = [&](BandLimit& room, StepLoad const& load, SideEnd& end) {
      if (room.take(load)) return true;
      end = {begin, step.end, 0};
      return false;
    };
    grows.a = grows.a && fits(limit.a, step.found.a, ends.a);
    grows.b = grows.b && fits(limit.b, step.found.b, ends.b);
    begin = step.end;
  }
  GrowingSides const full{!grows.a, !grows.b};
  if (!full.any()) return ends;
  SideSteps const last{{ends.a.begin, ends.a.end, seed}, {ends.b.begin, ends.b.end, seed}};
  auto const admission = admission_of(graph, band, pair, group, last, full, limit);
  if (full.a) ends.a.classes = admission.a;
  if (full.b) ends.b.classes = admission.b;
  return ends;
}

/// Lists the vertices that stay within `before` but not within `now`. What becomes of every vertex stands in `height`
/// until heights are exact again. Returns how many are listed.
template <class Group>
PROCMAP_HD Vertex list_contracted(BandView const& band, BlockPair const& pair, FlowNetwork const& network, Group group,
                                  BandEnds const& before, BandEnds const& now, std::uint64_t seed) {
  auto passes = network.passes;
  passes.start(group);
  team_for(group, network.num_vertices, [&](Vertex i) {
    Vertex const v = band.vertices.items[i];
    bool const in_b = band.block[v] == pair.b;
    auto const keeps = [&](BandEnds const& ends) { return (in_b ? ends.b : ends.a).keeps(i, v, seed); };
    auto const becomes = keeps(now) ? Contracted::no : in_b ? Contracted::with_sink : Contracted::with_source;
    group.item(network.height, i) = static_cast<Vertex>(becomes);
    if (becomes != Contracted::no && keeps(before)) passes.append(group, network.list[0], i);
  });
  return passes.next(group);
}

/// Contracts vertex i. Its arcs become terminal arcs of its neighbours, and it is left without any. Returns what a lane
/// sees to reach the sink by that.
template <class Group, class Lanes>
PROCMAP_HD Weight contract(FlowNetwork const& network, Group group, Lanes lanes, Vertex i) {
  auto const becomes = [&](Vertex v) { return static_cast<Contracted>(group.item(network.height, v)); };
  bool const is_source = becomes(i) == Contracted::with_source;
  Weight arrived = 0;
  Edge const begin = group.item(network.row_begin, i), end = group.item(network.row_end, i);
  for (Edge e = begin + lanes.rank(); e < end; e += lanes.size()) {
    FlowArc const arc = network.arc[e];
    if (auto const what = becomes(arc.head); what != Contracted::no) {
      if (is_source && what == Contracted::with_sink) arrived += arc.residual;
      continue;
    }
    Edge const back = group.item(network.row_begin, arc.head) + arc.opposite;
    Weight const open = is_source ? arc.residual : network.arc[back].residual;
    if (open > 0) team_add(group, &group.item(is_source ? network.excess : network.to_sink, arc.head), open);
    network.arc[back].residual = 0;
    network.capacity[back] = 0;
  }
  lanes.sync();  // all of them have read where the row ends
  if (lanes.rank() != 0) return arrived;
  arrived += group.item(is_source ? network.to_sink : network.excess, i);
  group.item(network.excess, i) = is_source ? 1 : 0;
  group.item(network.to_sink, i) = is_source ? 0 : 1;
  group.item(network.row_end, i) = begin;
  return arrived;
}

/// Contracts the `count` vertices that are listed. Returns what reaches the sink by that.
template <class Group>
PROCMAP_HD Weight contract_listed(FlowNetwork const& network, Group group, Vertex count) {
  auto const listed = [&](Vertex i) { return network.list[0].at(group, i); };
  auto const arcs = [&](Vertex i) { return network.num_arcs(group, listed(i)); };
  Weight arrived = 0;
  group.for_rows(count, arcs, [&](Vertex i, auto lanes) { arrived += contract(network, group, lanes, listed(i)); });
  return group.sum(arrived);
}

}  // namespace procmap
