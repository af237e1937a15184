// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "core/hash.hpp"
#include "refinement/flow/pair.hpp"
#include "refinement/flow/team.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// What comes to one side of the band with a step, or to a block with a cut.
struct StepLoad {
  Weight weight = 0;
  Vertex vertices = 0;

  PROCMAP_HD StepLoad& operator+=(StepLoad const& other) {
    weight += other.weight;
    vertices += other.vertices;
    return *this;
  }
  friend PROCMAP_HD StepLoad operator+(StepLoad x, StepLoad const& y) { return x += y; }
};

/// ... to both sides, as lanes add it up: two times 12 bytes, where two StepLoads would have 16.
struct StepSums {
  Weight weight_a = 0, weight_b = 0;
  Vertex in_a = 0, in_b = 0;

  PROCMAP_HD StepSums& operator+=(StepSums const& other) {
    weight_a += other.weight_a;
    weight_b += other.weight_b;
    in_a += other.in_a;
    in_b += other.in_b;
    return *this;
  }
  friend PROCMAP_HD StepSums operator+(StepSums x, StepSums const& y) { return x += y; }
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
  GrownStep* steps = nullptr;    // room for most_steps()
  FastArray<StepLoad> of_class;  // what many lanes add up: room_of_classes, for every block of a team

  PROCMAP_HD void take_room(FastMemory& memory);
};

inline constexpr Vertex placed_soon = -2;   // found, but not numbered yet
inline constexpr Vertex never_placed = -3;  // fixed, or a large hub: in no band
inline constexpr int admission_classes = 64;
inline constexpr int loads_of_sides = 2 * admission_classes;
inline constexpr int room_of_classes = 2 * loads_of_sides + 1;  // those of a block, those of all, and what fits

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

  PROCMAP_HD bool all() const { return a == admission_classes && b == admission_classes; }
  PROCMAP_HD bool admits(BandStep const& step, Vertex v, bool in_b) const {
    int const most = in_b ? b : a;
    return most == admission_classes || admission_class(step.seed, v) < most;
  }
};

/// Called by all lanes.
template <class Group>
PROCMAP_HD StepLoads loads_of(CsrView graph, BandView const& band, BlockPair const& pair, Group group,
                              BandStep const& step) {
  StepSums sums;
  team_for(group, step.size(), [&](Vertex i) {
    Vertex const v = band.vertices.items[step.begin + i];
    bool const in_b = band.block[v] == pair.b;
    (in_b ? sums.weight_b : sums.weight_a) += graph.vertex_weight(v);
    ++(in_b ? sums.in_b : sums.in_a);
  });
  sums = group.sum(sums);
  return {{sums.weight_a, sums.in_a}, {sums.weight_b, sums.in_b}};
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

/// A step of each side, not all of which fits.
struct SideSteps {
  BandStep a, b;
};

/// Rule: the largest number of classes that fits together, given what comes with each; all of them do not.
template <class Lanes>
PROCMAP_HD int fitting_classes(Lanes lanes, StepLoad const* of_class, BandLimit const& room) {
  constexpr int share = admission_classes / Lanes::size();
  auto const* const own = of_class + lanes.rank() * share;
  StepLoad all;
  for (int i = 0; i < share; ++i) all += own[i];
  StepLoad up_to_here{lanes.sum_below(all.weight), static_cast<Vertex>(lanes.sum_below(Weight{all.vertices}))};
  int fit = 0;
  for (int i = 0; i < share; ++i) {
    up_to_here += own[i];
    fit += room.holds(up_to_here) ? 1 : 0;
  }
  auto const of_all = static_cast<int>(lanes.sum(Weight{fit}));
  return of_all < admission_classes ? of_all : admission_classes - 1;
}

/// fitting_classes of one side, by one lane.
template <class Lane>
PROCMAP_HD int fitting_classes_of_lane(CsrView graph, BandView const& band, Block side, Lane lane, BandStep const& step,
                                       BandLimit const& room) {
  StepLoad of_class[admission_classes];
  for (Vertex i = step.begin; i < step.end; ++i) {
    Vertex const v = band.vertices.items[i];
    if (band.block[v] != side) continue;
    auto& load = of_class[admission_class(step.seed, v)];
    load.weight += graph.vertex_weight(v);
    ++load.vertices;
  }
  return fitting_classes(lane, of_class, room);
}

/// What comes with the classes of the two sides' steps, added up by many lanes.
template <class Group>
struct ClassLoads {
  StepLoad* of_class;

  PROCMAP_HD StepLoad* of_all() const { return of_class + loads_of_sides; }
  /// For all lanes: how many classes of side a fit, and of b.
  PROCMAP_HD Vertex* fitting() const { return reinterpret_cast<Vertex*>(of_class + 2 * loads_of_sides); }

  PROCMAP_HD void clear(Group group) const {
    PROCMAP_LOOP
    for (int i = group.block_rank(); i < loads_of_sides; i += group.block_size()) of_class[i] = {};
  }
  PROCMAP_HD void add(CsrView graph, BandView const& band, Block side, Group group, BandStep const& step,
                      int first) const {
    team_for(group, step.size(), [&](Vertex i) {
      Vertex const v = band.vertices.items[step.begin + i];
      if (band.block[v] != side) return;
      auto& load = of_class[first + admission_class(step.seed, v)];
      team_add(group, &load.weight, graph.vertex_weight(v));
      team_add(group, &load.vertices, 1);
    });
  }
  /// Tells all blocks how many classes of each side fit.
  PROCMAP_HD void tell_fitting(Group group, BandLimits const& room) const {
    constexpr Edge many = Edge{1} << 20;  // so that many lanes share a side
    group.for_rows(
        2, [=](int) { return many; },
        [&](int side, auto lanes) {
          int const fit = fitting_classes(lanes, of_all() + side * admission_classes, side == 0 ? room.a : room.b);
          if (lanes.rank() != 0) return;
          PROCMAP_UNROLL
          for (int b = 0; b < Group::blocks; ++b) group.of_block(fitting(), b)[side] = fit;
        });
  }
  /// Every block learns what all have added.
  PROCMAP_HD void share(Group group) const {
    PROCMAP_LOOP
    for (int i = group.block_rank(); i < loads_of_sides; i += group.block_size()) {
      StepLoad all;
      PROCMAP_UNROLL
      for (int b = 0; b < Group::blocks; ++b) {
        auto const& load = *group.of_block(of_class + i, b);
        all.weight += load.weight;
        all.vertices += load.vertices;
      }
      of_all()[i] = all;
    }
  }
};

PROCMAP_HD inline void BandView::take_room(FastMemory& memory) {
  memory.take(of_class, room_of_classes * memory.shares);
}

/// How many classes of the steps come to those sides of a band that are `full`. Called by all lanes.
template <class Group>
PROCMAP_HD_CALL BandAdmission admission_of(CsrView graph, BandView const& band, BlockPair const& pair, Group group,
                                           SideSteps const& steps, GrowingSides full, BandLimits const& room) {
  BandAdmission admission;
  if constexpr (Group::size() == 1) {
    if (full.a) admission.a = fitting_classes_of_lane(graph, band, pair.a, group, steps.a, room.a);
    if (full.b) admission.b = fitting_classes_of_lane(graph, band, pair.b, group, steps.b, room.b);
  } else {
    ClassLoads<Group> const loads{group.fast(band.of_class)};
    loads.clear(group);
    group.sync();
    if (full.a) loads.add(graph, band, pair.a, group, steps.a, 0);
    if (full.b) loads.add(graph, band, pair.b, group, steps.b, admission_classes);
    group.sync();
    loads.share(group);
    group.sync();
    loads.tell_fitting(group, room);
    group.sync();
    if (full.a) admission.a = loads.fitting()[0];
    if (full.b) admission.b = loads.fitting()[1];
  }
  return admission;
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
