// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "graph/empty_blocks.hpp"
#include "graph/scopes.hpp"
#include "multilevel/empty/cheapest_first.hpp"
#include "multilevel/empty/move_prices.hpp"
#include "objective/with_distances.hpp"

namespace procmap {

// PEs that a mapping leaves empty get a vertex each. All arcs are looked at once, where the graph lies, for a lower
// bound of what it costs to move a vertex: as if every neighbour had the empty PE near it that is nearest. Of the
// vertices with the lowest bounds the host asks for the price.

/// Moves vertices into empty PEs.
template <HostExecutor Exec, class Objective>
class EmptyFilling {
 public:
  /// `count`: vertices per PE; `least`: a lower bound of every vertex's price.
  EmptyFilling(Exec& ex, MovePrices<Objective> const& prices, MappingTask const& task, std::vector<Weight> count,
               Weight const* least, Block* block)
      : ex_(ex),
        prices_(prices),
        task_(task),
        count_(std::move(count)),
        block_(block),
        cheapest_(ex, least, prices.graph.num_vertices) {}

  /// False if no vertex can go there.
  bool fill(Block pe) {
    ex_.run().checkpoint();
    auto const limits =
        task_.several.empty() ? std::vector<Weight>{task_.capacities.of(pe)} : task_.several.limits_of(pe);
    auto const limit = ex_.template buffer<Weight>(limits.size());
    ex_.upload(limits.data(), static_cast<Edge>(limits.size()), limit.data());
    best_ = {};
    look_at_cheapest({pe, limit.data()});
    for_all_prices({pe, limit.data()}, disturbed_, [](std::size_t) { return true; });
    if (best_.vertex == no_vertex) return false;
    move_best(pe);
    return true;
  }

 private:
  static constexpr Edge enough_work = Edge{1} << 28;  // arcs that are looked at

  /// Asks for few prices at first, as a good one ends the search.
  void look_at_cheapest(EmptyPe to) {
    bool goes_on = true;
    for (std::size_t first = 0, at_once = 64; goes_on; first += at_once, at_once *= 4) {
      auto const candidates = cheapest_.from(first, at_once);
      std::vector<Vertex> vertices;
      for (auto const& candidate : candidates) vertices.push_back(candidate.vertex);
      goes_on = for_all_prices(to, vertices, [&](std::size_t i) { return may_be_best(candidates[i]); }) &&
                vertices.size() == at_once;
    }
  }
  /// If not, nobody behind it in the list may, either.
  bool may_be_best(Candidate const& least) const {
    return least < best_ && (best_.vertex == no_vertex || work_ <= enough_work);
  }

  /// Considers vertices one after the other, as long as goes_on(i) says so. Returns whether it did to the end.
  template <class GoesOn>
  bool for_all_prices(EmptyPe to, std::vector<Vertex> const& vertices, GoesOn goes_on) {
    auto const prices = prices_of(ex_, prices_, to, vertices);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (!goes_on(i)) return false;
      consider(vertices[i], prices[i]);
    }
    return true;
  }
  void consider(Vertex v, MovePrice const& price) {
    if (count_[static_cast<std::size_t>(price.from)] < 2 || price.fits == 0) return;
    work_ += price.degree;
    if (Candidate const candidate{price.cost, v}; candidate < best_) {
      best_ = candidate;
      best_price_ = price;
    }
  }

  void move_best(Block pe) {
    --count_[static_cast<std::size_t>(best_price_.from)];
    ++count_[static_cast<std::size_t>(pe)];
    ex_.fill(block_ + best_.vertex, 1, pe);
    auto neighbours = free_neighbours(ex_, prices_, best_.vertex, best_price_.degree);
    std::ranges::sort(neighbours);
    std::vector<Vertex> all;
    std::ranges::set_union(disturbed_, neighbours, std::back_inserter(all));
    disturbed_ = std::move(all);
  }

  Exec& ex_;
  MovePrices<Objective> prices_;
  MappingTask const& task_;
  std::vector<Weight> count_;  // vertices per PE
  Block* block_;
  CheapestFirst<Exec> cheapest_;
  std::vector<Vertex> disturbed_;  // whose bounds are out of date, in order
  Candidate best_;
  MovePrice best_price_;  // of that vertex, if there is one
  Edge work_ = 0;
};

/// Vertices per PE.
template <HostExecutor Exec>
std::vector<Weight> vertices_per_pe(Exec& ex, CsrView graph, Block const* block, Block k) {
  graph.vertex_weights = nullptr;
  return scope_weights(ex, graph, block, k);
}

/// Gives every empty PE that is not forbidden one vertex of a PE that has several: small PEs first, each the vertex
/// with which J and migration grow least, or fall, of several the first one. Fixed vertices stay. Returns how many
/// vertices moved; that is fewer than there were empty PEs if too few vertices are free or light enough.
template <HostExecutor Exec>
Block fill_empty_blocks(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  auto const count = vertices_per_pe(ex, graph, block, task.topology.num_pes());
  auto empty = pes_without(count, task.capacities);
  if (empty.empty() || graph.num_vertices == 0) return 0;
  std::ranges::stable_sort(empty, {}, [&](Block pe) { return task.capacities.of(pe); });
  return with_distances(ex, task.topology, [&](auto objective) {
    MovePrices<decltype(objective)> const prices{graph, objective, block, task.fixed, task.given};
    auto const nearest = distances_to_nearest(ex, objective, task.topology.num_pes(), empty);
    auto const least = least_prices(ex, prices, nearest.data());
    EmptyFilling filling(ex, prices, task, count, least.data(), block);
    return static_cast<Block>(std::ranges::count_if(empty, [&](Block pe) { return filling.fill(pe); }));
  });
}

}  // namespace procmap
