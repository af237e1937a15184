// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "refinement/weights/scope_moves.hpp"

namespace procmap {

/// Arrays per vertex that all scopes share: everybody writes entries of their own vertices only.
struct ClimbView {
  Weight* bound = nullptr;       // no move of the vertex gains more; only while it is listed
  std::uint8_t* mark = nullptr;  // one of Climb
};

enum class Climb : std::uint8_t { unlisted, listed, locked };

/// Moves single vertices of a scope, best first, out of local minima too, each only where it fits in every weight
/// (Fiduccia and Mattheyses for k blocks).
template <class Objective>
class ScopeClimber {
 public:
  ScopeClimber(ScopeMoves<Objective>& scope, ClimbView climb) : scope_(scope), climb_(climb) {}

  /// Passes while they gain anything, `most` at most. Returns by how much the cost fell; `round` counts them.
  Weight climb_up_to(int most, int& round) {
    Weight sum = 0, gained = 1;
    for (int pass = 0; pass < most && gained > 0; ++pass) sum += gained = climb(static_cast<std::uint64_t>(round++));
    return sum;
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
  struct Move {
    Vertex vertex;
    Block from;
  };

  Climb mark(Vertex v) const { return static_cast<Climb>(climb_.mark[v]); }
  void set_mark(Vertex v, Climb mark) { climb_.mark[v] = static_cast<std::uint8_t>(mark); }

  /// One pass: every vertex moves once at most, also where that costs something, and what came after the best is taken
  /// back. Returns by how much the cost fell, every edge twice.
  Weight climb(std::uint64_t round) {
    queue_ = {};
    moves_.clear();
    for (Vertex const v : scope_.vertices) set_mark(v, Climb::unlisted);
    for (Vertex const v : scope_.vertices)
      if (!scope_.anchors.holds(v) && scope_.borders(v)) list(v, round);
    auto const patience = std::clamp<std::size_t>(scope_.vertices.size() / 50, 64, 2000);
    Weight gained = 0, best = 0;
    std::size_t best_moves = 0;
    while (!queue_.empty() && moves_.size() - best_moves <= patience) {
      auto const top = queue_.top();
      queue_.pop();
      Vertex const v = top.vertex;
      if (mark(v) != Climb::listed || climb_.bound[v] != top.gain) continue;  // an old entry
      auto const now = scope_.best_fitting(v, round);
      if (now.block == no_block || now.gain < top.gain) {
        set_mark(v, now.block == no_block ? Climb::unlisted : Climb::listed);
        climb_.bound[v] = now.gain;
        if (now.block != no_block) queue_.push({now.gain, top.noise, v});
        continue;
      }
      Block const from = scope_.block[v];
      scope_.move(v, now.block);
      set_mark(v, Climb::locked);
      moves_.push_back({v, from});
      gained += now.gain;
      if (gained > best) {
        best = gained;
        best_moves = moves_.size();
      }
      raise_neighbours(v, from, round);
    }
    for (auto i = moves_.size(); i > best_moves; --i) scope_.move(moves_[i - 1].vertex, moves_[i - 1].from);
    return 2 * best;
  }

  void list(Vertex v, std::uint64_t round) {
    auto const best = scope_.best_fitting(v, round);
    set_mark(v, best.block == no_block ? Climb::unlisted : Climb::listed);
    if (best.block == no_block) return;
    climb_.bound[v] = best.gain;
    queue_.push({best.gain, scope_.noise(round, v), v});
  }

  /// Neighbours of v, which moved from `from`, gain at most so much more than before.
  void raise_neighbours(Vertex v, Block from, std::uint64_t round) {
    Block const to = scope_.block[v];
    for (Edge e = scope_.graph.begin(v); e < scope_.graph.end(v); ++e) {
      Vertex const u = scope_.graph.heads[e];
      if (mark(u) == Climb::locked || scope_.anchors.holds(u) || scope_.graph.arc_weight(e) == 0) continue;
      if (mark(u) == Climb::unlisted) {
        list(u, round);
      } else if (scope_.block[u] != to) {
        climb_.bound[u] += 2 * scope_.graph.arc_weight(e) * scope_.objective.distance(from, to);
        queue_.push({climb_.bound[u], scope_.noise(round, u), u});
      }
    }
  }

  ScopeMoves<Objective>& scope_;
  ClimbView climb_;
  std::priority_queue<Listed> queue_;
  std::vector<Move> moves_;
};

}  // namespace procmap
