// SPDX-License-Identifier: MIT
#include "multilevel/consecutive_tasks.hpp"

#include "core/index.hpp"

namespace procmap {

std::vector<Block> consecutive_tasks(Vertex tasks, std::vector<Weight> const& weights, Block pes) {
  if (tasks < pes) return {};
  __int128 twice_total = 2 * static_cast<__int128>(tasks);
  if (!weights.empty()) {
    twice_total = 0;
    for (Weight const weight : weights) twice_total += 2 * static_cast<__int128>(weight);
  }
  if (twice_total == 0) return {};
  std::vector<Block> pe(index(tasks));
  __int128 before = 0;
  for (Vertex task = 0; task < tasks; ++task) {
    Weight const weight = weights.empty() ? 1 : weights[index(task)];
    pe[index(task)] = static_cast<Block>((2 * before + weight) * pes / twice_total);  // where its middle lies
    before += weight;
    if (pe[index(task)] > (task == 0 ? 0 : pe[index(task - 1)] + 1)) return {};
  }
  return pe.back() == pes - 1 ? pe : std::vector<Block>{};
}

}  // namespace procmap
