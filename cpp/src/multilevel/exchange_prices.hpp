// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "graph/host_graph.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// What moving single vertices of a mapping onto a hierarchy costs: the change of J, with every edge counted once. The
/// mapping is the caller's, who says which vertices have moved. All sums are exact, so the order of arcs means nothing.
class ExchangePrices {
 public:
  ExchangePrices(HostGraph const& graph, Hierarchy const& machine, std::vector<Block> const& block);

  /// A move of v to every PE; takes about k steps instead of k times the degree.
  void to_all(Vertex v, std::span<Weight> price);

  /// The block that to_target() is about. Returns how many vertices and arcs were looked at.
  std::int64_t set_target(Block target);
  Weight to_target(Vertex v) const { return to_target_[index(v)]; }
  Weight from_target(Block pe) const { return from_target_[index(pe)]; }

  /// v was in another block: prices of its neighbours and its own change.
  void has_moved(Vertex v, Block from);

  /// Exchanged vertices that are joined stay as far apart as they were. The prices of their moves say instead that each
  /// comes to where the other is: twice the distance, for every unit of traffic, has to be added.
  void set_partner(Vertex v);
  Weight correction(Vertex other, Weight distance) const { return 2 * traffic_[index(other)] * distance; }

  Edge degree(Vertex v) const { return graph_.offsets[index(v) + 1] - graph_.offsets[index(v)]; }

 private:
  template <class F>
  void for_each_arc(Vertex v, F f) const;
  Weight where_it_is(Vertex v) const;

  HostGraph const& graph_;
  Hierarchy const& machine_;
  std::vector<Block> const& block_;
  std::vector<Weight> total_;                // traffic of every vertex
  std::vector<Weight> here_;                 // what every vertex costs where it is
  std::vector<Weight> to_target_;            // what moving it there costs
  std::vector<Weight> from_target_;          // distances of all PEs
  Block target_ = no_block;
  std::vector<Weight> traffic_;              // of the partner with every vertex
  std::vector<std::vector<Weight>> within_;  // traffic of a vertex with every group of every level; 0 between calls
  Vertex partner_ = no_vertex;
};

}  // namespace procmap
