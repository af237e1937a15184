// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "core/hash.hpp"
#include "refinement/flow/pair.hpp"
#include "refinement/flow/team.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// What a band may hold on one side.
struct BandLimit {
  Weight weight = 0;
  Vertex vertices = 0;
  int depth = 0;  // steps from the border
};

/// A band that is being grown by one team. `block` and `place` are shared by all teams, who hold different blocks: of a
/// vertex in none of its own a team sees just that.
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

/// A step of a band's growth: the vertices numbered [begin, end), and what their classes are hashed with.
struct BandStep {
  Vertex begin;
  Vertex end;
  std::uint64_t seed;

  PROCMAP_HD Vertex size() const { return end - begin; }
};

/// Whether the vertices of the first `classes` classes of a step fit; called by all lanes.
template <class Group>
PROCMAP_HD bool classes_fit(CsrView graph, BandView const& band, Group group, BandStep step, int classes,
                            BandLimit room) {
  Weight weight = 0;
  Weight count = 0;
  team_for(group, step.size(), [&](Vertex i) {
    Vertex const v = band.vertices.items[step.begin + i];
    if (admission_class(step.seed, v) >= classes) return;
    weight += graph.vertex_weight(v);
    ++count;
  });
  weight = group.sum(weight);
  count = group.sum(count);
  return weight <= room.weight && count <= room.vertices;
}

/// The largest number of classes that fits together; all of them do not.
template <class Group>
PROCMAP_HD int fitting_classes(CsrView graph, BandView const& band, Group group, BandStep step, BandLimit room) {
  int fits = 0;
  for (int more = admission_classes / 2; more > 0; more /= 2)
    if (classes_fit(graph, band, group, step, fits + more, room)) fits += more;
  return fits;
}

template <class Group>
PROCMAP_HD void number(BandView const& band, Group group, Vertex begin, Vertex end) {
  team_for(group, end - begin, [&](Vertex i) { band.place[band.vertices.items[begin + i]] = begin + i; });
  group.sync();
}

/// Keeps of a step the vertices of the first `classes` classes and numbers them.
template <class Group>
PROCMAP_HD void admit(BandView const& band, Group group, BandStep step, int classes) {
  team_for(group, step.size(), [&](Vertex i) { band.candidates[i] = band.vertices.items[step.begin + i]; });
  group.sync();
  if (group.rank() == 0) *band.vertices.count = step.begin;
  group.sync();
  team_for(group, step.size(), [&](Vertex i) {
    Vertex const v = band.candidates[i];
    if (admission_class(step.seed, v) < classes)
      band.vertices.append(group, v);
    else
      band.place[v] = no_vertex;
  });
  Vertex const kept = band.vertices.size(group);
  number(band, group, step.begin, kept);
}

/// The part of a pair's band that lies in one of its blocks.
struct BandSide {
  BlockPair const& pair;
  KeyedId const* border;  // entries of all pairs
  Block own;

  PROCMAP_HD Block other() const { return own == pair.a ? pair.b : pair.a; }
};

/// Lists the vertices of the side's block that are next to the other block.
template <class Group>
PROCMAP_HD void find_border(CsrView graph, BandView const& band, Group group, BandSide const& side) {
  auto const& pair = side.pair;
  auto const* const border = side.border;
  Block const own = side.own, other = side.other();
  auto const degree = [&](Edge i) { return graph.degree(border[pair.first + i].id); };
  group.for_rows(pair.last - pair.first, degree, [&](Edge i, auto lanes) {
    Vertex const v = border[pair.first + i].id;
    if (racy_load(&band.block[v]) != own || band.place[v] == never_placed) return;
    bool found = false;
    for (Edge e = graph.begin(v) + lanes.rank(); e < graph.end(v) && !found; e += lanes.size())
      found = racy_load(&band.block[graph.heads[e]]) == other && graph.arc_weight(e) != 0;
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
      return racy_load(&band.block[u]) == own && graph.arc_weight(e) != 0 && band.place[u] == no_vertex ? u : no_vertex;
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
PROCMAP_HD bool grow_side(CsrView graph, BandView const& band, Group group, BandSide const& side, BandLimit limit,
                          std::uint64_t seed) {
  Vertex begin = band.vertices.size(group);
  find_border(graph, band, group, side);
  for (int depth = 1;; ++depth) {
    Vertex const end = band.vertices.size(group);
    if (begin == end) return false;
    Weight more = 0;
    team_for(group, end - begin, [&](Vertex i) { more += graph.vertex_weight(band.vertices.items[begin + i]); });
    more = group.sum(more);
    if (more > limit.weight || end - begin > limit.vertices) {
      BandStep const step{begin, end, seed};
      admit(band, group, step, fitting_classes(graph, band, group, step, limit));
      return more <= limit.weight;
    }
    number(band, group, begin, end);
    if (depth == limit.depth) return false;
    limit.weight -= more;
    limit.vertices -= end - begin;
    find_neighbours(graph, band, group, begin, end, side.own);
    begin = end;
  }
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
