// SPDX-License-Identifier: MIT
#include "multilevel/consecutive_tasks.hpp"

#include <cstdint>

#include "core/index.hpp"

namespace procmap {
namespace {

/// Every task is where its middle lies. `Sum` is a type that holds `twice_total` times `pes`; no division, as there
/// may be a million tasks.
template <class Sum, class WeightOf>
std::vector<Block> share_out(Vertex tasks, Block pes, Sum twice_total, WeightOf weight_of) {
  std::vector<Block> pe(index(tasks));
  Block now = 0;
  Sum before = 0, end_of_pe = twice_total;  // twice the weight times `pes`
  for (Vertex task = 0; task < tasks; ++task) {
    Sum const half = Sum{weight_of(task)} * pes, middle = before + half;
    before = middle + half;
    if (middle >= end_of_pe && now + 1 < pes) {  // what weighs nothing may come after all PEs
      ++now;
      end_of_pe += twice_total;
      if (task == 0 || middle >= end_of_pe) return {};  // nobody is on the PE before
    }
    pe[index(task)] = now;
  }
  return now == pes - 1 ? pe : std::vector<Block>{};
}

}  // namespace

std::vector<Block> consecutive_tasks(Vertex tasks, std::vector<Weight> const& weights, Block pes) {
  if (tasks < pes) return {};
  if (weights.empty()) return share_out(tasks, pes, std::int64_t{2} * tasks, [](Vertex) { return 1; });
  __int128 twice_total = 0;
  for (Weight const weight : weights) twice_total += 2 * static_cast<__int128>(weight);
  if (twice_total == 0) return {};
  return share_out(tasks, pes, twice_total, [&](Vertex task) { return weights[index(task)]; });
}

}  // namespace procmap
