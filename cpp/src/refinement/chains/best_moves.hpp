// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/index.hpp"
#include "graph/host_graph.hpp"
#include "refinement/chains/move_arcs.hpp"

namespace procmap {

/// A move of a vertex along an arc. Of equal gains the lower vertex comes first.
struct GainedMove {
  Weight gain = 0;
  Vertex vertex = no_vertex;

  bool operator<(GainedMove const& other) const {
    return gain != other.gain ? gain < other.gain : vertex > other.vertex;
  }
};

/// The best move along every arc of the quotient graph, kept up to date while vertices move. A vertex may go to the
/// blocks that it is connected to most. Hubs stay where they are: they belong nowhere in particular, and to look at
/// them again and again would take all the time. Distance is what PlaceDistances::with() hands out.
template <class Distance>
class BestMoves {
 public:
  BestMoves(HostGraph const& graph, Distance const& distance, std::vector<Block> const& fixed,
            std::vector<Block>& block, Block num_blocks)
      : graph_(graph.view()),
        distance_(distance),
        fixed_(fixed),
        block_(block),
        num_blocks_(num_blocks),
        options_(block.size()),
        marked_(block.size(), false),
        connection_(index(num_blocks), 0) {
    for (Vertex v = 0; v < graph_.num_vertices; ++v) list_moves(v);
  }

  /// What the arcs cost now.
  MoveArcs const& arcs() {
    for (auto const a : stale_) find_best(a);
    stale_.clear();
    return arcs_;
  }

  Vertex vertex(std::size_t arc) const { return best_[arc].vertex; }

  /// J of the edges of v, every edge once, if it were in block b.
  Weight cost(Vertex v, Block b) const {
    Weight sum = 0;
    for (Edge e = graph_.begin(v); e < graph_.end(v); ++e)
      if (graph_.heads[e] != v) sum += graph_.arc_weight(e) * distance(b, block_[index(graph_.heads[e])]);
    return sum;
  }

  /// Moves v; returns how much J falls. renew() must follow before arcs() is asked again.
  Weight move(Vertex v, Block to) {
    Weight const gain = cost(v, block_[index(v)]) - cost(v, to);
    block_[index(v)] = to;
    return gain;
  }

  /// These vertices have moved.
  void renew(std::vector<Vertex> const& moved) {
    touched_.clear();
    for (Vertex const v : moved) {
      touch(v);
      for (Edge e = graph_.begin(v); e < graph_.end(v); ++e) touch(graph_.heads[e]);
    }
    for (Vertex const v : touched_) {
      marked_[index(v)] = false;
      forget_moves(v);
    }
    for (Vertex const v : touched_) list_moves(v);
  }

  /// Arcs, distances and moves that were looked at so far.
  std::int64_t work() const { return work_; }

  /// v stays where it is until a neighbour moves.
  void bar(Vertex v) { forget_moves(v); }

 private:
  struct Option {
    std::size_t arc;
    Weight gain;
  };

  Weight distance(Block a, Block b) const { return distance_.from(distance_.key(a))[distance_.key(b)]; }

  void touch(Vertex v) {
    if (marked_[index(v)]) return;
    marked_[index(v)] = true;
    touched_.push_back(v);
  }

  std::size_t arc(Block from, Block to) {
    auto const name =
        static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(num_blocks_) + static_cast<std::uint64_t>(to);
    auto const [found, is_new] = arc_of_.try_emplace(name, arcs_.count());
    if (is_new) {
      arcs_.from.push_back(from);
      arcs_.to.push_back(to);
      arcs_.cost.push_back(MoveArcs::closed);
      best_.emplace_back();
      moves_.emplace_back();
      is_stale_.push_back(false);
    }
    return found->second;
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

  void list_moves(Vertex v) {
    constexpr Edge hub = 256;  // arcs
    if (graph_.degree(v) > hub || (!fixed_.empty() && fixed_[index(v)] != no_block)) return;
    Block const own = block_[index(v)];
    near_.clear();
    connect(v);
    work_ += graph_.degree(v);
    bool const is_inner = near_.empty() || (near_.size() == 1 && near_[0] == own);
    if (!is_inner) offer_moves(v, own);
    for (Block const b : near_) connection_[index(b)] = 0;
  }

  void offer_moves(Vertex v, Block own) {
    constexpr std::size_t some = 12;  // blocks
    Weight const here = cost_in(own);
    targets_ = near_;
    std::erase(targets_, own);
    auto const stronger = [&](Block a, Block b) {
      Weight const of_a = connection_[index(a)], of_b = connection_[index(b)];
      return of_a != of_b ? of_a > of_b : a < b;
    };
    if (targets_.size() > some) {
      std::ranges::nth_element(targets_, targets_.begin() + some, stronger);
      targets_.resize(some);
    }
    for (Block const b : targets_) offer(v, arc(own, b), here - cost_in(b));
    work_ += static_cast<std::int64_t>((targets_.size() + 1) * (near_.size() + 8));
  }

  Weight cost_in(Block b) const {
    auto const from = distance_.from(distance_.key(b));
    Weight sum = 0;
    for (Block const other : near_) sum += connection_[index(other)] * from[distance_.key(other)];
    return sum;
  }

  void offer(Vertex v, std::size_t a, Weight gain) {
    options_[index(v)].push_back({a, gain});
    GainedMove const move{gain, v};
    moves_[a].push_back(move);
    std::push_heap(moves_[a].begin(), moves_[a].end());
    if (is_stale_[a] || (best_[a].vertex != no_vertex && !(best_[a] < move))) return;
    set_best(a, move);
  }

  void forget_moves(Vertex v) {
    for (auto const& option : options_[index(v)]) {
      auto const a = option.arc;
      if (best_[a].vertex != v || is_stale_[a]) continue;
      is_stale_[a] = true;
      stale_.push_back(a);
    }
    options_[index(v)].clear();
  }

  /// Is this still what v gains along the arc?
  bool holds(std::size_t a, GainedMove const& move) const {
    auto const& options = options_[index(move.vertex)];
    return std::ranges::any_of(options, [&](Option const& o) { return o.arc == a && o.gain == move.gain; });
  }

  void find_best(std::size_t a) {
    auto& moves = moves_[a];
    while (!moves.empty() && !holds(a, moves.front())) {
      std::pop_heap(moves.begin(), moves.end());
      moves.pop_back();
    }
    is_stale_[a] = false;
    set_best(a, moves.empty() ? GainedMove{} : moves.front());
  }

  void set_best(std::size_t a, GainedMove const& move) {
    best_[a] = move;
    arcs_.cost[a] =
        move.vertex == no_vertex ? MoveArcs::closed : std::clamp(-move.gain, -MoveArcs::most, MoveArcs::most);
  }

  CsrView graph_;
  Distance const& distance_;
  std::vector<Block> const& fixed_;
  std::vector<Block>& block_;
  Block num_blocks_;
  MoveArcs arcs_;
  std::unordered_map<std::uint64_t, std::size_t> arc_of_;
  std::vector<GainedMove> best_;                // per arc
  std::vector<std::vector<GainedMove>> moves_;  // per arc: a heap, with moves that hold no longer
  std::vector<bool> is_stale_;                  // per arc: its best move holds no longer
  std::vector<std::size_t> stale_;
  std::vector<std::vector<Option>> options_;  // per vertex
  std::vector<bool> marked_;                  // per vertex
  std::vector<Vertex> touched_;
  std::vector<Weight> connection_;  // per block: of the vertex at hand
  std::vector<Block> near_;         // blocks where that is not zero
  std::vector<Block> targets_;      // those of them that it may go to
  std::int64_t work_ = 0;
};

}  // namespace procmap
