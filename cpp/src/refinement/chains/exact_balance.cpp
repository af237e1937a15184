// SPDX-License-Identifier: MIT
#include "refinement/chains/exact_balance.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "core/index.hpp"
#include "refinement/chains/best_moves.hpp"
#include "refinement/chains/chain_search.hpp"

namespace procmap {
namespace {

// Arcs, of graphs and of quotient graphs, distances and moves that are looked at: 2^27 take a second or so.
constexpr std::int64_t most_work = std::int64_t{1} << 30;
constexpr std::int64_t work_of_small_graphs = std::int64_t{1} << 22, work_per_arc = 512;  // to improve (measured)
constexpr std::int64_t shares = 32;  // of that work, each of which is to bring something
constexpr Weight least_of_share = 4096;  // one part of J in so many (measured)

template <class Distance>
class ExactBalance {
 public:
  ExactBalance(HostGraph const& graph, Distance const& distance, BlockSeats const& seats, HostTeam const& team,
               std::vector<Block>& block)
      : graph_(graph.view()),
        seats_(seats),
        team_(team),
        block_(block),
        count_(seats.most.size(), 0),
        moves_(graph, distance, seats.fixed, block, static_cast<Block>(seats.most.size()), team),
        chains_(static_cast<Block>(seats.most.size())) {
    for (Block const b : block) ++count_[index(b)];
  }

  bool balance() {
    move_isolated();
    for (auto sources = crowded(); !sources.empty(); sources = crowded()) {
      team_.checkpoint();
      if (work() > most_work) return false;
      chains_.search_from(moves_.arcs(), sources);
      if (!follow_cheapest(roomy()) && !move_far(sources.front())) return false;
    }
    return true;
  }

  /// Until there is nothing to gain any more, or too little of `cost`, every edge once, for the work that it takes.
  void improve(Weight cost) {
    std::int64_t const share = (work_of_small_graphs + work_per_arc * graph_.num_arcs) / shares;
    Weight const least = cost / least_of_share;
    for (int i = 0; i < shares; ++i)
      if (auto const gain = improve_until(work() + share); !gain || *gain <= least) return;
  }

 private:
  /// Returns how much J fell; nothing if no closed chain lowers it any more.
  std::optional<Weight> improve_until(std::int64_t end) {
    Weight gain = 0;
    while (work() <= end) {
      team_.checkpoint();
      auto const closed = chains_.closed_chains(moves_.arcs());
      if (closed.empty()) return std::nullopt;
      gain += follow_closed(closed);
    }
    return gain;
  }

  std::int64_t work() const { return work_ + chains_.work() + moves_.work(); }
  bool is_crowded(Block b) const { return count_[index(b)] > seats_.most[index(b)]; }
  bool has_room(Block b) const { return count_[index(b)] < seats_.most[index(b)]; }
  bool may_move(Vertex v) const { return seats_.fixed.empty() || seats_.fixed[index(v)] == no_block; }

  template <class Rule>
  std::vector<Block> blocks_that(Rule rule) const {
    std::vector<Block> blocks;
    for (Block b = 0; b < static_cast<Block>(count_.size()); ++b)
      if (rule(b)) blocks.push_back(b);
    return blocks;
  }

  std::vector<Block> crowded() const {
    return blocks_that([&](Block b) { return is_crowded(b); });
  }

  std::vector<Block> roomy() const {
    return blocks_that([&](Block b) { return has_room(b); });
  }

  Weight move(Vertex v, Block to) {
    --count_[index(block_[index(v)])];
    ++count_[index(to)];
    work_ += graph_.degree(v);
    return moves_.move(v, to);
  }

  /// Vertices without neighbours cost nothing anywhere.
  void move_isolated() {
    Block to = 0;
    auto const k = static_cast<Block>(count_.size());
    for (Vertex v = 0; v < graph_.num_vertices; ++v) {
      if (graph_.degree(v) > 0 || !may_move(v) || !is_crowded(block_[index(v)])) continue;
      while (to < k && !has_room(to)) ++to;
      if (to == k) return;
      move(v, to);
    }
  }

  /// The vertices that take the arcs of a chain move. Returns how much J falls.
  Weight follow(Chain const& chain, std::vector<Vertex>& moved) {
    auto const& arcs = moves_.arcs();
    moved.clear();
    Weight gain = 0;
    for (auto const a : chain) moved.push_back(moves_.vertex(a));
    for (std::size_t i = 0; i < chain.size(); ++i) gain += move(moved[i], arcs.to[chain[i]]);
    return gain;
  }

  /// Neighbours that move at the same time may spoil each other's gain: then nobody moves, and one of them is barred.
  /// Returns how much J falls.
  Weight follow_closed(std::vector<Chain> const& chains) {
    auto const& arcs = moves_.arcs();
    std::vector<Vertex> moved, all, barred;
    Weight all_gain = 0;
    for (auto const& chain : chains) {
      if (Weight const gain = follow(chain, moved); gain > 0) {
        all_gain += gain;
        all.insert(all.end(), moved.begin(), moved.end());
        continue;
      }
      for (std::size_t i = moved.size(); i-- > 0;) move(moved[i], arcs.from[chain[i]]);
      barred.push_back(std::ranges::max(moved));
    }
    for (Vertex const v : barred) moves_.bar(v);
    moves_.renew(all);
    return all_gain;
  }

  /// A quarter of the blocks with room, those that are reached at the least cost, take a vertex each, if their chains
  /// share no block. False if none is reached.
  bool follow_cheapest(std::vector<Block> roomy) {
    std::erase_if(roomy, [&](Block b) { return !chains_.reaches(b); });
    std::ranges::sort(roomy, {}, [&](Block b) { return std::pair(chains_.cost_to(b), b); });
    constexpr std::size_t share = 4, few = 4;
    if (roomy.size() > few) roomy.resize(std::max(few, roomy.size() / share));
    auto const& arcs = moves_.arcs();
    std::vector<bool> used(count_.size(), false);
    std::vector<Vertex> moved, all;
    for (Block const b : roomy) {
      auto const chain = chains_.chain_to(arcs, b);
      auto const is_used = [&](std::size_t a) { return used[index(arcs.from[a])] || used[index(arcs.to[a])]; };
      if (std::ranges::any_of(chain, is_used)) continue;
      for (auto const a : chain) used[index(arcs.from[a])] = used[index(arcs.to[a])] = true;
      follow(chain, moved);
      all.insert(all.end(), moved.begin(), moved.end());
    }
    moves_.renew(all);
    return !all.empty();
  }

  /// No chain leads out of these blocks: the vertex of one that loses least goes wherever there is room.
  bool move_far(Block from) {
    Vertex best = no_vertex;
    Block best_to = no_block;
    Weight least = std::numeric_limits<Weight>::max();
    auto const blocks = roomy();
    for (Vertex v = 0; v < graph_.num_vertices; ++v) {
      if (block_[index(v)] != from || !may_move(v)) continue;
      Weight const here = moves_.cost(v, from);
      for (Block const to : blocks) {
        Weight const loss = moves_.cost(v, to) - here;
        if (loss >= least) continue;
        least = loss;
        best = v;
        best_to = to;
      }
      work_ += graph_.degree(v) * static_cast<Edge>(blocks.size());
    }
    work_ += graph_.num_vertices;
    if (best == no_vertex) return false;
    move(best, best_to);
    moves_.renew({best});
    return true;
  }

  CsrView graph_;
  BlockSeats const& seats_;
  HostTeam const& team_;
  std::vector<Block>& block_;
  std::vector<Vertex> count_;  // per block
  BestMoves<Distance> moves_;
  ChainSearch chains_;
  std::int64_t work_ = 0;
};

}  // namespace

bool balance_by_chains(HostGraph const& graph, PlaceDistances const& distances, BlockSeats const& seats,
                       HostTeam const& team, std::vector<Block>& block) {
  return distances.with([&](auto const& distance) {
    ExactBalance balance(graph, distance, seats, team, block);
    bool const fits = balance.balance();
    if (fits) balance.improve(cost_of_places(graph, distances, block) / 2);
    return fits;
  });
}

}  // namespace procmap
