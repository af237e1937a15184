// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "core/index.hpp"
#include "refinement/places/exchange.hpp"

namespace procmap {

/// Groups of consecutive places from which all other places are equally far, as the cores of a node are from those of
/// other nodes: what a block pays for partners there follows from the sum of its traffic with them.
class AlikeRows {
 public:
  /// The groups of the hierarchy that save most; each place alone if its machine has none, or a block so few arcs that
  /// sums by group would take as long.
  AlikeRows(Places const& places, CsrView traffic) : distance_(places.distance), count_(traffic.num_vertices) {
    Edge const degree = traffic.num_arcs / std::max<Edge>(count_, 1);
    Edge least_work = degree * count_ / 2;
    Block size = 1;
    for (Block const part : places.sizes) {
      size *= part;
      if (size >= count_ || count_ % size != 0) break;
      Edge const work = Edge{count_ / size} * count_ + degree * size;
      if (work >= least_work) continue;
      if (!are_alike(size)) break;
      least_work = work;
      size_ = size;
    }
  }

  Block size() const { return size_; }

  /// Adds to prices[p], for all places, what the traffic of block b costs on p.
  void add_prices(CsrView traffic, Block b, std::vector<Block> const& place, Weight* prices) const {
    if (size_ == 1) return add_by_partner(traffic, b, place, prices);
    std::vector<Weight> sums(index(count_ / size_), 0);
    for (Edge e = traffic.begin(b); e < traffic.end(b); ++e) {
      Block const q = place[index(traffic.heads[e])], group = q / size_;
      Weight const weight = traffic.arc_weight(e);
      sums[index(group)] += weight;
      add(weight, q, group * size_, (group + 1) * size_, prices);
    }
    for (Block group = 0; group < count_ / size_; ++group) {
      Block const begin = group * size_, end = begin + size_;
      Weight const sum = sums[index(group)];
      if (sum == 0) continue;
      add(sum, begin, 0, begin, prices);
      add(sum, begin, end, count_, prices);
    }
  }

 private:
  void add_by_partner(CsrView traffic, Block b, std::vector<Block> const& place, Weight* prices) const {
    for (Edge e = traffic.begin(b); e < traffic.end(b); ++e)
      add(traffic.arc_weight(e), place[index(traffic.heads[e])], 0, count_, prices);
  }

  /// What so much traffic with a partner on q costs on places [begin, end).
  void add(Weight weight, Block q, Block begin, Block end, Weight* prices) const {
    Weight const* const distances = distance_.row(q);
    for (Block p = begin; p < end; ++p) prices[p] += weight * distances[p];
  }

  bool are_alike(Block size) const {
    for (Block p = 0; p < count_; ++p) {
      Block const begin = p / size * size, end = begin + size;
      Weight const* const first = distance_.row(begin);
      Weight const* const row = distance_.row(p);
      if (!std::equal(row, row + begin, first) || !std::equal(row + end, row + count_, first + end)) return false;
    }
    return true;
  }

  PlaceDistances const& distance_;
  Block count_;
  Block size_ = 1;
};

}  // namespace procmap
