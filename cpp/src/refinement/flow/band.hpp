// SPDX-License-Identifier: MIT
#pragma once

#include "core/hash.hpp"
#include "refinement/connectivity.hpp"
#include "refinement/flow/pair.hpp"
#include "refinement/flow/team.hpp"

namespace procmap {

/// What a band may hold on one side.
struct BandLimit {
  Weight weight = 0;
  Vertex vertices = 0;
  int depth = 0;  // steps from the border
};

/// A band that is being grown by one team. `place` is shared by all teams, who hold different blocks.
struct BandView {
  Block const* block = nullptr;
  Vertex* place = nullptr;  // per vertex of the graph: its number in its band, no_vertex outside
  TeamList vertices;        // of the band, by number
  Vertex* candidates = nullptr;
};

inline constexpr Vertex placed_soon = -2;   // found, but not numbered yet
inline constexpr Vertex never_placed = -3;  // fixed: in no band
inline constexpr int admission_classes = 64;

/// Rule: when a step does not fit as a whole, vertices are admitted by hashed classes. It decides without an order.
PROCMAP_HD inline int admission_class(std::uint64_t seed, Vertex v) {
  return static_cast<int>(hash(seed, static_cast<std::uint64_t>(v)) % admission_classes);
}

/// Whether the vertices numbered [begin, end) of the first `classes` classes fit; called by all lanes.
template <class Group>
PROCMAP_HD bool classes_fit(CsrView graph, BandView const& band, Group group, Vertex begin, Vertex end, int classes,
                            BandLimit room, std::uint64_t seed) {
  Weight weight = 0;
  Weight count = 0;
  team_for(group, end - begin, [&](Vertex i) {
    Vertex const v = band.vertices.items[begin + i];
    if (admission_class(seed, v) >= classes) return;
    weight += graph.vertex_weight(v);
    ++count;
  });
  weight = group.sum(weight);
  count = group.sum(count);
  return weight <= room.weight && count <= room.vertices;
}

/// The largest number of classes that fits together; all of them do not.
template <class Group>
PROCMAP_HD int fitting_classes(CsrView graph, BandView const& band, Group group, Vertex begin, Vertex end,
                               BandLimit room, std::uint64_t seed) {
  int fits = 0;
  for (int step = admission_classes / 2; step > 0; step /= 2)
    if (classes_fit(graph, band, group, begin, end, fits + step, room, seed)) fits += step;
  return fits;
}

template <class Group>
PROCMAP_HD void number(BandView const& band, Group group, Vertex begin, Vertex end) {
  team_for(group, end - begin, [&](Vertex i) { band.place[band.vertices.items[begin + i]] = begin + i; });
  group.sync();
}

/// Keeps of the vertices [begin, end) those of the first `classes` classes and numbers them.
template <class Group>
PROCMAP_HD void admit(BandView const& band, Group group, Vertex begin, Vertex end, int classes, std::uint64_t seed) {
  team_for(group, end - begin, [&](Vertex i) { band.candidates[i] = band.vertices.items[begin + i]; });
  group.sync();
  if (group.rank() == 0) *band.vertices.count = begin;
  group.sync();
  team_for(group, end - begin, [&](Vertex i) {
    Vertex const v = band.candidates[i];
    if (admission_class(seed, v) < classes)
      band.vertices.append(group, v);
    else
      band.place[v] = no_vertex;
  });
  Vertex const kept = band.vertices.size(group);
  number(band, group, begin, kept);
}

/// Lists the vertices of block `own` that are next to block `other`.
template <class Group>
PROCMAP_HD void find_border(CsrView graph, BandView const& band, Group group, BlockPair const& pair,
                            KeyedId const* border, Block own, Block other) {
  auto const degree = [&](Edge i) { return graph.degree(border[pair.first + i].id); };
  group.for_rows(pair.last - pair.first, degree, [&](Edge i, auto lanes) {
    Vertex const v = border[pair.first + i].id;
    if (band.block[v] != own || band.place[v] == never_placed) return;
    bool found = false;
    for (Edge e = graph.begin(v) + lanes.rank(); e < graph.end(v) && !found; e += lanes.size())
      found = band.block[graph.heads[e]] == other && graph.arc_weight(e) != 0;
    if (lanes.sum(found ? 1 : 0) == 0 || lanes.rank() != 0) return;
    band.place[v] = placed_soon;
    band.vertices.append(group, v);
  });
}

/// Lists the neighbours of the vertices numbered [begin, end) in block `own` that are not in the band yet.
template <class Group>
PROCMAP_HD void find_neighbours(CsrView graph, BandView const& band, Group group, Vertex begin, Vertex end, Block own) {
  auto const degree = [&](Vertex i) { return graph.degree(band.vertices.items[begin + i]); };
  group.for_rows(end - begin, degree, [&](Vertex i, auto lanes) {
    auto const candidate = [&](Edge e) {
      Vertex const u = graph.heads[e];
      return band.block[u] == own && graph.arc_weight(e) != 0 && band.place[u] == no_vertex ? u : no_vertex;
    };
    for_each_arc_by_batch(graph, band.vertices.items[begin + i], lanes, candidate, [&](Edge, Vertex u) {
      if (u != no_vertex && team_claim(group, &band.place[u], no_vertex, placed_soon)) band.vertices.append(group, u);
    });
  });
}

/// Grows one side of a band breadth-first from the border, until `limit` (KaFFPa's flow bands; Sanders and Schulz,
/// "Engineering multilevel graph partitioning algorithms"). A step that does not fit as a whole is the last one.
/// Returns whether the number of vertices, not their weight or the depth, ended it.
template <class Group>
PROCMAP_HD bool grow_side(CsrView graph, BandView const& band, Group group, BlockPair const& pair,
                          KeyedId const* border, Block own, BandLimit limit, std::uint64_t seed) {
  Vertex const start = band.vertices.size(group);
  find_border(graph, band, group, pair, border, own, own == pair.a ? pair.b : pair.a);
  Vertex begin = start;
  for (int depth = 1;; ++depth) {
    Vertex const end = band.vertices.size(group);
    if (begin == end) return false;
    Weight more = 0;
    team_for(group, end - begin, [&](Vertex i) { more += graph.vertex_weight(band.vertices.items[begin + i]); });
    more = group.sum(more);
    if (more > limit.weight || end - begin > limit.vertices) {
      int const classes = fitting_classes(graph, band, group, begin, end, limit, seed);
      admit(band, group, begin, end, classes, seed);
      return more <= limit.weight;
    }
    number(band, group, begin, end);
    if (depth == limit.depth) return false;
    limit.weight -= more;
    limit.vertices -= end - begin;
    find_neighbours(graph, band, group, begin, end, own);
    begin = end;
  }
}

/// Forgets the band.
template <class Group>
PROCMAP_HD void clear_band(BandView const& band, Group group) {
  Vertex const size = band.vertices.size(group);
  team_for(group, size, [&](Vertex i) { band.place[band.vertices.items[i]] = no_vertex; });
  band.vertices.clear(group);
}

}  // namespace procmap
