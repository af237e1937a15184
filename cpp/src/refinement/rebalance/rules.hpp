// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <limits>

#include "objective/edge_cut.hpp"
#include "refinement/state/destinations.hpp"

namespace procmap {

/// A vertex that could leave its overloaded block.
struct RebalanceMove {
  Weight loss_key = 0;      // order of the loss: a bucket or the exact loss per weight
  std::uint32_t noise = 0;  // breaks ties
  Vertex vertex = no_vertex;
  Block source = no_block;
  Block target = no_block;
};

/// Where a vertex goes that has no adjacent block with room: the block with the most room in every group
/// of the objective and in every scope.
struct RoomiestView {
  Block const* of_group = nullptr;
  Block const* of_scope = nullptr;
  Block first_scope = 0;
};

/// Rule: the loss per unit of weight as an integer that orders like the quotient (IEEE division).
PROCMAP_HD inline Weight exact_loss_key(Weight loss, Weight weight) {
  auto const bits = std::bit_cast<std::int64_t>(static_cast<double>(loss) / static_cast<double>(weight));
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

/// Rule: buckets of the loss per weight by powers of two; savings first, then even moves (paper, weak
/// rebalancing).
PROCMAP_HD inline Weight loss_bucket(Weight loss, Weight weight) {
  if (loss < 0) return 0;
  if (loss == 0) return 1;
  auto const bits = std::bit_cast<std::uint64_t>(static_cast<double>(loss) / static_cast<double>(weight));
  return 2 + static_cast<Weight>((bits >> 52) & 0x7ff);  // the exponent
}

inline constexpr int loss_histogram_buckets = 64;

/// Rule: folds the buckets to those that occur with integer weights; the far ends share one.
PROCMAP_HD inline int histogram_bucket(Weight bucket) {
  if (bucket < 2) return static_cast<int>(bucket);
  Weight const folded = bucket - (1023 - 16);  // quotients from 2^-16 on get buckets of their own
  return folded < 2 ? 2 : folded >= loss_histogram_buckets ? loss_histogram_buckets - 1 : static_cast<int>(folded);
}

/// Rule: a bucket move goes only to blocks below sigma, so that they do not overflow at once (paper, sigma).
PROCMAP_HD inline Weight sigma(RefinementConfig const& config, Weight capacity) {
  auto const share = static_cast<Weight>(config.sigma_share * static_cast<double>(capacity));
  return share > capacity - config.sigma_slack ? share : capacity - config.sigma_slack;
}

/// Rule: is a vertex of weight `load` worth moving out of its overloaded block? Moving one that is much heavier than
/// the excess only turns the imbalance around; if nothing else helps, it goes all the same.
PROCMAP_HD inline bool may_leave(RefinementConfig const& config, BlocksView const& blocks, RefinementView const& state,
                                 Block from, Weight load) {
  if (load == 0 || state.block_weight[from] <= blocks.capacity[from]) return false;
  ScopeState const& scope = state.scope[blocks.scope_of(from)];
  if (scope.mode == ScopeMode::rebalance_sorted && scope.rebalances >= config.heavy_rounds) return true;
  auto const excess = static_cast<double>(state.block_weight[from] - blocks.share[from]);
  return static_cast<double>(load) < config.heavy_vertex * excess;
}

/// Finds the cheapest move of one vertex out of its block.
template <class Objective>
struct CheapestExit {
  CsrView graph;
  Objective const& objective;
  BlocksView blocks;
  RefinementView state;
  RefinementConfig const& config;
  RoomiestView roomiest;
  std::uint64_t seed;

  /// Does block b take v?
  PROCMAP_HD bool has_room(Block b, Weight load, bool sorted) const {
    return sorted ? state.block_weight[b] + load <= blocks.capacity[b]
                  : state.block_weight[b] < sigma(config, blocks.capacity[b]);
  }

  template <class Group, class Table>
  PROCMAP_HD RebalanceMove operator()(Vertex v, Group group, Table& table) const {
    Block const own = state.block[v];
    Weight const load = graph.vertex_weight(v);
    bool const sorted = state.scope[blocks.scope_of(own)].mode == ScopeMode::rebalance_sorted;
    see_blocks(graph, state, v, group, table);
    objective.aggregate(group, table);
    auto const admits = [&](Block b) { return has_room(b, load, sorted); };
    auto const& anchors = state.anchors;
    Destination best = best_adjacent(objective, anchors, table, group, {v, own, seed}, admits);
    auto const affinity = [&](Block b) { return objective.affinity(table, b) + anchors.affinity(v, b); };
    if (sorted || best.block == no_block) {
      Weight const stay = affinity(own);
      auto const consider = [&](Block b) {
        if (b == no_block || b == own || !admits(b)) return;
        Destination const other{affinity(b) - stay, 0, b};
        if (other.better_than(best)) best = other;
      };
      for (int i = 0; i < objective.groups_of_block(); ++i) consider(roomiest.of_group[objective.group_of(own, i)]);
      consider(roomiest.of_scope[blocks.scope_of(own) - roomiest.first_scope]);
    }
    RebalanceMove move{0, static_cast<std::uint32_t>(hash(seed, static_cast<std::uint64_t>(v)) >> 32), v, own,
                       best.block};
    if (best.block != no_block)
      move.loss_key = sorted ? exact_loss_key(-best.gain, load) : loss_bucket(-best.gain, load);
    return move;
  }
};

/// A block and the room it has.
struct Room {
  Weight room = std::numeric_limits<Weight>::min();
  Block block = no_block;
};

struct MoreRoom {
  PROCMAP_HD bool operator()(Room const& a, Room const& b) const {
    return a.room != b.room ? a.room > b.room : a.block < b.block;
  }
};

/// Rule: the block with the most room among `range`, the first of equals.
template <class Group>
PROCMAP_HD Block roomiest_of(RefinementView const& state, BlocksView const& blocks, BlockRange range, Group group) {
  Room best;
  for (Block b = range.first + group.rank(); b < range.last; b += group.size())
    if (Room const other{blocks.capacity[b] - state.block_weight[b], b}; MoreRoom{}(other, best)) best = other;
  return group.best(best, MoreRoom{}).block;
}

}  // namespace procmap
