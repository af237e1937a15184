// SPDX-License-Identifier: MIT
#include "multilevel/exchange_to_fit.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <tuple>

#include "core/index.hpp"
#include "multilevel/exchange_prices.hpp"

namespace procmap {
namespace {

// These bound time: to a second or so.
constexpr Vertex most_vertices = 1 << 18;
constexpr Block most_blocks = 4096;

/// A vertex of a block that may leave it.
struct Member {
  Weight weight = 0;
  Vertex vertex = no_vertex;
  auto operator<=>(Member const&) const = default;
};

struct PricedMember {
  Weight price = 0;  // of its move into the block that is relieved
  Member member;
  auto operator<=>(PricedMember const&) const = default;
};

/// `out` goes to another block, and `in`, unless it is no vertex, comes from there.
struct ExchangeStep {
  Vertex out = no_vertex, in = no_vertex;
  Block from = no_block, to = no_block;
  Weight cost = 0;  // J, every edge once
  Weight gain = 0;  // overload that goes away
};

/// Steps that lower J come first, then those that raise it least per unit of overload.
bool is_better(ExchangeStep const& a, ExchangeStep const& b) {
  if (b.out == no_vertex) return true;
  if (a.cost < 0 || b.cost < 0) {
    if (a.cost != b.cost) return a.cost < b.cost;
  } else {
    auto const here = static_cast<__int128>(a.cost) * b.gain, there = static_cast<__int128>(b.cost) * a.gain;
    if (here != there) return here < there;
  }
  return std::tie(b.gain, a.out, a.in, a.to) < std::tie(a.gain, b.out, b.in, b.to);
}

/// What a step is to bring: a block takes no more than it has room for; or is overloaded itself, but less than the
/// other was; or just as much, which then has none left.
enum class Aim { fill, overload, hand_on };

/// Differences of weights, both ends included.
struct Differences {
  Weight least, most;
};

Differences differences_for(Aim aim, Weight excess, Weight room) {
  if (aim == Aim::fill) return {1, room};
  if (aim == Aim::overload) return {room + 1, excess + room - 1};
  return {excess + room, excess + room};
}

/// What is handed on counts as a unit: any such step gains as much as another.
Weight gain_of(Weight difference, Weight excess, Weight room) {
  return std::max<Weight>(std::min(difference, excess) - std::max<Weight>(difference - room, 0), 1);
}

class Exchanges {
  static constexpr Weight no_limit = std::numeric_limits<Weight>::max();

 public:
  Exchanges(HostGraph const& graph, PackingProblem const& problem, Hierarchy const& machine, std::vector<Block>& block,
            std::int64_t most_work)
      : most_work_(most_work),
        problem_(problem),
        block_(block),
        prices_(graph, machine, block),
        room_(problem.capacity.begin(), problem.capacity.end()),
        held_(room_.size(), 0),
        members_(room_.size()),
        by_price_(room_.size()),
        cheapest_(room_.size()),
        price_of_out_(room_.size()) {
    for (std::size_t v = 0; v < block.size(); ++v) {
      auto const b = index(block[v]);
      room_[b] -= problem.weight[v];
      ++held_[b];
      if (may_leave(static_cast<Vertex>(v))) members_[b].push_back({problem.weight[v], static_cast<Vertex>(v)});
    }
    for (auto& members : members_) std::ranges::sort(members);
  }

  /// Takes steps as long as they help, and hands overload on where none does. Returns whether any did.
  bool run() {
    if (least_work() > most_work_) return false;
    bool has_changed = relieve_all();
    for (; hand_on_any(); has_changed = true) relieve_all();
    return has_changed;
  }

 private:
  std::vector<Block> overloaded() const {
    std::vector<Block> blocks;
    for (std::size_t b = 0; b < room_.size(); ++b)
      if (room_[b] < 0) blocks.push_back(static_cast<Block>(b));
    std::ranges::stable_sort(blocks, {}, [&](Block b) { return room_[index(b)]; });
    return blocks;
  }

  /// Of a step or two out of every overloaded block. If there is no time for all, what repack() does is as good.
  std::int64_t least_work() const { return 4 * std::ssize(overloaded()) * std::ssize(block_); }

  /// Relieves the most overloaded blocks first, and all of them again while that helps any.
  bool relieve_all() {
    bool has_changed = false;
    for (bool has_helped = true; has_helped; has_changed |= has_helped) {
      has_helped = false;
      for (Block const b : overloaded())
        while (room_[index(b)] < 0 && relieve(b)) has_helped = true;
    }
    return has_changed;
  }

  /// Takes the best step that lowers the overload, if there is any.
  bool relieve(Block from) { return take_step(from, Aim::fill) || take_step(from, Aim::overload); }

  bool hand_on_any() {
    return std::ranges::any_of(overloaded(), [&](Block b) { return hand_on(b); });
  }

  /// Where no step out of a block helps, one out of another block may lower the same overload: hands it on from block
  /// to block, to none twice, until one is relieved. If none is, everything is as before.
  bool hand_on(Block from) {
    constexpr std::size_t most_steps = 64;
    std::vector<ExchangeStep> steps;
    was_here_.assign(room_.size(), false);
    while (steps.size() < most_steps) {
      was_here_[index(from)] = true;
      if (!take_step(from, Aim::hand_on)) break;
      steps.push_back(best_);
      from = best_.to;
      if (relieve(from)) return true;
    }
    for (; !steps.empty(); steps.pop_back()) undo(steps.back());
    return false;
  }

  /// Takes the best step out of an overloaded block, if there is any and time is left.
  bool take_step(Block from, Aim aim) {
    if (work_ > most_work_) return false;
    price_members(from);
    forget_best_step();
    look_for_step(from, aim);
    if (best_.out == no_vertex) return false;
    shift(best_.out, from, best_.to);
    if (best_.in != no_vertex) shift(best_.in, best_.to, from);
    return true;
  }

  void undo(ExchangeStep const& step) {
    shift(step.out, step.to, step.from);
    if (step.in != no_vertex) shift(step.in, step.from, step.to);
  }

  /// Blocks that `from` may give to.
  void find_places(Block from, Aim aim) {
    places_.clear();
    for (std::size_t to = 0; to < room_.size(); ++to)
      if (may_take(from, to, aim)) places_.push_back(static_cast<Block>(to));
  }

  bool may_take(Block from, std::size_t to, Aim aim) const {
    if (index(from) == to || problem_.capacity[to] == 0) return false;
    return aim == Aim::hand_on ? room_[to] >= 0 && !was_here_[to] : room_[to] > 0;
  }

  bool may_leave(Vertex v) const { return problem_.fixed.empty() || problem_.fixed[index(v)] == no_block; }

  void price_members(Block from) {
    work_ += prices_.set_target(from);
    for (auto& sorted : by_price_) sorted.clear();
    std::ranges::fill(cheapest_, 0);
    for (std::size_t v = 0; v < block_.size(); ++v) {
      auto& cheapest = cheapest_[index(block_[v])];
      if (may_leave(static_cast<Vertex>(v))) cheapest = std::min(cheapest, prices_.to_target(static_cast<Vertex>(v)));
    }
    work_ += static_cast<std::int64_t>(block_.size());
  }

  void look_for_step(Block from, Aim aim) {
    find_places(from, aim);
    for (auto const& member : members_[index(from)]) {
      if (member.weight == 0) continue;
      if (work_ > most_work_) break;
      prices_.to_all(member.vertex, price_of_out_);
      prices_.set_partner(member.vertex);
      work_ += 4 * prices_.degree(member.vertex) + 2 * static_cast<std::int64_t>(room_.size());
      for (Block const to : places_)
        if (price_of_out_[index(to)] + cheapest_[index(to)] <= most_cost_) look_for_place(member, from, to, aim);
    }
    prices_.set_partner(no_vertex);
  }

  void look_for_place(Member const& out, Block from, Block to, Aim aim) {
    Weight const excess = -room_[index(from)], room = room_[index(to)];
    Weight const price = price_of_out_[index(to)];
    if (!can_win(price + cheapest_[index(to)], excess, room)) return;
    ++work_;
    auto const differences = differences_for(aim, excess, room);
    bool const may_leave_it_empty = held_[index(from)] > 1 || problem_.capacity[index(from)] == 0;
    if (may_leave_it_empty && differences.least <= out.weight && out.weight <= differences.most)
      compare({out.vertex, no_vertex, from, to, price, gain_of(out.weight, excess, room)});
    if (problem_.capacity[index(from)] > 0) look_for_partner(out, from, to, differences);
  }

  /// Exchanges of a vertex with those of another block whose weights differ as they should: all of them if they are
  /// few, else the cheap ones until none can win.
  void look_for_partner(Member const& out, Block from, Block to, Differences differences) {
    constexpr std::ptrdiff_t few = 32, search_work = 8;
    Weight const excess = -room_[index(from)], room = room_[index(to)];
    Weight const price = price_of_out_[index(to)];
    auto const compare_with = [&](Member const& in) {
      Weight const correction = prices_.correction(in.vertex, prices_.from_target(to));
      compare({out.vertex, in.vertex, from, to, price + prices_.to_target(in.vertex) + correction,
               gain_of(out.weight - in.weight, excess, room)});
    };
    auto const& members = members_[index(to)];
    auto const first = std::ranges::lower_bound(members, out.weight - differences.most, {}, &Member::weight);
    auto const last =
        std::ranges::upper_bound(first, members.end(), out.weight - differences.least, {}, &Member::weight);
    work_ += search_work + 2 * std::min(last - first, few);
    if (last - first <= few) {
      std::for_each(first, last, compare_with);
      return;
    }
    for (auto const& [price_of_in, in] : cheap_ones_first(to)) {
      ++work_;
      if (!can_win(price + price_of_in, excess, room)) break;
      Weight const difference = out.weight - in.weight;
      if (differences.least <= difference && difference <= differences.most) compare_with(in);
    }
  }

  std::vector<PricedMember> const& cheap_ones_first(Block b) {
    auto& sorted = by_price_[index(b)];
    if (sorted.empty()) {
      for (auto const& member : members_[index(b)]) sorted.push_back({prices_.to_target(member.vertex), member});
      std::ranges::sort(sorted);
      work_ += 8 * static_cast<std::int64_t>(sorted.size());
    }
    return sorted;
  }

  /// Can a step win that costs at least so much?
  bool can_win(Weight least_cost, Weight excess, Weight room) const {
    constexpr Vertex before_all = std::numeric_limits<Vertex>::min();
    auto const most_gain = gain_of(std::min(excess, room), excess, room);
    return is_better({before_all, before_all, no_block, no_block, least_cost, most_gain}, best_);
  }

  void forget_best_step() {
    best_ = {};
    most_cost_ = no_limit;
  }

  void compare(ExchangeStep const& step) {
    if (!is_better(step, best_)) return;
    best_ = step;
    auto const at_most = static_cast<__int128>(step.cost) * -room_[index(step.from)] / step.gain;
    most_cost_ = step.cost < 0 ? step.cost : static_cast<Weight>(std::min<__int128>(at_most, no_limit));
  }

  void shift(Vertex v, Block from, Block to) {
    Member const member{problem_.weight[index(v)], v};
    auto& before = members_[index(from)];
    before.erase(std::ranges::lower_bound(before, member));
    auto& now = members_[index(to)];
    now.insert(std::ranges::lower_bound(now, member), member);
    room_[index(from)] += member.weight;
    room_[index(to)] -= member.weight;
    --held_[index(from)];
    ++held_[index(to)];
    block_[index(v)] = to;
    prices_.has_moved(v, from);
    work_ += prices_.degree(v);
  }

  std::int64_t most_work_;
  PackingProblem problem_;
  std::vector<Block>& block_;
  ExchangePrices prices_;
  std::vector<Weight> room_;                   // negative: overloaded
  std::vector<Vertex> held_;                   // vertices of every block, fixed ones too
  std::vector<std::vector<Member>> members_;   // those that may leave a block, light ones first
  std::vector<std::vector<PricedMember>> by_price_;  // the same, cheap ones first; empty if nobody asked yet
  std::vector<Weight> cheapest_;               // price of all members of a block, and of nobody
  std::vector<Weight> price_of_out_;           // of the vertex that may go, to every block
  std::vector<bool> was_here_;                 // what is handed on
  std::vector<Block> places_;                  // that may take something from the block that is relieved
  ExchangeStep best_;
  Weight most_cost_ = no_limit;  // of a step that is better than that, whatever it gains
  std::int64_t work_ = 0;
};

}  // namespace

bool may_exchange(Vertex num_vertices, Block num_blocks) {
  return num_vertices <= most_vertices && num_blocks <= most_blocks;
}

bool exchange_to_fit(HostGraph const& graph, PackingProblem const& problem, Hierarchy const& machine,
                     std::vector<Block>& block, std::int64_t most_work) {
  return Exchanges(graph, problem, machine, block, most_work).run();
}

}  // namespace procmap
