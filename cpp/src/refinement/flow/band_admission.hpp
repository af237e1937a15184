// SPDX-License-Identifier: MIT
#pragma once

#include "core/hash.hpp"
#include "graph/csr_view.hpp"
#include "refinement/flow/band_view.hpp"

namespace procmap {

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

}  // namespace procmap
