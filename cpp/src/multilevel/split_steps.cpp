// SPDX-License-Identifier: MIT
#include "multilevel/split_steps.hpp"

#include <cmath>

#include "multilevel/nested_factors.hpp"

namespace procmap {
namespace {

/// What `count` blocks cut of a mesh of the plane, in units of its diameter: their borders grow with the square root.
double border_of(double count) { return std::sqrt(count); }

StepPlace place_of(std::size_t step, std::size_t steps, bool even) {
  if (even && steps > 1) return StepPlace::even;
  return step == 0 ? StepPlace::outermost : step + 1 == steps ? StepPlace::innermost : StepPlace::middle;
}

}  // namespace

bool is_even(Topology const& topology) {
  constexpr double share = 0.125;
  double all = 0, innermost = 0, blocks = 1;
  for (int level = topology.num_levels() - 1; level >= 0; --level) {
    auto const i = static_cast<std::size_t>(level);
    double const finer = blocks * topology.sizes()[i];
    if (finer == blocks) continue;
    innermost = (border_of(finer) - border_of(blocks)) * static_cast<double>(topology.distances()[i]);
    all += innermost;
    blocks = finer;
  }
  return innermost >= share * all;
}

std::vector<SplitStep> split_steps(Topology const& topology, Block max_parts) {
  std::vector<SplitStep> steps;
  for (int level = topology.num_levels() - 1; level >= 0; --level) {
    int inside = 0;
    for (Block const parts : nested_factors(topology.sizes()[static_cast<std::size_t>(level)], max_parts))
      if (parts > 1) steps.push_back({parts, level, inside++, 0, StepPlace::middle});
  }
  bool const even = is_even(topology);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].depth = static_cast<int>(steps.size() - i);
    steps[i].place = place_of(i, steps.size(), even);
  }
  return steps;
}

}  // namespace procmap
