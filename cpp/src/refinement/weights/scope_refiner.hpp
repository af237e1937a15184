// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <queue>
#include <span>
#include <vector>

#include "objective/cost.hpp"
#include "objective/objective.hpp"
#include "refinement/state/destinations.hpp"
#include "refinement/state/refinement.hpp"
#include "refinement/weights/block_loads.hpp"

namespace procmap {

/// Arrays per vertex that all scopes share: everybody writes entries of their own vertices only.
struct ClimbView {
  Weight* bound = nullptr;       // no move of the vertex gains more; only while it is listed
  std::uint8_t* mark = nullptr;  // one of Climb
};

enum class Climb : std::uint8_t { unlisted, listed, locked };

/// Refines the blocks of one scope whose vertices have several weights, on the host: brings them into balance, then
/// moves single vertices, best first, out of local minima too, each only where it fits in every weight (Fiduccia and
/// Mattheyses for k blocks; several weights: Karypis and Kumar, "Multilevel algorithms for multi-constraint graph
/// partitioning").
template <class Objective>
class ScopeRefiner {
 public:
  ScopeRefiner(RefinementProblem<Objective> const& problem, Block first, Block count, std::span<Vertex const> vertices,
               Block* block, ClimbView climb, std::uint64_t seed)
      : graph_(problem.graph),
        objective_(problem.objective),
        anchors_(problem.anchors),
        vertices_(vertices),
        block_(block),
        climb_(climb),
        seed_(seed),
        loads_(problem.graph, problem.blocks, first, count, vertices, block),
        conn_(static_cast<std::size_t>(count), 0) {}

  /// The state in which the scope is; `state` tells at the end what became of it. Overload comes first, then cost, and
  /// neither gets worse for the other.
  void run(RefinementRules const& rules, ScopeState& state) {
    state = ScopeState{};
    for (Vertex const v : vertices_)
      state.cost += vertex_cost(graph_, objective_, block_, v) + anchors_.cost(v, block_[v]);
    state.overload = loads_.excess();
    if (rules.config.rounds > 0) {
      if (state.overload > 0) {
        state.cost -= balance(rules.is_last);
        state.overload = loads_.excess();
      }
      constexpr int most_climbs = 8;
      state.cost -= climb_up_to(most_climbs, state.rounds);
    }
    state.best_cost = state.cost;
    state.best_overload = state.overload;
    state.mode = ScopeMode::done;
  }

  /// Goes on from where run() ended, if everything fits there: for some passes every block may hold a bit more than its
  /// limits, then the balance comes back. Where blocks are nearly full hardly any single move fits; so vertices change
  /// places, many at once. The first tour that gains nothing is taken back, and is the last.
  void explore(ScopeState& state) {
    constexpr int most_tours = 4, climbs_of_tour = 4;
    for (int tour = 0; tour < most_tours && state.overload == 0; ++tour) {
      std::vector<Block> before;
      for (Vertex const v : vertices_) before.push_back(block_[v]);
      loads_.loosen();
      Weight gained = climb_up_to(climbs_of_tour, state.rounds);
      loads_.tighten();
      if (loads_.excess() > 0) gained += balance(false);
      gained += climb_up_to(climbs_of_tour, state.rounds);
      if (loads_.excess() > 0 || gained <= 0) {
        for (std::size_t i = 0; i < before.size(); ++i) move(vertices_[i], before[i]);
        return;
      }
      state.best_cost = state.cost -= gained;
    }
  }

 private:
  struct Listed {
    Weight gain;
    std::uint64_t noise;
    Vertex vertex;
    bool operator<(Listed const& other) const {  // what comes out last
      if (gain != other.gain) return gain < other.gain;
      return noise != other.noise ? noise < other.noise : vertex < other.vertex;
    }
  };
  struct Exit {
    double price;  // what a unit of relief loses
    std::uint64_t noise;
    Vertex vertex;
    bool operator<(Exit const& other) const {
      if (price != other.price) return price < other.price;
      return noise != other.noise ? noise < other.noise : vertex < other.vertex;
    }
  };
  struct Move {
    Vertex vertex;
    Block from;
  };

  static constexpr double least_relief = 1e-15;  // less is what rounding leaves of nothing

  std::uint64_t noise(std::uint64_t round, Vertex v) const { return hash(seed_, round, static_cast<std::uint64_t>(v)); }
  std::size_t index(Block b) const { return static_cast<std::size_t>(b - loads_.first()); }
  Climb mark(Vertex v) const { return static_cast<Climb>(climb_.mark[v]); }
  void set_mark(Vertex v, Climb mark) { climb_.mark[v] = static_cast<std::uint8_t>(mark); }

  /// Fills conn_ and touched_: the weight from v to every adjacent block.
  void gather(Vertex v) {
    for (Block const b : touched_) conn_[index(b)] = 0;
    touched_.clear();
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Weight const weight = graph_.arc_weight(e);
      if (weight == 0) continue;
      Block const b = block_[graph_.heads[e]];
      if (conn_[index(b)] == 0) touched_.push_back(b);
      conn_[index(b)] += weight;
    }
    constexpr std::size_t most_considered = 64;
    if (ObjectiveTraits<Objective>::all_equal || touched_.size() <= most_considered) return;
    // A gain adds up the distances of all adjacent blocks, for each of them.
    std::ranges::sort(touched_, [&](Block a, Block b) {
      return conn_[index(a)] != conn_[index(b)] ? conn_[index(a)] > conn_[index(b)] : a < b;
    });
    for (std::size_t i = most_considered; i < touched_.size(); ++i) conn_[index(touched_[i])] = 0;
    touched_.resize(most_considered);
  }

  /// What v saves in b, but for what is the same everywhere; gather() comes before.
  Weight affinity(Vertex v, Block b) const {
    Weight sum = anchors_.affinity(v, b);
    if constexpr (ObjectiveTraits<Objective>::all_equal) {
      sum += conn_[index(b)];
    } else {
      for (Block const c : touched_) sum -= conn_[index(c)] * objective_.distance(b, c);
    }
    return sum;
  }

  /// The best adjacent block in which v fits.
  Destination best_fitting(Vertex v, std::uint64_t round) {
    gather(v);
    Block const own = block_[v];
    Weight const here = affinity(v, own);
    Destination best;
    auto const consider = [&](Block b) {
      if (b == own || !loads_.fits(v, b)) return;
      Destination const other{affinity(v, b) - here, hash(noise(round, v), static_cast<std::uint64_t>(b)), b};
      if (other.better_than(best)) best = other;
    };
    for (Block const b : touched_) consider(b);
    if (Block const home = anchors_.home_of(v); home != no_block) consider(home);
    return best;
  }

  bool borders(Vertex v) const {
    if (anchors_.home_of(v) != no_block && anchors_.home_of(v) != block_[v]) return true;
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e)
      if (block_[graph_.heads[e]] != block_[v]) return true;
    return false;
  }

  void move(Vertex v, Block to) {
    loads_.move(v, block_[v], to);
    block_[v] = to;
  }

  // Single moves, best first.

  void list(Vertex v, std::uint64_t round) {
    auto const best = best_fitting(v, round);
    set_mark(v, best.block == no_block ? Climb::unlisted : Climb::listed);
    if (best.block == no_block) return;
    climb_.bound[v] = best.gain;
    queue_.push({best.gain, noise(round, v), v});
  }

  /// Neighbours of v, which moved from `from`, gain at most so much more than before.
  void raise_neighbours(Vertex v, Block from, std::uint64_t round) {
    Block const to = block_[v];
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) {
      Vertex const u = graph_.heads[e];
      if (mark(u) == Climb::locked || anchors_.holds(u) || graph_.arc_weight(e) == 0) continue;
      if (mark(u) == Climb::unlisted) {
        list(u, round);
      } else if (block_[u] != to) {
        climb_.bound[u] += 2 * graph_.arc_weight(e) * objective_.distance(from, to);
        queue_.push({climb_.bound[u], noise(round, u), u});
      }
    }
  }

  /// Passes while they gain anything, `most` at most. Returns by how much the cost fell; `round` counts them.
  Weight climb_up_to(int most, int& round) {
    Weight sum = 0, gained = 1;
    for (int pass = 0; pass < most && gained > 0; ++pass) sum += gained = climb(static_cast<std::uint64_t>(round++));
    return sum;
  }

  /// One pass: every vertex moves once at most, also where that costs something, and what came after the best is taken
  /// back. Returns by how much the cost fell, every edge twice.
  Weight climb(std::uint64_t round) {
    queue_ = {};
    moves_.clear();
    for (Vertex const v : vertices_) set_mark(v, Climb::unlisted);
    for (Vertex const v : vertices_)
      if (!anchors_.holds(v) && borders(v)) list(v, round);
    auto const patience = std::clamp<std::size_t>(vertices_.size() / 50, 64, 2000);
    Weight gained = 0, best = 0;
    std::size_t best_moves = 0;
    while (!queue_.empty() && moves_.size() - best_moves <= patience) {
      auto const top = queue_.top();
      queue_.pop();
      Vertex const v = top.vertex;
      if (mark(v) != Climb::listed || climb_.bound[v] != top.gain) continue;  // an old entry
      auto const now = best_fitting(v, round);
      if (now.block == no_block || now.gain < top.gain) {
        set_mark(v, now.block == no_block ? Climb::unlisted : Climb::listed);
        climb_.bound[v] = now.gain;
        if (now.block != no_block) queue_.push({now.gain, top.noise, v});
        continue;
      }
      Block const from = block_[v];
      move(v, now.block);
      set_mark(v, Climb::locked);
      moves_.push_back({v, from});
      gained += now.gain;
      if (gained > best) {
        best = gained;
        best_moves = moves_.size();
      }
      raise_neighbours(v, from, round);
    }
    for (auto i = moves_.size(); i > best_moves; --i) move(moves_[i - 1].vertex, moves_[i - 1].from);
    return 2 * best;
  }

  // Balance.

  /// Returns by how much the cost fell, every edge twice; mostly it rises.
  Weight balance(bool is_last) {
    Weight const before = cost();
    constexpr std::uint64_t most_rounds = 64;
    for (std::uint64_t round = 0; round < most_rounds && loads_.excess() > 0; ++round)
      if (!move_out(round) && !exchange(round)) break;
    if (is_last && loads_.excess() > 0) pack();
    return before - cost();
  }

  Weight cost() const {
    Weight sum = 0;
    for (Vertex const v : vertices_) sum += vertex_cost(graph_, objective_, block_, v) + anchors_.cost(v, block_[v]);
    return sum;
  }

  /// Blocks to which vertices may go that see none with room: all, or the emptiest of many.
  void choose_open_blocks() {
    constexpr std::size_t enough = 32;
    open_.clear();
    for (Block b = loads_.first(); b < loads_.first() + loads_.count(); ++b)
      if (loads_.is_open(b)) open_.push_back(b);
    if (open_.size() <= enough) return;
    std::ranges::stable_sort(open_, {}, [&](Block b) { return loads_.fill(b); });
    open_.resize(enough);
  }

  struct Way {
    Destination destination;
    double relief = 0;
  };

  /// Where v goes to relieve its block: where it fits, best by gain, otherwise where it relieves most.
  Way way_out(Vertex v) {
    gather(v);
    Block const own = block_[v];
    Weight const here = affinity(v, own);
    Way best;
    bool fits = false;
    auto const consider = [&](Block b) {
      if (b == own || !loads_.is_open(b)) return;
      double const relief = loads_.relief(v, own, b);
      bool const fits_here = loads_.fits(v, b);
      if (relief <= least_relief || (fits && !fits_here)) return;
      Destination const other{affinity(v, b) - here, 0, b};
      bool const is_first = best.destination.block == no_block || (fits_here && !fits);
      bool const relieves_more = relief != best.relief ? relief > best.relief : b < best.destination.block;
      bool const is_better = fits_here ? other.better_than(best.destination) : relieves_more;
      if (!is_first && !is_better) return;
      best = {other, relief};
      fits = fits_here;
    };
    for (Block const b : touched_) consider(b);
    if (Block const home = anchors_.home_of(v); home != no_block) consider(home);
    for (Block const b : open_) consider(b);
    return best;
  }

  /// Moves vertices out of overloaded blocks, where a unit of relief costs least first. Did any move?
  bool move_out(std::uint64_t round) {
    choose_open_blocks();
    std::vector<Exit> exits;
    for (Vertex const v : vertices_) {
      if (anchors_.holds(v) || !loads_.relieves(v, block_[v])) continue;
      if (auto const way = way_out(v); way.destination.block != no_block)
        exits.push_back({-static_cast<double>(way.destination.gain) / way.relief, noise(round, v), v});
    }
    std::sort(exits.begin(), exits.end());
    bool moved = false;
    for (auto const& exit : exits) {
      Vertex const v = exit.vertex;
      if (!loads_.relieves(v, block_[v])) continue;
      auto const way = way_out(v);
      if (way.destination.block == no_block) continue;
      move(v, way.destination.block);
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
      bool const can = block_[u] != block_[v] && loads_.is_open(block_[u]);
      return can ? loads_.relief_of_exchange(v, block_[v], u, block_[u]) : 0;
    };
    for (auto const& other : others) most = std::max(most, relief_with(other.vertex));
    if (most <= least_relief) return no_vertex;
    Vertex best = no_vertex;
    Weight best_gain = 0;
    int seen = 0;
    for (auto const& other : others) {
      Vertex const u = other.vertex;
      if (relief_with(u) < most / 2) continue;
      gather(u);
      Weight gain = affinity(u, block_[v]) - affinity(u, block_[u]);
      gather(v);
      gain += affinity(v, block_[u]) - affinity(v, block_[v]);
      if (best == no_vertex || gain > best_gain) best = u, best_gain = gain;
      if (++seen == few) break;
    }
    return best;
  }

  /// Where no vertex can leave alone, lets two of different blocks change places, the pairs that relieve most.
  bool exchange(std::uint64_t round) {
    std::vector<Exit> leaving, others;
    for (Vertex const v : vertices_) {
      if (anchors_.holds(v)) continue;
      others.push_back({0, noise(round, v), v});
      if (loads_.relieves(v, block_[v])) leaving.push_back(others.back());
    }
    constexpr std::size_t most_leaving = 256, most_others = 2048;
    thin_out(leaving, most_leaving);
    thin_out(others, most_others);
    bool exchanged = false;
    for (auto const& [price, order, v] : leaving) {
      if (!loads_.relieves(v, block_[v])) continue;
      Vertex const partner = best_partner(v, others);
      if (partner == no_vertex) continue;
      Block const from = block_[v];
      move(v, block_[partner]);
      move(partner, from);
      exchanged = true;
    }
    return exchanged;
  }

  /// Vector bin packing: large vertices first, each where the fullest weight of the block stays lowest. Kept only if
  /// everything fits then.
  void pack() {
    constexpr std::size_t most_work = std::size_t{1} << 24;
    if (vertices_.size() * conn_.size() > most_work) return;
    std::vector<Exit> order;
    for (Vertex const v : vertices_)
      if (!anchors_.holds(v)) order.push_back({-loads_.size_of(v), noise(0, v), v});
    std::sort(order.begin(), order.end());
    std::vector<Block> before(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) before[i] = block_[order[i].vertex];
    for (auto const& item : order) loads_.take_away(item.vertex, block_[item.vertex]);
    for (auto const& item : order) {
      Block best = no_block;
      double least = 0;
      for (Block b = loads_.first(); b < loads_.first() + loads_.count(); ++b) {
        if (!loads_.is_open(b)) continue;
        double const fill = loads_.fill_with(item.vertex, b);
        if (best == no_block || fill < least) best = b, least = fill;
      }
      block_[item.vertex] = best;
      loads_.add(item.vertex, best);
    }
    if (loads_.excess() == 0) return;
    for (std::size_t i = 0; i < order.size(); ++i) move(order[i].vertex, before[i]);
  }

  CsrView graph_;
  Objective const& objective_;
  AnchorsView anchors_;
  std::span<Vertex const> vertices_;
  Block* block_;
  ClimbView climb_;
  std::uint64_t seed_;
  BlockLoads loads_;
  std::vector<Weight> conn_;    // of one vertex, per block; 0 where touched_ has none
  std::vector<Block> touched_;
  std::vector<Block> open_;
  std::priority_queue<Listed> queue_;
  std::vector<Move> moves_;
};

}  // namespace procmap
