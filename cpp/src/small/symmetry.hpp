// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "small/partial_mapping.hpp"

namespace procmap {

/// Groups of PEs that may change places with others without making any mapping better or worse: single PEs of any
/// machine, subtrees of a hierarchy.
class Symmetry {
 public:
  explicit Symmetry(SmallProblem const& problem);

  /// Would a PE before this one, like it in all respects, do as well for the next vertex?
  bool has_substitute(PartialMapping const& mapping, std::size_t pe) const;

 private:
  struct Level {
    std::size_t size;                   // PEs of a group
    std::vector<std::size_t> previous;  // per group: the last one before it that is like it, itself if none is
  };

  static bool is_empty(PartialMapping const& mapping, std::size_t size, std::size_t group);

  std::vector<Level> levels_;
};

}  // namespace procmap
