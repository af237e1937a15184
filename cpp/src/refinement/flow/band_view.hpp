// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/pair.hpp"
#include "refinement/flow/team.hpp"

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

}  // namespace procmap
