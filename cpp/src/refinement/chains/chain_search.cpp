// SPDX-License-Identifier: MIT
#include "refinement/chains/chain_search.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace procmap {
namespace {

constexpr auto no_arc = static_cast<std::size_t>(-1);
constexpr int most_passes = 32;                     // every pass finds chains with at least one arc more
constexpr Weight most_cost = Weight{1} << 61;        // and one arc more stays within 64 bits

}  // namespace

ChainSearch::ChainSearch(Block num_blocks)
    : cost_(index(num_blocks)), via_(index(num_blocks)), seen_from_(index(num_blocks)) {}

void ChainSearch::start(Weight cost) {
  std::ranges::fill(cost_, cost);
  std::ranges::fill(via_, no_arc);
}

std::vector<Chain> ChainSearch::closed_chains(MoveArcs const& arcs) {
  start(0);
  for (int pass = 0; pass < most_passes && relax(arcs, -MoveArcs::most); ++pass)
    if (auto cycles = cycles_of_parents(arcs); !cycles.empty()) return cycles;
  return {};
}

void ChainSearch::search_from(MoveArcs const& arcs, std::vector<Block> const& sources) {
  start(MoveArcs::closed);
  for (Block const b : sources) cost_[index(b)] = 0;
  for (int pass = 0; pass < most_passes && relax(arcs, 0); ++pass) {
  }
}

bool ChainSearch::relax(MoveArcs const& arcs, Weight least) {
  bool changed = false;
  for (std::size_t a = 0; a < arcs.count(); ++a) {
    Weight const before = cost_[index(arcs.from[a])];
    if (before == MoveArcs::closed || arcs.cost[a] == MoveArcs::closed) continue;
    Weight const cost = std::clamp(before + std::max(arcs.cost[a], least), -most_cost, most_cost);
    if (cost >= cost_[index(arcs.to[a])]) continue;
    cost_[index(arcs.to[a])] = cost;
    via_[index(arcs.to[a])] = a;
    changed = true;
  }
  work_ += static_cast<std::int64_t>(arcs.count());
  return changed;
}

// Every block has one arc that leads to it, so cycles share no block.
std::vector<Chain> ChainSearch::cycles_of_parents(MoveArcs const& arcs) {
  std::vector<Chain> cycles;
  std::ranges::fill(seen_from_, no_block);
  auto const k = static_cast<Block>(cost_.size());
  for (Block start = 0; start < k; ++start) {
    Block b = start;
    while (seen_from_[index(b)] == no_block && via_[index(b)] != no_arc) {
      seen_from_[index(b)] = start;
      b = arcs.from[via_[index(b)]];
    }
    if (seen_from_[index(b)] == start && via_[index(b)] != no_arc) cycles.push_back(cycle_through(arcs, b));
  }
  return cycles;
}

Chain ChainSearch::cycle_through(MoveArcs const& arcs, Block block) const {
  Chain cycle;
  Block b = block;
  do {
    cycle.push_back(via_[index(b)]);
    b = arcs.from[cycle.back()];
  } while (b != block);
  std::ranges::reverse(cycle);
  return cycle;
}

bool ChainSearch::reaches(Block block) const { return cost_[index(block)] != MoveArcs::closed; }

Weight ChainSearch::cost_to(Block block) const { return cost_[index(block)]; }

Chain ChainSearch::chain_to(MoveArcs const& arcs, Block block) const {
  Chain chain;
  for (Block b = block; via_[index(b)] != no_arc; b = arcs.from[chain.back()]) chain.push_back(via_[index(b)]);
  std::ranges::reverse(chain);
  return chain;
}

}  // namespace procmap
