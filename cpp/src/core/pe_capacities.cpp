// SPDX-License-Identifier: MIT
#include "core/pe_capacities.hpp"

#include <algorithm>

namespace procmap {
namespace {

/// Appends the last sum plus `value`.
template <class T, class U>
void extend(std::vector<T>& sums, U value) {
  sums.push_back(sums.back() + value);
}

template <class T>
T between(std::vector<T> const& sums, Block first, Block count) {
  auto const from = static_cast<std::size_t>(first);
  return sums[from + static_cast<std::size_t>(count)] - sums[from];
}

}  // namespace

PeCapacities::PeCapacities(std::span<Weight const> capacity, std::span<Weight const> fixed_load)
    : num_pes_(static_cast<Block>(capacity.size())), before_{0}, usable_before_{0} {
  before_.reserve(capacity.size() + 1);
  usable_before_.reserve(capacity.size() + 1);
  for (std::size_t pe = 0; pe < capacity.size(); ++pe) {
    extend(before_, fixed_load.empty() ? capacity[pe] : std::max(capacity[pe], fixed_load[pe]));
    extend(usable_before_, Block{capacity[pe] > 0});
  }
  if (fixed_load.empty()) return;
  fixed_before_.assign(1, 0);
  for (Weight const load : fixed_load) extend(fixed_before_, load);
}

bool PeCapacities::usable_alike() const {
  if (alike()) return true;
  Weight each = 0;
  for (Block pe = 0; pe < num_pes_; ++pe) {
    if (forbidden(pe)) continue;
    if (each == 0) each = of(pe);
    if (of(pe) != each) return false;
  }
  return true;
}

Weight PeCapacities::average() const {
  return alike() ? each_ : room(0, num_pes_) / std::max<Block>(1, usable(0, num_pes_));
}

bool PeCapacities::differ_much() const {
  if (alike()) return false;
  Weight largest = 0;
  for (Block pe = 0; pe < num_pes_; ++pe) largest = std::max(largest, of(pe));
  return largest / 2 > average();
}

Weight PeCapacities::room(Block first, Block count) const {
  auto const sum = alike() ? static_cast<__int128>(each_) * count : between(before_, first, count);
  return sum < unbounded ? static_cast<Weight>(sum) : unbounded;
}

Block PeCapacities::usable(Block first, Block count) const {
  return alike() ? count : between(usable_before_, first, count);
}

Weight PeCapacities::fixed_load(Block first, Block count) const {
  return fixed_before_.empty() ? 0 : between(fixed_before_, first, count);
}

PeCapacities PeCapacities::reordered(std::vector<Block> const& pe_of_place) const {
  bool const has_gaps = std::ranges::find(pe_of_place, no_block) != pe_of_place.end();
  if (alike() && !has_gaps) return *this;
  Weight const least = alike() ? 1 : 0;  // they hold nothing if nothing has weight, but are not forbidden
  std::vector<Weight> capacity, fixed;
  for (Block const pe : pe_of_place) {
    capacity.push_back(pe == no_block ? 0 : std::max(of(pe), least));
    fixed.push_back(pe == no_block ? 0 : fixed_load(pe, 1));
  }
  return {capacity, fixed};
}

PeCapacities PeCapacities::at_most(Weight most) const {
  if (alike()) return {num_pes_, std::min(each_, most)};
  std::vector<Weight> capacity, fixed;
  for (Block pe = 0; pe < num_pes_; ++pe) {
    capacity.push_back(std::min(of(pe), most));
    fixed.push_back(std::min(fixed_load(pe, 1), most));
  }
  return {capacity, fixed};
}

}  // namespace procmap
