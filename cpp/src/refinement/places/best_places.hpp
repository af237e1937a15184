// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "procmap/topology.hpp"
#include "refinement/places/annealing.hpp"
#include "refinement/places/exchange.hpp"

namespace procmap {

/// The graph with isolated vertices without weight for the places that stay empty, so many blocks in all.
HostGraph with_empty_blocks(HostGraph graph, Block num_blocks);

/// The places of tasks, then those that no task is on but may be: of the blocks without weight.
std::vector<Block> with_idle_places(std::vector<Block> place, std::vector<Weight> const& capacity);

/// The places of blocks, then so many more of each place that may be: of blocks without weight, which others change
/// places with to go there alone.
std::vector<Block> with_spare_seats(std::vector<Block> place, std::vector<Weight> const& capacity, int each);

/// Tasks in order on the PEs in order, as ranks are numbered; empty if there is no room for all, one each.
std::vector<Block> places_in_order(Vertex tasks, std::vector<Weight> const& capacity,
                                   std::vector<Block> const& pe_of_place);

/// The best of several mappings of tasks to places, one each, all of them improved by exchanges.
class BestPlaces {
 public:
  /// `traffic` has a vertex per place.
  BestPlaces(HostGraph const& traffic, Places places) : traffic_(traffic), places_(std::move(places)) {}

  /// `tasks`: the places of the first vertices; the others get those that are free, in order.
  void consider(std::vector<Block> tasks);

  /// The same, unless it is worse than the best one as it is; none of empty `tasks`.
  void consider_if_better(std::vector<Block> tasks);

  /// Anneals the tasks, and tries random exchanges. To be called after consider().
  void improve(Annealing annealing, Kicks kicks);

  /// Of all places, those of tasks first.
  std::vector<Block> result() && { return std::move(place_); }

 private:
  Weight cost(std::vector<Block> const& place) const;

  HostGraph const& traffic_;
  Places places_;
  std::vector<Block> place_;
  Weight cost_ = 0;
};

}  // namespace procmap
