// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/arc_ends.hpp"
#include "refinement/flow/band_admission.hpp"

namespace procmap {

/// Lists the vertices of growing sides that are next to the other block.
template <class Group>
PROCMAP_HD void find_border(CsrView graph, BandView const& band, BlockPair const& pair, KeyedId const* border,
                            Group group, GrowingSides grows) {
  auto const degree = [&](Edge i) { return graph.degree(border[pair.first + i].id); };
  group.for_rows(pair.last - pair.first, degree, [&](Edge i, auto lanes) {
    Vertex const v = border[pair.first + i].id;
    Block const own = racy_load(&band.block[v]);
    if (!grows.has(pair, own) || band.place[v] == never_placed) return;
    Block const other = own == pair.a ? pair.b : pair.a;
    constexpr int batch = ArcEnds<decltype(lanes)>::size;
    Edge const end = graph.end(v);
    bool found = false;
    PROCMAP_LOOP
    for (Edge first = graph.begin(v) + lanes.rank(); first < end && !found; first += batch * lanes.size()) {
      PROCMAP_UNROLL
      for (int j = 0; j < batch; ++j) {
        Edge const e = first + j * lanes.size() < end ? first + j * lanes.size() : first;
        found |= racy_load(&band.block[graph.heads[e]]) == other && graph.arc_weight(e) != 0;
      }
    }
    if (lanes.sum(found ? 1 : 0) == 0 || lanes.rank() != 0) return;
    band.place[v] = placed_soon;
    band.vertices.append(group, v);
  });
}

/// Lists the neighbours of the vertices numbered [begin, end) in their own blocks, of growing sides, if they are not in
/// the band yet.
template <class Group>
PROCMAP_HD void find_neighbours(CsrView graph, BandView const& band, BlockPair const& pair, Group group, Vertex begin,
                                Vertex end, GrowingSides grows) {
  auto const degree = [&](Vertex i) { return graph.degree(band.vertices.items[begin + i]); };
  group.for_rows(end - begin, degree, [&](Vertex i, auto lanes) {
    Vertex const v = band.vertices.items[begin + i];
    Block const own = band.block[v];
    if (!grows.has(pair, own)) return;
    constexpr int batch = ArcEnds<decltype(lanes)>::size;
    auto const in_own = [=](Block block) { return block == own; };
    for_ends(graph, band, v, lanes, in_own, [&](auto const& ends) {
      Vertex head[batch];
      bool is_new[batch];
      PROCMAP_UNROLL
      for (int j = 0; j < batch; ++j) {
        auto const& to = ends.of[j];
        head[j] = to.head;
        is_new[j] = to.weight != 0 && to.block == own && to.place == no_vertex &&
                    team_claim(group, &band.place[to.head], no_vertex, placed_soon);
      }
      band.vertices.append_new(group, head, is_new);
    });
  });
}

/// Grows sides of a band breadth-first from the border between its blocks, each until its limit (KaFFPa's flow bands;
/// Sanders and Schulz, "Engineering multilevel graph partitioning algorithms"). A step that does not fit as a whole is
/// the last one of its side. look(begin, end, grows) after every step, whose vertices are numbered [begin, end), lists
/// their neighbours on the sides that still grow. Adds to `growth`.
template <class Group, class Look>
PROCMAP_HD void grow_sides(CsrView graph, BandView const& band, BlockPair const& pair, KeyedId const* border,
                           Group group, GrowingSides grows, BandLimits limit, std::uint64_t seed, Growth& growth,
                           Look look) {
  Vertex begin = band.vertices.size(group);
  find_border(graph, band, pair, border, group, grows);
  for (int depth = 1;; ++depth) {
    BandStep const step{begin, band.vertices.size(group), seed};
    if (step.size() == 0) return;
    auto const loads = loads_of(graph, band, pair, group, step);
    GrowingSides const full{!limit.a.take(loads.a), !limit.b.take(loads.b)};
    if ((full.a && loads.a.weight <= limit.a.weight) || (full.b && loads.b.weight <= limit.b.weight))
      growth.cut_short = 1;
    BandAdmission admission;
    if (full.any()) admission = admission_of(graph, band, pair, group, {step, step}, full, limit);
    grows.a = grows.a && !full.a && depth < limit.a.depth;
    grows.b = grows.b && !full.b && depth < limit.b.depth;
    Vertex const end = admit(band, pair, group, step, admission);
    if (group.rank() == 0) band.steps[growth.steps] = {end, loads};
    ++growth.steps;
    look(begin, end, grows);
    if (!grows.any()) return;
    begin = end;
  }
}
template <class Group>
PROCMAP_HD void grow_sides(CsrView graph, BandView const& band, BlockPair const& pair, KeyedId const* border,
                           Group group, GrowingSides grows, BandLimits limit, std::uint64_t seed, Growth& growth) {
  grow_sides(graph, band, pair, border, group, grows, limit, seed, growth,
             [&](Vertex begin, Vertex end, GrowingSides still) {
               if (still.any()) find_neighbours(graph, band, pair, group, begin, end, still);
             });
}

/// Grows a band: many lanes on both sides at the same time, which is half the steps; one lane on one side after the
/// other, since numbers in this order are nearer to each other in memory.
template <class Group>
PROCMAP_HD Growth grow(CsrView graph, BandView const& band, BlockPair const& pair, KeyedId const* border, Group group,
                       BandLimits limit, std::uint64_t seed) {
  Growth growth;
  if constexpr (Group::size() == 1) {
    grow_sides(graph, band, pair, border, group, {true, false}, limit, seed, growth);
    grow_sides(graph, band, pair, border, group, {false, true}, limit, seed, growth);
  } else {
    grow_sides(graph, band, pair, border, group, {true, true}, limit, seed, growth);
  }
  return growth;
}

/// Arcs of the band's vertices; to all lanes.
template <class Group>
PROCMAP_HD Edge band_arcs(CsrView graph, PairState const& pair, BandView const& band, Group group) {
  Edge arcs = 0;
  team_for(group, pair.size, [&](Vertex i) { arcs += graph.degree(band.vertices.items[i]); });
  return group.sum(arcs);
}

/// Forgets the band.
template <class Group>
PROCMAP_HD void clear_band(BandView const& band, Group group) {
  Vertex const size = band.vertices.size(group);
  team_for(group, size, [&](Vertex i) { band.place[band.vertices.items[i]] = no_vertex; });
  band.vertices.clear(group);
}

}  // namespace procmap
