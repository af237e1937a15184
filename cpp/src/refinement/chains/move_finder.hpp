// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/index.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// A vertex that may go to a block, and how much J falls if it does.
struct OfferedMove {
  Vertex vertex;
  Block to;
  Weight gain;
};

/// Where single vertices may go: to the blocks that they are connected to most. Hubs stay where they are: they belong
/// nowhere in particular, and to look at them again and again would take all the time. Each thread has a finder of its
/// own. Distance is what PlaceDistances::with() hands out.
template <class Distance>
class MoveFinder {
 public:
  MoveFinder(CsrView graph, Distance const& distance, std::vector<Block> const& fixed, std::vector<Block> const& block,
             Block num_blocks)
      : graph_(graph), distance_(distance), fixed_(fixed), block_(block), connection_(index(num_blocks), 0) {}

  /// Adds the moves of v.
  void find(Vertex v, std::vector<OfferedMove>& moves) {
    constexpr Edge hub = 256;  // arcs
    if (graph_.degree(v) > hub || (!fixed_.empty() && fixed_[index(v)] != no_block)) return;
    work_ += graph_.degree(v);
    if (is_inner(v)) return;
    near_.clear();
    connect(v);
    choose_targets(block_[index(v)]);
    Weight const here = targets_.empty() ? 0 : cost_in(block_[index(v)]);
    for (Block const b : targets_) moves.push_back({v, b, here - cost_in(b)});
    work_ += static_cast<std::int64_t>((targets_.size() + 1) * (near_.size() + 8));
    for (Block const b : near_) connection_[index(b)] = 0;
  }

  /// Arcs, distances and moves that were looked at so far.
  std::int64_t work() const { return work_; }

 private:
  /// So are most vertices.
  bool is_inner(Vertex v) const {
    auto const heads = graph_.heads + graph_.begin(v);
    return std::all_of(heads, heads + graph_.degree(v),
                       [&](Vertex head) { return block_[index(head)] == block_[index(v)]; });
  }

  /// Adds up the arcs of v by block of their heads.
  void connect(Vertex v) {
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Weight const weight = graph_.arc_weight(e);
      if (graph_.heads[e] == v || weight == 0) continue;
      Block const b = block_[index(graph_.heads[e])];
      if (connection_[index(b)] == 0) near_.push_back(b);
      connection_[index(b)] += weight;
    }
  }

  void choose_targets(Block own) {
    constexpr std::size_t some = 12;  // blocks
    targets_ = near_;
    std::erase(targets_, own);
    if (targets_.size() <= some) return;
    auto const stronger = [&](Block a, Block b) {
      Weight const of_a = connection_[index(a)], of_b = connection_[index(b)];
      return of_a != of_b ? of_a > of_b : a < b;
    };
    std::ranges::nth_element(targets_, targets_.begin() + some, stronger);
    targets_.resize(some);
  }

  Weight cost_in(Block b) const {
    auto const from = distance_.from(distance_.key(b));
    Weight sum = 0;
    for (Block const other : near_) sum += connection_[index(other)] * from[distance_.key(other)];
    return sum;
  }

  CsrView graph_;
  Distance const& distance_;
  std::vector<Block> const& fixed_;
  std::vector<Block> const& block_;
  std::vector<Weight> connection_;  // per block: of the vertex at hand
  std::vector<Block> near_;         // blocks where that is not zero
  std::vector<Block> targets_;      // those of them that it may go to
  std::int64_t work_ = 0;
};

}  // namespace procmap
