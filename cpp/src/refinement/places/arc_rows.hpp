// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "core/prefetch.hpp"
#include "graph/host_graph.hpp"

namespace procmap {

/// The arcs of every block, weights beside them: what annealing reads for every exchange it tries. They are in order
/// of their heads, as those of a contracted graph come in another order on every machine. `Number` is a type that holds
/// all weights.
template <class Number>
class ArcRows {
 public:
  struct Arc {
    Block head;
    Number weight;
  };

  explicit ArcRows(HostGraph const& graph) : offsets_(graph.offsets) {
    arcs_.reserve(graph.heads.size());
    for (std::size_t e = 0; e < graph.heads.size(); ++e)
      arcs_.push_back({graph.heads[e], static_cast<Number>(graph.arc_weights[e])});
    for (std::size_t b = 0; b + 1 < offsets_.size(); ++b)
      std::ranges::sort(arcs_.begin() + offsets_[b], arcs_.begin() + offsets_[b + 1], {}, &Arc::head);
  }

  std::span<Arc const> of(Block b) const {
    return {arcs_.data() + offsets_[index(b)], arcs_.data() + offsets_[index(b) + 1]};
  }

  /// Too many for the nearest cache?
  bool are_far() const { return arcs_.size() > near_arcs; }
  void prefetch(Block b) const { procmap::prefetch(arcs_.data() + offsets_[index(b)]); }

 private:
  static constexpr std::size_t near_arcs = 1 << 12;

  std::vector<Edge> offsets_;
  std::vector<Arc> arcs_;
};

/// f(rows) with weights in half the memory if all fit.
template <class F>
auto with_arc_rows(HostGraph const& graph, F f) {
  constexpr Weight most = std::numeric_limits<std::int32_t>::max();
  bool const fit = std::ranges::all_of(graph.arc_weights, [](Weight weight) { return weight <= most; });
  return fit ? f(ArcRows<std::int32_t>(graph)) : f(ArcRows<Weight>(graph));
}

}  // namespace procmap
