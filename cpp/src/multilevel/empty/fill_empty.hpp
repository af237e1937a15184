// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/empty_blocks.hpp"
#include "graph/scopes.hpp"
#include "multilevel/empty/cheapest_first.hpp"
#include "multilevel/empty/move_prices.hpp"
#include "multilevel/empty/nearest_empty.hpp"
#include "multilevel/empty/renewed_bounds.hpp"
#include "objective/with_distances.hpp"
#include "topology/triangle.hpp"

namespace procmap {

// PEs that a mapping leaves empty get a vertex each. All arcs are looked at once, where the graph lies, for a lower
// bound of what it costs to move a vertex: as if every neighbour had the empty PE near it that is nearest. Of the
// vertices with the lowest bounds the host asks for the price. Bounds of vertices whose neighbours have moved are
// renewed, and nobody looks again at those that are alone on their PE by now.

/// Moves vertices into empty PEs.
template <HostExecutor Exec, class Objective>
class EmptyFilling {
 public:
  /// `count`: vertices per PE; `least`: a lower bound of every vertex's price, by `nearest`; `paid`: that of `prices`,
  /// which is kept up.
  EmptyFilling(Exec& ex, MovePrices<Objective> const& prices, MappingTask const& task, std::vector<Weight> count,
               NearestEmpty<Exec, Objective>& nearest, Weight const* least, Weight* paid, Block* block)
      : ex_(ex),
        prices_(prices),
        task_(task),
        count_(std::move(count)),
        nearest_(nearest),
        paid_(paid),
        block_(block),
        cheapest_(ex, least, prices.graph.num_vertices),
        renewed_(prices.graph.num_vertices) {}

  /// The next one of `nearest`. False if no vertex can go there.
  bool fill(Block pe) {
    ex_.run().checkpoint();
    auto const limits =
        task_.several.empty() ? std::vector<Weight>{task_.capacities.of(pe)} : task_.several.limits_of(pe);
    auto const limit = ex_.template buffer<Weight>(limits.size());
    ex_.upload(limits.data(), static_cast<Edge>(limits.size()), limit.data());
    best_ = {};
    look_at(renewed_, {pe, limit.data()}, [](std::size_t) { return true; }, [](Vertex) { return false; });
    look_at(
        cheapest_, {pe, limit.data()}, [&](std::size_t seen) { return seen < always || work_ <= enough_work; },
        [&](Vertex v) { return renewed_.knows(v); });
    nearest_.pass(pe);
    if (best_.vertex == no_vertex) return false;
    move_best(pe);
    return true;
  }

 private:
  static constexpr Edge enough_work = Edge{1} << 28;  // arcs that are looked at
  static constexpr std::size_t always = 64;           // vertices that every PE looks at after that

  /// Considers vertices of a list with the lowest bounds, as long as there may be a better one and affords(how many it
  /// has looked at). Asks for few prices at first, as a good one ends the search. Forgets those that are elsewhere(v),
  /// and those that stay for ever.
  template <class List, class Affords, class Elsewhere>
  void look_at(List& list, EmptyPe to, Affords affords, Elsewhere elsewhere) {
    std::vector<char> gone;
    bool goes_on = true;
    for (std::size_t at_once = 64; goes_on; at_once *= 4) {
      auto const candidates = list.from(gone.size(), at_once);
      std::vector<Vertex> vertices;
      for (auto const& candidate : candidates) vertices.push_back(candidate.vertex);
      auto const prices = prices_of(ex_, prices_, to, vertices, best_.cost);
      for (std::size_t i = 0; i < vertices.size() && goes_on; ++i) {
        goes_on = candidates[i] < best_ && (best_.vertex == no_vertex || affords(gone.size()));
        if (!goes_on) break;
        bool const stays = count_[static_cast<std::size_t>(prices[i].from)] < 2;
        gone.push_back(stays || elsewhere(vertices[i]));
        if (!stays) consider(vertices[i], prices[i]);
      }
      goes_on = goes_on && vertices.size() == at_once;
    }
    list.drop(gone);
  }

  void consider(Vertex v, MovePrice const& price) {
    if (price.fits == 0) return;
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
    if (nearest_.left() == 0) return;
    auto const neighbours = free_neighbours(ex_, prices_, best_.vertex, best_price_.degree);
    renewed_.put(least_prices(ex_, prices_, nearest_.data(), neighbours));
    if (prices_.paid) renew_paid(ex_, prices_, neighbours, paid_);
  }

  Exec& ex_;
  MovePrices<Objective> prices_;
  MappingTask const& task_;
  std::vector<Weight> count_;  // vertices per PE
  NearestEmpty<Exec, Objective>& nearest_;
  Weight* paid_;
  Block* block_;
  CheapestFirst<Exec> cheapest_;
  RenewedBounds renewed_;
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

constexpr std::size_t enough_to_bound = 2;  // empty PEs: one is filled sooner than bounds are made

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
    MovePrices<decltype(objective)> prices{graph, objective, block, task.fixed, task.given};
    ArcsOfAll<Exec> arcs;
    if (empty.size() >= enough_to_bound && keeps_triangle_inequality(task.topology)) {
      arcs = arcs_of_all(ex, prices);
      prices.traffic = arcs.traffic.data();
      prices.paid = arcs.paid.data();
    }
    NearestEmpty nearest(ex, objective, task.topology, empty);
    auto const least = least_prices(ex, prices, nearest.data());
    EmptyFilling filling(ex, prices, task, count, nearest, least.data(), arcs.paid.data(), block);
    return static_cast<Block>(std::ranges::count_if(empty, [&](Block pe) { return filling.fill(pe); }));
  });
}

}  // namespace procmap
