// SPDX-License-Identifier: MIT
#include "small/partial_mapping.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace procmap {

PartialMapping::PartialMapping(SmallProblem const& problem)
    : problem_(problem),
      block_(problem.num_vertices, no_block),
      load_(problem.num_pes, 0),
      count_(problem.num_pes, 0),
      further_(problem.num_pes * problem.num_further, 0),
      left_further_(problem.num_further, 0),
      price_(problem.num_vertices * problem.num_pes, 0),
      left_load_(std::reduce(problem.load.begin(), problem.load.end())),
      left_(static_cast<Block>(problem.num_vertices)) {
  for (std::size_t v = 0; v < problem.num_vertices; ++v)
    for (std::size_t i = 0; i < problem.num_further; ++i) left_further_[i] += problem.further(v, i);
}

void PartialMapping::shift_further(std::size_t v, std::size_t pe, int sign) {
  for (std::size_t i = 0; i < problem_.num_further; ++i) {
    further_[pe * problem_.num_further + i] += sign * problem_.further(v, i);
    left_further_[i] -= sign * problem_.further(v, i);
  }
}

void PartialMapping::place(std::size_t v, std::size_t pe) {
  auto const n = problem_.num_vertices, k = problem_.num_pes;
  block_[v] = static_cast<Block>(pe);
  load_[pe] += problem_.load[v];
  ++count_[pe];
  left_load_ -= problem_.load[v];
  shift_further(v, pe, 1);
  --left_;
  cost_ += price_[v * k + pe];
  migrated_ += migration(problem_, v, pe);
  auto const* const distance = &problem_.distance[pe * k];
  for (std::size_t u = 0; u < n; ++u)
    if (Weight const weight = problem_.traffic[v * n + u]; weight > 0)
      for (std::size_t p = 0; p < k; ++p) price_[u * k + p] += weight * distance[p];
}

void PartialMapping::remove(std::size_t v) {
  auto const n = problem_.num_vertices, k = problem_.num_pes;
  auto const pe = static_cast<std::size_t>(block_[v]);
  auto const* const distance = &problem_.distance[pe * k];
  for (std::size_t u = 0; u < n; ++u)
    if (Weight const weight = problem_.traffic[v * n + u]; weight > 0)
      for (std::size_t p = 0; p < k; ++p) price_[u * k + p] -= weight * distance[p];
  migrated_ -= migration(problem_, v, pe);
  cost_ -= price_[v * k + pe];
  ++left_;
  left_load_ += problem_.load[v];
  shift_further(v, pe, -1);
  --count_[pe];
  load_[pe] -= problem_.load[v];
  block_[v] = no_block;
}

bool PartialMapping::may_be(std::size_t v, std::size_t pe, bool only_feasible) const {
  if (problem_.forbidden[pe]) return false;
  if (!only_feasible) return true;
  if (load_[pe] + problem_.load[v] > problem_.capacity[pe]) return false;
  for (std::size_t i = 0; i < problem_.num_further; ++i)
    if (further_[pe * problem_.num_further + i] + problem_.further(v, i) > problem_.further_room(pe, i)) return false;
  return true;
}

void PartialMapping::add_balance(LoadShift shift, Standing& bound) const {
  Weight homeless = left_load_;  // what does not fit anywhere
  Block empty = 0;
  for (std::size_t pe = 0; pe < problem_.num_pes; ++pe) {
    int const sign = (pe == shift.to) - (pe == shift.from);
    Weight const over = load_[pe] + sign * shift.load - problem_.capacity[pe];
    bound.overload = std::max(bound.overload, over);
    bound.excess += std::max<Weight>(over, 0);
    if (problem_.forbidden[pe]) continue;
    homeless -= std::clamp<Weight>(-over, 0, homeless);
    empty += count_[pe] + sign * shift.vertices == 0;
  }
  bound.excess += homeless;
  for (std::size_t i = 0; i < problem_.num_further; ++i) add_further_balance(shift, i, bound);
  if (problem_.fills_all) bound.empty = std::max(0, empty - left_);
}

void PartialMapping::add_further_balance(LoadShift shift, std::size_t i, Standing& bound) const {
  Weight moved = shift.further ? shift.further[i] : 0;
  if (shift.further_back) moved -= shift.further_back[i];
  Weight homeless = left_further_[i];
  for (std::size_t pe = 0; pe < problem_.num_pes; ++pe) {
    int const sign = (pe == shift.to) - (pe == shift.from);
    Weight const over = further_[pe * problem_.num_further + i] + sign * moved - problem_.further_room(pe, i);
    bound.overload = std::max(bound.overload, over);
    bound.excess += std::max<Weight>(over, 0);
    if (!problem_.forbidden[pe]) homeless -= std::clamp<Weight>(-over, 0, homeless);
  }
  bound.excess += homeless;
}

void PartialMapping::add_cost(bool only_feasible, Standing& bound) const {
  constexpr auto nowhere = std::numeric_limits<Weight>::max();
  auto const k = problem_.num_pes;
  bound.cost = cost_;
  for (std::size_t v = 0; v < problem_.num_vertices; ++v) {
    if (block_[v] != no_block) continue;
    Weight least = nowhere;
    for (std::size_t pe = 0; pe < k; ++pe)
      if (may_be(v, pe, only_feasible)) least = std::min(least, price_[v * k + pe]);
    if (least == nowhere)
      bound.overload = std::max<Weight>(bound.overload, 1);
    else
      bound.cost += least;
  }
}

Standing PartialMapping::bound(bool only_feasible) const {
  Standing bound{.migrated = migrated_};
  add_balance({}, bound);
  add_cost(only_feasible, bound);
  add_total(problem_, bound);
  return bound;
}

void add_total(SmallProblem const& problem, Standing& standing) {
  if (problem.migration_cost > 0)
    standing.total =
        2 * static_cast<double>(standing.cost) + problem.migration_cost * static_cast<double>(standing.migrated);
}

Standing standing_of(SmallProblem const& problem, std::span<Block const> blocks) {
  PartialMapping mapping(problem);
  for (std::size_t v = 0; v < blocks.size(); ++v) mapping.place(v, static_cast<std::size_t>(blocks[v]));
  return mapping.bound(false);
}

}  // namespace procmap
