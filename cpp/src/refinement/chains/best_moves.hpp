// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "core/index.hpp"
#include "exec/host_team.hpp"
#include "graph/host_graph.hpp"
#include "refinement/chains/move_arcs.hpp"
#include "refinement/chains/move_finder.hpp"

namespace procmap {

/// A move of a vertex along an arc. Of equal gains the lower vertex comes first.
struct GainedMove {
  Weight gain = 0;
  Vertex vertex = no_vertex;

  bool operator<(GainedMove const& other) const {
    return gain != other.gain ? gain < other.gain : vertex > other.vertex;
  }
};

/// The best move along every arc of the quotient graph, kept up to date while vertices move. Distance is what
/// PlaceDistances::with() hands out.
template <class Distance>
class BestMoves {
 public:
  BestMoves(HostGraph const& graph, Distance const& distance, std::vector<Block> const& fixed,
            std::vector<Block>& block, Block num_blocks, HostTeam const& team)
      : graph_(graph.view()),
        distance_(distance),
        fixed_(fixed),
        block_(block),
        num_blocks_(num_blocks),
        finder_(new_finder()),
        options_(block.size()),
        marked_(block.size(), false) {
    list_all_moves(team);
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
    found_.clear();
    for (Vertex const v : touched_) finder_.find(v, found_);
    offer(found_);
  }

  /// Arcs, distances and moves that were looked at so far.
  std::int64_t work() const { return work_ + finder_.work(); }

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

  MoveFinder<Distance> new_finder() const { return {graph_, distance_, fixed_, block_, num_blocks_}; }

  /// All threads look, and one keeps what they find, in the order of the vertices.
  void list_all_moves(HostTeam const& team) {
    constexpr Vertex vertices_per_job = 4096;
    auto const jobs = (graph_.num_vertices + vertices_per_job - 1) / vertices_per_job;
    std::vector<std::vector<OfferedMove>> found(static_cast<std::size_t>(jobs));
    std::vector<std::int64_t> work(found.size());
    team.for_each_job(jobs, [&](Edge job) {
      auto finder = new_finder();
      auto const first = static_cast<Vertex>(job) * vertices_per_job;
      auto const end = first + std::min(vertices_per_job, graph_.num_vertices - first);
      auto const at = static_cast<std::size_t>(job);
      for (Vertex v = first; v < end; ++v) finder.find(v, found[at]);
      work[at] = finder.work();
    });
    for (auto const& moves : found) offer(moves);
    work_ = std::accumulate(work.begin(), work.end(), std::int64_t{0});
  }

  void offer(std::vector<OfferedMove> const& moves) {
    for (auto const& [v, to, gain] : moves) offer(v, arc(block_[index(v)], to), gain);
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
  MoveFinder<Distance> finder_;
  MoveArcs arcs_;
  std::unordered_map<std::uint64_t, std::size_t> arc_of_;
  std::vector<GainedMove> best_;                // per arc
  std::vector<std::vector<GainedMove>> moves_;  // per arc: a heap, with moves that hold no longer
  std::vector<bool> is_stale_;                  // per arc: its best move holds no longer
  std::vector<std::size_t> stale_;
  std::vector<std::vector<Option>> options_;  // per vertex
  std::vector<bool> marked_;                  // per vertex
  std::vector<Vertex> touched_;
  std::vector<OfferedMove> found_;
  std::int64_t work_ = 0;  // of other finders
};

}  // namespace procmap
