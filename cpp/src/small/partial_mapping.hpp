// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "small/small_problem.hpp"

namespace procmap {

/// Load and vertices that go from one PE to another.
struct LoadShift {
  std::size_t from = 0, to = 0;
  Weight load = 0;
  Vertex vertices = 0;
  Weight const* further = nullptr;       // of the vertex that goes there; null: nobody does, or there is one weight
  Weight const* further_back = nullptr;  // of the one that comes in exchange
};

/// A mapping of some vertices of a small problem, and what is known of all mappings that place the others too.
class PartialMapping {
 public:
  explicit PartialMapping(SmallProblem const& problem);

  /// v has no PE yet.
  void place(std::size_t v, std::size_t pe);
  /// Takes v from its PE.
  void remove(std::size_t v);

  /// Has nobody been placed there?
  bool is_empty(std::size_t pe) const { return count_[pe] == 0; }
  /// Half of what v pays there to the vertices that have a PE.
  Weight price(std::size_t v, std::size_t pe) const { return price_[v * problem_.num_pes + pe]; }
  std::vector<Block> const& blocks() const { return block_; }

  /// No mapping that completes this one has a smaller standing. `only_feasible`: those that are infeasible do not
  /// count, and an overload comes back if that leaves none.
  Standing bound(bool only_feasible) const;
  /// The balance after a shift.
  void add_balance(LoadShift shift, Standing& bound) const;

 private:
  /// The same of a further weight.
  void add_further_balance(LoadShift shift, std::size_t i, Standing& bound) const;
  void shift_further(std::size_t v, std::size_t pe, int sign);
  bool may_be(std::size_t v, std::size_t pe, bool only_feasible) const;
  /// Half of J, with the least that vertices without a PE can pay to those that have one.
  void add_cost(bool only_feasible, Standing& bound) const;

  SmallProblem const& problem_;
  std::vector<Block> block_;   // per vertex; no_block: none yet
  std::vector<Weight> load_;   // per PE
  std::vector<Vertex> count_;  // per PE
  std::vector<Weight> further_;       // [pe * num_further + i]
  std::vector<Weight> left_further_;  // of the vertices without a PE
  std::vector<Weight> price_;  // [v * num_pes + p]: what v pays on p to the vertices that have a PE
  Weight cost_ = 0;
  Weight migrated_ = 0;
  Weight left_load_ = 0;  // of the vertices without a PE
  Block left_ = 0;        // their number
};

/// What the vertex adds to the migrated size if it is there.
inline Weight migration(SmallProblem const& problem, std::size_t v, std::size_t pe) {
  return problem.home.empty() || problem.home[v] == static_cast<Block>(pe) ? 0 : problem.size[v];
}

/// Adds J and migration up, if that costs something.
void add_total(SmallProblem const& problem, Standing& standing);

/// The standing of a whole mapping.
Standing standing_of(SmallProblem const& problem, std::span<Block const> blocks);

}  // namespace procmap
