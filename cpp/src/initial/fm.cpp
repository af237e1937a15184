// SPDX-License-Identifier: MIT
#include "initial/fm.hpp"

#include <algorithm>

namespace procmap::initial {

namespace {

class Pass {
 public:
  Pass(Bisection& work, Balance const& balance) : work_(work), balance_(balance) {
    work_.moves.clear();
    auto const n = work_.graph.num_vertices;
    work_.reset_slots();
    for (Vertex v = 0; v < n; ++v)
      if (work_.on_boundary(v) && work_.slot[v] == slot_none) work_.enqueue(v);
  }

  /// Moves until nothing is left or `patience` moves in a row were no improvement, then returns to
  /// the best state; true if that is better than the first.
  bool run(std::size_t patience) {
    auto best = work_.score(balance_);
    std::size_t best_moves = 0;
    while (work_.moves.size() - best_moves <= patience) {
      auto const from = side_to_leave();
      if (work_.queue[from].empty()) break;
      move(from);
      if (auto const score = work_.score(balance_); score < best) {
        best = score;
        best_moves = work_.moves.size();
      }
    }
    for (auto i = work_.moves.size(); i > best_moves; --i) work_.flip(work_.moves[i - 1]);
    for (auto& queue : work_.queue) queue.clear();
    return best_moves > 0;
  }

 private:
  /// The overloaded side, otherwise that of the better move. Moves may overload the other side:
  /// the way to a better balanced cut often leads through an exchange.
  int side_to_leave() {
    auto const excess = [&](int side) { return work_.weight[side] - balance_.limit[side]; };
    auto const fuller = excess(1) > excess(0) ? 1 : 0;
    if (excess(fuller) > 0) {
      if (work_.queue[fuller].empty()) open_interior(fuller);
      return fuller;
    }
    if (work_.queue[0].empty() || work_.queue[1].empty()) return work_.queue[0].empty() ? 1 : 0;
    auto const u = work_.best_of(0), v = work_.best_of(1);
    auto const gap = work_.gain[u] - work_.gain[v];
    return gap != 0 ? gap < 0 : work_.tie[u] < work_.tie[v];
  }

  /// Vertices without neighbours across are the last resort of a side that is too heavy. Those
  /// without weight would not help, and use up the patience.
  void open_interior(int side) {
    if (interior_open_[side]) return;
    interior_open_[side] = true;
    for (Vertex v = 0; v < work_.graph.num_vertices; ++v)
      if (work_.side[v] == side && work_.slot[v] == slot_none && work_.graph.vertex_weights[v] > 0) work_.enqueue(v);
  }

  void move(int from) {
    auto const v = work_.best_of(from);
    work_.queue[from].pop(work_.slot);
    work_.moves.push_back(v);
    work_.flip_and_lock(v);
  }

  Bisection& work_;
  Balance const& balance_;
  std::array<bool, 2> interior_open_{};
};

}  // namespace

void refine_cut(Bisection& work, Balance const& balance, InitialConfig const& config) {
  auto const patience = static_cast<std::size_t>(
      std::max<double>(config.fm_min_stall, config.fm_stall * static_cast<double>(work.graph.num_vertices)));
  for (int pass = 0; pass < config.fm_passes; ++pass)
    if (!Pass(work, balance).run(patience)) break;
}

}  // namespace procmap::initial
