// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "refinement/weights/scope_moves.hpp"

namespace procmap {

/// Brings the blocks of a scope whose vertices have several weights into balance (several weights: Karypis and Kumar,
/// "Multilevel algorithms for multi-constraint graph partitioning").
template <class Objective>
class ScopeBalancer {
 public:
  explicit ScopeBalancer(ScopeMoves<Objective>& scope) : scope_(scope) {}

  /// Returns by how much the cost fell, every edge twice; mostly it rises.
  Weight balance(bool is_last) {
    Weight const before = scope_.cost();
    constexpr std::uint64_t most_rounds = 64;
    for (std::uint64_t round = 0; round < most_rounds && scope_.loads.excess() > 0; ++round)
      if (!move_out(round) && !exchange(round)) break;
    if (is_last && scope_.loads.excess() > 0) pack();
    return before - scope_.cost();
  }

 private:
  struct Exit {
    double price;  // what a unit of relief loses
    std::uint64_t noise;
    Vertex vertex;
    bool operator<(Exit const& other) const {
      if (price != other.price) return price < other.price;
      return noise != other.noise ? noise < other.noise : vertex < other.vertex;
    }
  };
  static constexpr double least_relief = 1e-15;  // less is what rounding leaves of nothing

  /// Blocks to which vertices may go that see none with room: all, or the emptiest of many.
  void choose_open_blocks() {
    constexpr std::size_t enough = 32;
    open_.clear();
    for (Block b = scope_.loads.first(); b < scope_.loads.first() + scope_.loads.count(); ++b)
      if (scope_.loads.is_open(b)) open_.push_back(b);
    if (open_.size() <= enough) return;
    std::ranges::stable_sort(open_, {}, [&](Block b) { return scope_.loads.fill(b); });
    open_.resize(enough);
  }

  struct Way {
    Destination destination;
    double relief = 0;
  };

  /// Where v goes to relieve its block: where it fits, best by gain, otherwise where it relieves most.
  Way way_out(Vertex v) {
    scope_.gather(v);
    Block const own = scope_.block[v];
    Weight const here = scope_.affinity(v, own);
    Way best;
    bool fits = false;
    auto const consider = [&](Block b) {
      if (b == own || !scope_.loads.is_open(b)) return;
      double const relief = scope_.loads.relief(v, own, b);
      bool const fits_here = scope_.loads.fits(v, b);
      if (relief <= least_relief || (fits && !fits_here)) return;
      Destination const other{scope_.affinity(v, b) - here, 0, b};
      bool const is_first = best.destination.block == no_block || (fits_here && !fits);
      bool const relieves_more = relief != best.relief ? relief > best.relief : b < best.destination.block;
      bool const is_better = fits_here ? other.better_than(best.destination) : relieves_more;
      if (!is_first && !is_better) return;
      best = {other, relief};
      fits = fits_here;
    };
    for (Block const b : scope_.touched) consider(b);
    if (Block const home = scope_.anchors.home_of(v); home != no_block) consider(home);
    for (Block const b : open_) consider(b);
    return best;
  }

  /// Moves vertices out of overloaded blocks, where a unit of relief costs least first. Did any move?
  bool move_out(std::uint64_t round) {
    choose_open_blocks();
    std::vector<Exit> exits;
    for (Vertex const v : scope_.vertices) {
      if (scope_.anchors.holds(v) || !scope_.loads.relieves(v, scope_.block[v])) continue;
      if (auto const way = way_out(v); way.destination.block != no_block)
        exits.push_back({-static_cast<double>(way.destination.gain) / way.relief, scope_.noise(round, v), v});
    }
    std::sort(exits.begin(), exits.end());
    bool moved = false;
    for (auto const& exit : exits) {
      Vertex const v = exit.vertex;
      if (!scope_.loads.relieves(v, scope_.block[v])) continue;
      auto const way = way_out(v);
      if (way.destination.block == no_block) continue;
      scope_.move(v, way.destination.block);
      moved = true;
    }
    return moved;
  }

  /// The first `most` in an order of chance.
  static void thin_out(std::vector<Exit>& list, std::size_t most) {
    std::sort(list.begin(), list.end());
    if (list.size() > most) list.resize(most);
  }

  /// With whom v changes places: of those with whom that relieves at least half as much as with anybody, the cheapest
  /// of the first few.
  Vertex best_partner(Vertex v, std::vector<Exit> const& others) {
    constexpr int few = 32;
    double most = 0;
    auto const relief_with = [&](Vertex u) {
      bool const can = scope_.block[u] != scope_.block[v] && scope_.loads.is_open(scope_.block[u]);
      return can ? scope_.loads.relief_of_exchange(v, scope_.block[v], u, scope_.block[u]) : 0;
    };
    for (auto const& other : others) most = std::max(most, relief_with(other.vertex));
    if (most <= least_relief) return no_vertex;
    Vertex best = no_vertex;
    Weight best_gain = 0;
    int seen = 0;
    for (auto const& other : others) {
      Vertex const u = other.vertex;
      if (relief_with(u) < most / 2) continue;
      scope_.gather(u);
      Weight gain = scope_.affinity(u, scope_.block[v]) - scope_.affinity(u, scope_.block[u]);
      scope_.gather(v);
      gain += scope_.affinity(v, scope_.block[u]) - scope_.affinity(v, scope_.block[v]);
      if (best == no_vertex || gain > best_gain) best = u, best_gain = gain;
      if (++seen == few) break;
    }
    return best;
  }

  /// Where no vertex can leave alone, lets two of different blocks change places, the pairs that relieve most.
  bool exchange(std::uint64_t round) {
    std::vector<Exit> leaving, others;
    for (Vertex const v : scope_.vertices) {
      if (scope_.anchors.holds(v)) continue;
      others.push_back({0, scope_.noise(round, v), v});
      if (scope_.loads.relieves(v, scope_.block[v])) leaving.push_back(others.back());
    }
    constexpr std::size_t most_leaving = 256, most_others = 2048;
    thin_out(leaving, most_leaving);
    thin_out(others, most_others);
    bool exchanged = false;
    for (auto const& [price, order, v] : leaving) {
      if (!scope_.loads.relieves(v, scope_.block[v])) continue;
      Vertex const partner = best_partner(v, others);
      if (partner == no_vertex) continue;
      Block const from = scope_.block[v];
      scope_.move(v, scope_.block[partner]);
      scope_.move(partner, from);
      exchanged = true;
    }
    return exchanged;
  }

  /// Vector bin packing: large vertices first, each where the fullest weight of the block stays lowest. Kept only if
  /// everything fits then.
  void pack() {
    constexpr std::size_t most_work = std::size_t{1} << 24;
    if (scope_.vertices.size() * scope_.conn.size() > most_work) return;
    std::vector<Exit> order;
    for (Vertex const v : scope_.vertices)
      if (!scope_.anchors.holds(v)) order.push_back({-scope_.loads.size_of(v), scope_.noise(0, v), v});
    std::sort(order.begin(), order.end());
    std::vector<Block> before(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) before[i] = scope_.block[order[i].vertex];
    for (auto const& item : order) scope_.loads.take_away(item.vertex, scope_.block[item.vertex]);
    for (auto const& item : order) {
      Block best = no_block;
      double least = 0;
      for (Block b = scope_.loads.first(); b < scope_.loads.first() + scope_.loads.count(); ++b) {
        if (!scope_.loads.is_open(b)) continue;
        double const fill = scope_.loads.fill_with(item.vertex, b);
        if (best == no_block || fill < least) best = b, least = fill;
      }
      scope_.block[item.vertex] = best;
      scope_.loads.add(item.vertex, best);
    }
    if (scope_.loads.excess() == 0) return;
    for (std::size_t i = 0; i < order.size(); ++i) scope_.move(order[i].vertex, before[i]);
  }

  ScopeMoves<Objective>& scope_;
  std::vector<Block> open_;
};

}  // namespace procmap
