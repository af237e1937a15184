// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "core/hash.hpp"
#include "refinement/flow/pair.hpp"
#include "refinement/flow/team.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// What comes to one side of the band with a step.
struct StepLoad {
  Weight weight = 0;
  Vertex vertices = 0;
};

/// What a band may hold on one side.
struct BandLimit {
  Weight weight = 0;
  Vertex vertices = 0;
  int depth = 0;  // steps from the border

  PROCMAP_HD bool holds(StepLoad const& load) const { return load.weight <= weight && load.vertices <= vertices; }
  /// Gives room to a step if there is enough for all of it.
  PROCMAP_HD bool take(StepLoad const& load) {
    if (!holds(load)) return false;
    weight -= load.weight;
    vertices -= load.vertices;
    return true;
  }
};

/// ... in block a of its pair, and in b.
struct BandLimits {
  BandLimit a, b;
};

struct StepLoads {
  StepLoad a, b;
};

/// A step as it was found. What fitted of it are the vertices numbered up to `end`, from the end of the step before.
struct GrownStep {
  Vertex end = 0;
  StepLoads found;
};

/// The most steps that a band of `vertices` may be grown in: each but the last one of a side adds a vertex.
PROCMAP_HD inline Edge most_steps(int max_depth, Edge vertices) {
  constexpr Edge sides = 2;
  return sides * max_depth < vertices + sides ? sides * max_depth : vertices + sides;
}

/// A band that is being grown by one team. `block` and `place` are shared by all teams, who hold different blocks: of a
/// vertex in none of its own a team sees just that.
struct BandView {
  Block const* block = nullptr;
  Vertex* place = nullptr;  // per vertex of the graph: its number in its band, no_vertex outside
  TeamList vertices;        // of the band, by number
  Vertex* candidates = nullptr;
  GrownStep* steps = nullptr;  // room for most_steps()
};

inline constexpr Vertex placed_soon = -2;   // found, but not numbered yet
inline constexpr Vertex never_placed = -3;  // fixed: in no band
inline constexpr int admission_classes = 64;

/// Rule: when a step does not fit as a whole, vertices are admitted by hashed classes. It decides without an order.
PROCMAP_HD inline int admission_class(std::uint64_t seed, Vertex v) {
  return static_cast<int>(hash(seed, static_cast<std::uint64_t>(v)) % admission_classes);
}

/// A step of a band's growth: the vertices numbered [begin, end), of both sides, and what their classes are hashed
/// with.
struct BandStep {
  Vertex begin;
  Vertex end;
  std::uint64_t seed;

  PROCMAP_HD Vertex size() const { return end - begin; }
};

/// How many classes of a step come to the band, by side.
struct BandAdmission {
  int a = admission_classes;
  int b = admission_classes;

  PROCMAP_HD int& of(int side) { return side == 0 ? a : b; }
  PROCMAP_HD bool all() const { return a == admission_classes && b == admission_classes; }
  PROCMAP_HD bool admits(BandStep const& step, Vertex v, bool in_b) const {
    int const most = in_b ? b : a;
    return most == admission_classes || admission_class(step.seed, v) < most;
  }
};

/// Called by all lanes.
template <class Group>
PROCMAP_HD StepLoads loads_of(CsrView graph, BandView const& band, BlockPair const& pair, Group group,
                              BandStep const& step, BandAdmission const& admission) {
  constexpr int half = 32;  // both numbers in one sum
  Weight vertices = 0;
  StepLoads loads;
  team_for(group, step.size(), [&](Vertex i) {
    Vertex const v = band.vertices.items[step.begin + i];
    bool const in_b = band.block[v] == pair.b;
    if (!admission.admits(step, v, in_b)) return;
    (in_b ? loads.b : loads.a).weight += graph.vertex_weight(v);
    vertices += Weight{1} << (in_b ? half : 0);
  });
  loads.a.weight = group.sum(loads.a.weight);
  loads.b.weight = group.sum(loads.b.weight);
  vertices = group.sum(vertices);
  loads.a.vertices = static_cast<Vertex>(vertices & ((Weight{1} << half) - 1));
  loads.b.vertices = static_cast<Vertex>(vertices >> half);
  return loads;
}

/// fitting_classes of one lane, which looks at every vertex once.
PROCMAP_HD inline int fitting_classes_of_lane(CsrView graph, BandView const& band, Block side, BandStep const& step,
                                              BandLimit room) {
  StepLoad of_class[admission_classes];
  for (Vertex i = step.begin; i < step.end; ++i) {
    Vertex const v = band.vertices.items[i];
    if (band.block[v] != side) continue;
    auto& load = of_class[admission_class(step.seed, v)];
    load.weight += graph.vertex_weight(v);
    ++load.vertices;
  }
  int fits = 0;
  while (fits + 1 < admission_classes && room.take(of_class[fits])) ++fits;
  return fits;
}

/// The largest number of classes of a side that fits together; all of them do not.
template <class Group>
PROCMAP_HD int fitting_classes(CsrView graph, BandView const& band, BlockPair const& pair, Group group,
                               BandStep const& step, int side, BandLimit const& room) {
  if constexpr (Group::size() == 1)
    return fitting_classes_of_lane(graph, band, side == 0 ? pair.a : pair.b, step, room);
  int fits = 0;
  for (int more = admission_classes / 2; more > 0; more /= 2) {
    BandAdmission trial;
    trial.of(side) = fits + more;
    auto const loads = loads_of(graph, band, pair, group, step, trial);
    if (room.holds(side == 0 ? loads.a : loads.b)) fits += more;
  }
  return fits;
}

template <class Group>
PROCMAP_HD void number(BandView const& band, Group group, Vertex begin, Vertex end) {
  team_for(group, end - begin, [&](Vertex i) { band.place[band.vertices.items[begin + i]] = begin + i; });
  group.sync();
}

/// Keeps of a step what is admitted, and numbers it. Returns its end.
template <class Group>
PROCMAP_HD Vertex admit(BandView const& band, BlockPair const& pair, Group group, BandStep const& step,
                        BandAdmission const& admission) {
  Vertex kept = step.end;
  if (!admission.all()) {
    team_for(group, step.size(), [&](Vertex i) { band.candidates[i] = band.vertices.items[step.begin + i]; });
    group.sync();
    if (group.rank() == 0) *band.vertices.count = step.begin;
    group.sync();
    team_for(group, step.size(), [&](Vertex i) {
      Vertex const v = band.candidates[i];
      if (admission.admits(step, v, band.block[v] == pair.b))
        band.vertices.append(group, v);
      else
        band.place[v] = no_vertex;
    });
    kept = band.vertices.size(group);
  }
  number(band, group, step.begin, kept);
  return kept;
}

/// The sides of a band that are growing.
struct GrowingSides {
  bool a = true;
  bool b = true;

  PROCMAP_HD bool any() const { return a || b; }
  PROCMAP_HD bool has(BlockPair const& pair, Block block) const {
    return (a && block == pair.a) || (b && block == pair.b);
  }
};

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
    bool found = false;
    for (Edge e = graph.begin(v) + lanes.rank(); e < graph.end(v) && !found; e += lanes.size())
      found = racy_load(&band.block[graph.heads[e]]) == other && graph.arc_weight(e) != 0;
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
    auto const candidate = [&](Edge e) {
      Vertex const u = graph.heads[e];
      bool const in_own = racy_load(&band.block[u]) == own && graph.arc_weight(e) != 0;
      return in_own && team_load(group, &band.place[u]) == no_vertex ? u : no_vertex;
    };
    for_each_arc_by_batch(graph, v, lanes, candidate, [&](Edge, Vertex u) {
      if (u != no_vertex && team_claim(group, &band.place[u], no_vertex, placed_soon)) band.vertices.append(group, u);
    });
  });
}

/// Grows sides of a band breadth-first from the border between its blocks, each until its limit (KaFFPa's flow bands;
/// Sanders and Schulz, "Engineering multilevel graph partitioning algorithms"). A step that does not fit as a whole is
/// the last one of its side. Adds to `growth`.
template <class Group>
PROCMAP_HD void grow_sides(CsrView graph, BandView const& band, BlockPair const& pair, KeyedId const* border,
                           Group group, GrowingSides grows, BandLimits limit, std::uint64_t seed, Growth& growth) {
  Vertex begin = band.vertices.size(group);
  find_border(graph, band, pair, border, group, grows);
  for (int depth = 1;; ++depth) {
    BandStep const step{begin, band.vertices.size(group), seed};
    if (step.size() == 0) return;
    auto const loads = loads_of(graph, band, pair, group, step, {});
    BandAdmission admission;
    auto const take = [&](BandLimit& room, StepLoad const& load, int side) {
      if (room.take(load)) return depth < room.depth;
      admission.of(side) = fitting_classes(graph, band, pair, group, step, side, room);
      if (load.weight <= room.weight) growth.cut_short = 1;
      return false;
    };
    grows.a = take(limit.a, loads.a, 0) && grows.a;
    grows.b = take(limit.b, loads.b, 1) && grows.b;
    Vertex const end = admit(band, pair, group, step, admission);
    if (group.rank() == 0) band.steps[growth.steps] = {end, loads};
    ++growth.steps;
    if (!grows.any()) return;
    find_neighbours(graph, band, pair, group, begin, end, grows);
    begin = end;
  }
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
