// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/topology.hpp"

namespace procmap {

/// Does the innermost level make an eighth of the mapping cost or more, so that no level is worth little? It always
/// does where all PEs are equally far apart. On 4:8:6 PEs at 1:10:100 it makes 4 %, on 8:8 PEs at 1:10 22 %: an
/// estimate, by what blocks cut of a mesh of the plane.
bool is_even(Topology const& topology);

/// Where a step of multisection is, which says what effort it is worth. On an even machine steps do not differ, unless
/// there is just one, which is the outermost.
enum class StepPlace { outermost, middle, innermost, even };

/// One step of multisection: every subgraph becomes `parts` children.
struct SplitStep {
  Block parts;
  int level;   // of the machine, 0 is the innermost
  int inside;  // steps of the same level before this one
  int depth;   // steps left, this one included
  StepPlace place;
};

/// The steps, outermost first: the levels of the machine, large ones in several steps. 512 parts at once leave
/// 64 vertices each to the coarsest graph, and moves between any two of them to refinement.
std::vector<SplitStep> split_steps(Topology const& topology, Block max_parts);

}  // namespace procmap
