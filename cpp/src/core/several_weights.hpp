// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/pe_capacities.hpp"

namespace procmap {

/// Several weights per vertex: what the PEs may hold of each, and their sum, which stands for the one weight of all
/// that need a single number (coarsening, starts, bands). Weights are added up as shares of their totals. A block that
/// keeps within every limit keeps within sum_of_limits() too.
class SeveralWeights {
 public:
  SeveralWeights() = default;  // a vertex has one weight
  SeveralWeights(std::vector<Weight> totals, std::vector<PeCapacities> capacities)
      : totals_(std::move(totals)), capacities_(std::move(capacities)) {}

  int count() const { return static_cast<int>(totals_.size()); }
  bool empty() const { return totals_.empty(); }
  Weight total(int i) const { return totals_[static_cast<std::size_t>(i)]; }
  PeCapacities const& capacities(int i) const { return capacities_[static_cast<std::size_t>(i)]; }
  /// What the PE may hold of every weight.
  std::vector<Weight> limits_of(Block pe) const;

  /// Of the weights of one vertex, rounded down.
  Weight sum_of_loads(std::span<Weight const> loads) const;
  /// Of what a block may hold, rounded up; 0 only if every limit is.
  Weight sum_of_limits(std::span<Weight const> limits) const;

  /// The same with other PEs: place p is PE pe_of_place[p], and forbidden if that is no_block.
  SeveralWeights reordered(std::vector<Block> const& pe_of_place) const;

 private:
  std::vector<Weight> totals_;
  std::vector<PeCapacities> capacities_;  // per weight
};

/// Weight above the limits, each as a share of `unit` of its weight, in steps of 2^-20, rounded up; added up over all
/// blocks and weights. `loads` and `limits` are [b * unit.size() + i].
Weight total_excess(std::span<Weight const> loads, std::span<Weight const> limits, std::span<Weight const> unit);

}  // namespace procmap
