// SPDX-License-Identifier: MIT
#include "cartesian/machine_digits.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/index.hpp"

namespace procmap {
namespace {

std::vector<MachineDigit> levels_of(Hierarchy const& machine) {
  std::vector<MachineDigit> digits;
  Block stride = 1;
  for (std::size_t level = 0; level < machine.sizes.size(); stride *= machine.sizes[level++])
    digits.push_back({machine.sizes[level], stride, machine.distances[level], false, false});
  std::ranges::reverse(digits);
  return digits;
}

std::vector<MachineDigit> dimensions_of(Grid const& machine) {
  std::vector<MachineDigit> digits;
  Block stride = 1;
  for (std::size_t i = machine.sizes.size(); i-- > 0; stride *= machine.sizes[i])
    digits.push_back({machine.sizes[i], stride, machine.costs[i], true, machine.wraps[i] != 0});
  std::ranges::reverse(digits);
  std::ranges::stable_sort(digits, std::ranges::greater{}, &MachineDigit::cost);
  return digits;
}

}  // namespace

Weight MachineDigit::distance(Block steps) const {
  if (!has_steps) return cost;
  return cost * (wraps ? std::min(steps, size - steps) : steps);
}

__int128 MachineDigit::distances_between_runs(Block run, Block apart) const {
  if (!has_steps || apart % 2 == 0) return static_cast<__int128>(distance(apart * run)) * run;
  // Every second number of steps from `fewest` on, those past half a ring the other way round.
  Edge const fewest = Edge{apart - 1} * run + 1, half = size / 2;
  Edge const straight = !wraps ? run : fewest > half ? 0 : std::min<Edge>(run, (half - fewest) / 2 + 1);
  Edge const round = run - straight, most_round = size - fewest - 2 * straight;
  Edge const steps = straight * (fewest + straight - 1) + round * (most_round - round + 1);
  return static_cast<__int128>(cost) * steps;
}

bool has_digits(Topology const& machine) {
  auto const* const grid = machine.as_grid();
  if (!grid) return machine.is_hierarchy();
  auto const points = std::accumulate(grid->sizes.begin(), grid->sizes.end(), Block{1}, std::multiplies<>{});
  return points == machine.num_pes();
}

std::vector<MachineDigit> digits_of(Topology const& machine) {
  auto const* const grid = machine.as_grid();
  auto digits = grid ? dimensions_of(*grid) : levels_of(*machine.as_hierarchy());
  std::erase_if(digits, [](MachineDigit const& digit) { return digit.size == 1; });
  return digits;
}

std::vector<Block> pes_of_numbers(Topology const& machine) {
  std::vector<Block> pe(index(machine.num_pes()));
  std::iota(pe.begin(), pe.end(), 0);
  auto const* const grid = machine.as_grid();
  if (!grid) return pe;
  auto const dimensions = grid->sizes.size();
  for (Block p = 0; p < machine.num_pes(); ++p) {
    Block number = 0;
    for (std::size_t i = 0; i < dimensions; ++i)
      number = number * grid->sizes[i] + grid->coordinates[index(p) * dimensions + i];
    pe[index(number)] = p;
  }
  return pe;
}

}  // namespace procmap
