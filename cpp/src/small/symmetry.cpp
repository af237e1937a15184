// SPDX-License-Identifier: MIT
#include "small/symmetry.hpp"

#include <algorithm>

namespace procmap {
namespace {

/// Two groups of `size` consecutive PEs.
struct Groups {
  std::size_t size, a, b;
  bool hold(std::size_t pe) const { return pe / size == a || pe / size == b; }
};

/// Do they hold as much? PEs that somebody calls home are like no others.
bool hold_the_same(SmallProblem const& problem, Groups groups) {
  for (std::size_t i = 0; i < groups.size; ++i) {
    auto const p = groups.a * groups.size + i, q = groups.b * groups.size + i;
    if (problem.capacity[p] != problem.capacity[q] || problem.forbidden[p] != problem.forbidden[q]) return false;
    for (std::size_t w = 0; w < problem.num_further; ++w)
      if (problem.further_room(p, w) != problem.further_room(q, w)) return false;
    for (auto const pe : {p, q})
      if (std::ranges::count(problem.home, static_cast<Block>(pe)) > 0) return false;
  }
  return true;
}

/// Is every PE of the one as far from all others as the PE at its place in the other, and are the two alike inside?
bool lie_the_same(SmallProblem const& problem, Groups groups) {
  auto const k = problem.num_pes, from = groups.a * groups.size, to = groups.b * groups.size;
  auto const distance = [&](std::size_t p, std::size_t q) { return problem.distance[p * k + q]; };
  for (std::size_t i = 0; i < groups.size; ++i) {
    for (std::size_t r = 0; r < k; ++r)
      if (!groups.hold(r) && distance(from + i, r) != distance(to + i, r)) return false;
    for (std::size_t j = 0; j < groups.size; ++j)
      if (distance(from + i, from + j) != distance(to + i, to + j) ||
          distance(from + i, to + j) != distance(to + i, from + j))
        return false;
  }
  return true;
}

std::vector<std::size_t> previous_alike(SmallProblem const& problem, std::size_t size) {
  std::vector<std::size_t> previous(problem.num_pes / size);
  for (std::size_t group = 0; group < previous.size(); ++group) {
    previous[group] = group;
    for (auto before = group; before-- > 0 && previous[group] == group;)
      if (Groups const groups{size, before, group}; hold_the_same(problem, groups) && lie_the_same(problem, groups))
        previous[group] = before;
  }
  return previous;
}

}  // namespace

Symmetry::Symmetry(SmallProblem const& problem) {
  std::size_t size = 1;
  levels_.push_back({size, previous_alike(problem, size)});
  for (Block const children : problem.sizes) {
    size *= static_cast<std::size_t>(children);
    if (children > 1 && size < problem.num_pes) levels_.push_back({size, previous_alike(problem, size)});
  }
}

bool Symmetry::is_empty(PartialMapping const& mapping, std::size_t size, std::size_t group) {
  for (std::size_t i = 0; i < size; ++i)
    if (!mapping.is_empty(group * size + i)) return false;
  return true;
}

bool Symmetry::has_substitute(PartialMapping const& mapping, std::size_t pe) const {
  return std::ranges::any_of(levels_, [&](Level const& level) {
    auto const group = pe / level.size, before = level.previous[group];
    return before != group && is_empty(mapping, level.size, group) && is_empty(mapping, level.size, before);
  });
}

}  // namespace procmap
