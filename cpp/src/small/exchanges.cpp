// SPDX-License-Identifier: MIT
#include "small/exchanges.hpp"

#include <algorithm>
#include <vector>

#include "core/hash.hpp"
#include "small/partial_mapping.hpp"

namespace procmap {
namespace {

// Entries of tables looked at.
constexpr std::int64_t enough_exchanges = std::int64_t{1} << 19;
constexpr std::int64_t enough_of_several = std::int64_t{1} << 22;  // several weights: few changes fit
constexpr std::int64_t enough_to_fit = std::int64_t{1} << 25;  // as long as nothing feasible is known
constexpr std::uint64_t changes_per_kick = 3;

/// A vertex goes from one PE to another, or two vertices change places: then `other` goes the other way.
struct Change {
  std::size_t vertex, from, to;
  std::size_t other = 0;
  bool exchanges = false;
};

/// A whole mapping, and what every vertex would pay everywhere.
class Exchanges {
 public:
  Exchanges(SmallProblem const& problem, std::span<Block> blocks)
      : problem_(problem), blocks_(blocks), mapping_(problem), standing_(standing_of(problem, blocks)) {
    for (std::size_t v = 0; v < blocks.size(); ++v) mapping_.place(v, pe_of(v));
  }

  Standing const& standing() const { return standing_; }
  std::int64_t work() const { return work_; }

  /// Does the change if it makes the mapping better, or in any case if it may make it worse.
  bool apply(Change const& change, bool may_be_worse = false) {
    if (!is_allowed(change)) return false;
    auto const after = standing_after(change);
    if (!may_be_worse && !(after < standing_)) return false;
    standing_ = after;
    settle(change.vertex, change.to);
    if (change.exchanges) settle(change.other, change.from);
    return true;
  }

  Change move(std::size_t v, std::size_t pe) const { return {v, pe_of(v), pe}; }
  Change exchange(std::size_t u, std::size_t v) const { return {u, pe_of(u), pe_of(v), v, true}; }

  /// All changes that make it better, until there are none.
  void descend() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t v = 0; v < blocks_.size(); ++v) {
        for (std::size_t pe = 0; pe < problem_.num_pes; ++pe) changed = apply(move(v, pe)) || changed;
        for (std::size_t u = 0; u < v; ++u) changed = apply(exchange(u, v)) || changed;
      }
    }
  }

  void kick(std::uint64_t seed, std::uint64_t number) {
    for (std::uint64_t i = 0; i < changes_per_kick; ++i) {
      auto const random = [&](std::uint64_t what, std::size_t bound) {
        return static_cast<std::size_t>(hash(seed, number, changes_per_kick * what + i) % bound);
      };
      auto const v = random(0, blocks_.size());
      apply(random(1, 2) == 0 ? move(v, random(2, problem_.num_pes)) : exchange(v, random(3, blocks_.size())), true);
    }
  }

  void go_back_to(std::vector<Block> const& blocks, Standing const& standing) {
    for (std::size_t v = 0; v < blocks.size(); ++v)
      if (blocks[v] != blocks_[v]) settle(v, static_cast<std::size_t>(blocks[v]));
    standing_ = standing;
  }

 private:
  std::size_t pe_of(std::size_t v) const { return static_cast<std::size_t>(blocks_[v]); }

  bool may_go(std::size_t v, std::size_t pe) const {
    return pe_of(v) != pe && problem_.fixed[v] == no_block && !problem_.forbidden[pe];
  }

  bool is_allowed(Change const& change) {
    ++work_;
    return may_go(change.vertex, change.to) && (!change.exchanges || may_go(change.other, change.from));
  }

  /// What v pays and migrates more on another PE while all others stay.
  void add_loss(std::size_t v, std::size_t pe, Standing& standing) const {
    standing.cost += mapping_.price(v, pe) - mapping_.price(v, pe_of(v));
    standing.migrated += migration(problem_, v, pe) - migration(problem_, v, pe_of(v));
  }

  Standing standing_after(Change const& change) {
    work_ += static_cast<std::int64_t>(problem_.num_pes * (1 + problem_.num_further)) + 8;
    auto const [vertex, from, to, other, exchanges] = change;
    Standing after{.cost = standing_.cost, .migrated = standing_.migrated};
    add_loss(vertex, to, after);
    auto const further = [&](std::size_t v) { return problem_.further_load.data() + v * problem_.num_further; };
    LoadShift shift{from, to, problem_.load[vertex], 1, further(vertex)};
    if (exchanges) {
      add_loss(other, from, after);
      // Each was priced as if the other had stayed, at no distance.
      auto const traffic = problem_.traffic[vertex * problem_.num_vertices + other];
      after.cost += 2 * traffic * problem_.distance[from * problem_.num_pes + to];
      shift = {from, to, shift.load - problem_.load[other], 0, further(vertex), further(other)};
    }
    mapping_.add_balance(shift, after);
    add_total(problem_, after);
    return after;
  }

  void settle(std::size_t v, std::size_t pe) {
    work_ += static_cast<std::int64_t>(problem_.num_vertices * problem_.num_pes);
    mapping_.remove(v);
    mapping_.place(v, pe);
    blocks_[v] = static_cast<Block>(pe);
  }

  SmallProblem const& problem_;
  std::span<Block> blocks_;
  PartialMapping mapping_;
  Standing standing_;
  std::int64_t work_ = 0;
};

bool nobody_may_move(SmallProblem const& problem) {
  return problem.num_pes < 2 || std::ranges::count(problem.fixed, no_block) == 0;
}

bool fits_alone(SmallProblem const& problem, std::size_t v, std::size_t pe) {
  if (problem.forbidden[pe] || problem.load[v] > problem.capacity[pe]) return false;
  for (std::size_t i = 0; i < problem.num_further; ++i)
    if (problem.further(v, i) > problem.further_room(pe, i)) return false;
  return true;
}

/// Whether every vertex that may move has a PE that could hold it: otherwise no mapping is feasible.
bool may_fit(SmallProblem const& problem) {
  for (std::size_t v = 0; v < problem.num_vertices; ++v) {
    bool fits = problem.fixed[v] != no_block;
    for (std::size_t pe = 0; pe < problem.num_pes && !fits; ++pe) fits = fits_alone(problem, v, pe);
    if (!fits) return false;
  }
  return true;
}

}  // namespace

bool exchange_vertices(SmallProblem const& problem, std::span<Block> blocks) {
  Exchanges exchanges(problem, blocks);
  auto const before = exchanges.standing();
  exchanges.descend();
  return exchanges.standing() < before;
}

bool kick_vertices(SmallProblem const& problem, std::uint64_t seed, std::span<Block> blocks) {
  if (nobody_may_move(problem)) return false;
  Exchanges exchanges(problem, blocks);
  auto const before = exchanges.standing();
  auto best = before;
  std::vector<Block> kept(blocks.begin(), blocks.end());
  auto const enough = problem.num_further > 0 ? enough_of_several : enough_exchanges;
  auto end = best.feasible() || !may_fit(problem) ? enough : enough_to_fit;
  for (std::uint64_t number = 0; exchanges.work() < end; ++number) {
    exchanges.kick(seed, number);
    exchanges.descend();
    if (exchanges.standing() < best) {
      if (exchanges.standing().feasible() && !best.feasible()) end = exchanges.work() + enough;
      best = exchanges.standing();
      kept.assign(blocks.begin(), blocks.end());
    } else if (best < exchanges.standing()) {
      exchanges.go_back_to(kept, best);
    }
  }
  exchanges.go_back_to(kept, best);
  return best < before;
}

}  // namespace procmap
