// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "procmap/export.h"
#include "procmap/types.hpp"

namespace procmap PROCMAP_API {

/// Seconds spent in one phase, summed over all levels.
struct PhaseTime {
  std::string name;
  double seconds = 0;
  std::int64_t calls = 0;
};

/// One refinement of one level.
struct LevelStats {
  std::string stage;  ///< "multisection 3" (level of the machine, outermost = largest) or "mapping"
  int level = 0;  ///< 0 is the finest graph
  Vertex vertices = 0;
  Edge arcs = 0;
  int members = 1;  ///< mappings refined together
  int rounds = 0;
  std::int64_t flow_cuts = 0;  ///< minimum cuts computed between pairs of blocks
  std::int64_t flow_cut_short = 0;  ///< ... in bands that flow.max_band_vertices kept small
  Weight cost = 0;  ///< of the best member: J of the stage's own objective (every edge twice)
  double seconds = 0;
};

/// One mapping made on the way to the best.
struct AttemptStats {
  std::uint64_t seed = 0;
  bool quick = false;  ///< made by "fast", to have one if there is a time limit
  bool finished = false;  ///< the time limit did not end it
  bool kept = false;  ///< it is the result
  Weight cost = 0;  ///< J, if finished
  double seconds = 0;
};

struct Stats {
  double seconds = 0;  ///< whole call
  int threads = 1;
  std::string device = "cpu";  ///< "cpu" or "cuda:N"
  std::string device_reason;  ///< why this one: "asked for", "auto: ...", or "one of many graphs, ..."
  std::int64_t device_memory = 0;  ///< most bytes in use on the GPU, by other calls of that time too
  std::vector<PhaseTime> phases;
  std::vector<LevelStats> levels;
  std::vector<AttemptStats> attempts;
};

}  // namespace procmap PROCMAP_API
