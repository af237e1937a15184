// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "graph/csr_view.hpp"
#include "refinement/state/blocks.hpp"

namespace procmap {

/// What the blocks [first, first + count) hold of several weights, and may hold. On the host.
class BlockLoads {
 public:
  BlockLoads(CsrView graph, BlocksView blocks, Block first, Block count, std::span<Vertex const> vertices,
             Block const* block);

  void add(Vertex v, Block b);
  void take_away(Vertex v, Block b);
  void move(Vertex v, Block from, Block to) {
    take_away(v, from);
    add(v, to);
  }
  /// May b take v? Weights that v lacks do not matter.
  bool fits(Vertex v, Block b) const;
  /// May anything be there at all?
  bool is_open(Block b) const { return open_[index(b)] != 0; }
  /// Is v in a block that holds too much of something that v has?
  bool relieves(Vertex v, Block from) const;
  /// By how much the excess of all falls if v moves; excesses are measured in average limits of their weight.
  double relief(Vertex v, Block from, Block to) const;
  /// The same if v and u change places.
  double relief_of_exchange(Vertex v, Block from, Vertex u, Block to) const;
  /// How full a block would be with v in it in the worst weight: 1 is at the limit.
  double fill_with(Vertex v, Block b) const;
  /// How full a block is in the worst weight.
  double fill(Block b) const;
  /// The largest weight of v, in average limits.
  double size_of(Vertex v) const;
  /// Lets every block hold a twentieth more than its limits, until tighten().
  void loosen();
  void tighten() { limit_ = asked_; }
  /// total_excess of core/several_weights.hpp, as parts of the average limit.
  Weight excess() const;

  int num_weights() const { return num_; }
  Block first() const { return first_; }
  Block count() const { return static_cast<Block>(open_.size()); }

 private:
  std::size_t index(Block b) const { return static_cast<std::size_t>(b - first_); }
  std::size_t row(Block b) const { return index(b) * static_cast<std::size_t>(num_); }
  Weight over(std::size_t at, Weight more) const;

  CsrView graph_;
  int num_;
  Block first_;
  std::vector<Weight> load_;   // [(b - first) * num + i]
  std::vector<Weight> limit_;  // the same
  std::vector<Weight> asked_;  // limit_, unless it is loosened
  std::vector<Weight> unit_;   // per weight: the average limit
  std::vector<double> per_unit_;
  std::vector<char> open_;     // per block
};

}  // namespace procmap
