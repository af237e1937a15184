// SPDX-License-Identifier: MIT
#include "initial/recursive_bisection.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>
#include <vector>

#include "core/hash.hpp"
#include "initial/bisection.hpp"

namespace procmap {

namespace {

using namespace initial;

/// Vertices [first, first + num_vertices) of a level, to be split into blocks [first_block, ...).
struct Part {
  Vertex first, num_vertices;
  Block first_block, num_blocks;
};

/// The recursion, one depth after the other: a chain of splits never becomes a chain of calls.
class Recursion {
 public:
  Recursion(CsrView graph, std::span<Weight const> capacity, InitialConfig const& config, std::uint64_t seed,
            std::span<Block> block, std::span<Block const> fixed, SlackUse slack, HostTeam const& team)
      : config_(config),
        seed_(seed),
        block_(block),
        fixed_(fixed),
        slack_(slack),
        team_(team),
        new_id_(static_cast<std::size_t>(graph.num_vertices)) {
    for (int i = 0; i < std::clamp(config.starts, 1, team.size); ++i) works_.emplace_back(graph.num_vertices);
    side_.resize(static_cast<std::size_t>(graph.num_vertices));
    auto const num_blocks = static_cast<Block>(capacity.size());
    current_.reserve(graph.num_vertices, graph.num_arcs);
    if (num_blocks > 2) next_.reserve(graph.num_vertices, graph.num_arcs);
    current_.append(graph);
    sum_capacities(capacity);
    parts_.push_back({0, graph.num_vertices, 0, num_blocks});
  }

  void run() {
    while (!parts_.empty()) {
      next_parts_.clear();
      next_.clear();
      split_all();
      for (auto const& part : parts_) hand_on(part);
      std::swap(parts_, next_parts_);
      std::swap(current_, next_);
    }
  }

 private:
  static Block first_half(Part const& part) { return (part.num_blocks + 1) / 2; }
  static Block middle_of(Part const& part) { return part.first_block + first_half(part); }

  /// Only multiples of the unit count, and more than the total weight is as good as that.
  void sum_capacities(std::span<Weight const> capacity) {
    auto const bound = capacity_bound(capacity);
    capacity_before_.reserve(capacity.size() + 1);
    capacity_before_.push_back(0);
    usable_before_.reserve(capacity.size() + 1);
    usable_before_.push_back(0);
    for (auto const c : capacity) {
      capacity_before_.push_back(capacity_before_.back() + std::clamp<Weight>(c, 0, bound) / unit_ * unit_);
      usable_before_.push_back(usable_before_.back() + (c > 0 ? 1 : 0));
    }
  }

  /// The total weight, or less where the sum of the capacities would overflow.
  Weight capacity_bound(std::span<Weight const> capacity) {
    auto const graph = current_.slice(0, static_cast<Vertex>(new_id_.size()));
    Weight total = 0, unit = 0;
    for (Vertex v = 0; v < graph.num_vertices; ++v) {
      total += graph.vertex_weights[v];
      unit = std::gcd(unit, graph.vertex_weights[v]);
    }
    unit_ = std::max<Weight>(unit, 1);
    constexpr auto max_sum = std::numeric_limits<Weight>::max() / 4;
    auto const even_share = max_sum / static_cast<Weight>(capacity.size());
    if (total <= even_share) return total;
    __int128 sum = 0;
    for (auto const c : capacity) sum += std::clamp<Weight>(c, 0, total);
    return sum <= max_sum ? total : even_share;
  }

  /// Finds the sides of all parts, at the same time if there are threads. As long as there are fewer parts than these,
  /// several share the starts of a part.
  void split_all() {
    int const count = static_cast<int>(parts_.size());
    if (team_.size == 1 || count == 1) {
      for (auto const& part : parts_) split(part, works_, team_);
      return;
    }
    int const threads = std::clamp((team_.size + count - 1) / count, 1, std::max(config_.starts, 1));
    team_.for_each_job(count, [&](Edge i) {
      auto const& part = parts_[static_cast<std::size_t>(i)];
      Bisections works(static_cast<std::size_t>(threads), Bisection(part.num_vertices));
      split(part, works, threads > 1 ? team_ : HostTeam{});
    });
  }

  void split(Part const& part, Bisections& works, HostTeam const& team) {
    auto const graph = current_.slice(part.first, part.num_vertices);
    auto& work = works.front();
    auto* const side = side_.data() + part.first;
    work.load(graph);
    if (!fixed_.empty()) pin_fixed(graph, middle_of(part), work);
    if (auto const only = only_side(part); only != Bisection::free) {
      std::fill_n(side, graph.num_vertices, only);
      return;
    }
    bisect(works, balance_of(part, work), config_,
           hash(seed_, static_cast<std::uint64_t>(part.first_block), static_cast<std::uint64_t>(part.num_blocks)),
           team);
    std::copy_n(work.side.begin(), graph.num_vertices, side);
  }

  /// The side with all the capacity; `free` if both have some, or neither.
  std::uint8_t only_side(Part const& part) const {
    auto const middle = middle_of(part);
    auto const usable = [&](Block from, Block to) { return usable_before_[to] > usable_before_[from]; };
    bool const first = usable(part.first_block, middle);
    bool const second = usable(middle, part.first_block + part.num_blocks);
    return first == second ? Bisection::free : static_cast<std::uint8_t>(second);
  }

  void pin_fixed(Subgraph const& graph, Block middle, Bisection& work) const {
    for (Vertex v = 0; v < graph.num_vertices; ++v)
      if (Block const b = fixed_[graph.origins[v]]; b != no_block) work.pin(v, static_cast<std::uint8_t>(b >= middle));
  }

  Balance balance_of(Part const& part, Bisection const& work) const {
    auto const middle = middle_of(part);
    auto const capacity = [&](Block from, Block to) { return capacity_before_[to] - capacity_before_[from]; };
    auto const depth =
        slack_ == SlackUse::at_once ? 1 : std::bit_width(static_cast<std::uint32_t>(part.num_blocks - 1));
    auto const end = part.first_block + part.num_blocks;
    auto balance = adaptive_balance(work.total_weight, {capacity(part.first_block, middle), capacity(middle, end)},
                                    static_cast<int>(depth), unit_);
    if (slack_ == SlackUse::at_once) leave_some(balance, work.total_weight);
    for (int side = 0; side < 2; ++side) balance.limit[side] = std::max(balance.limit[side], work.pinned_weight[side]);
    return balance;
  }

  /// No side is left with next to nothing: refinement would empty it, and to fill an empty block, or all PEs of an
  /// empty node, may cost more than what was saved.
  static void leave_some(Balance& balance, Weight weight) {
    constexpr Weight least = 16;  // of what a side should weigh it gets one part in so many (measured)
    auto const for_other = [](Weight share) { return share / least + (share % least > 0); };
    balance.limit[0] = std::min(balance.limit[0], weight - for_other(weight - balance.target));
    balance.limit[1] = std::min(balance.limit[1], weight - for_other(balance.target));
  }

  /// Hands both sides of a part on.
  void hand_on(Part const& part) {
    auto const graph = current_.slice(part.first, part.num_vertices);
    descend(graph, part, 0, part.first_block, first_half(part));
    descend(graph, part, 1, middle_of(part), part.num_blocks - first_half(part));
  }

  /// Hands one side of a part to the next depth, or to its block.
  void descend(Subgraph const& graph, Part const& part, std::uint8_t side, Block first_block, Block num_blocks) {
    std::span const sides =
        std::span(side_).subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.num_vertices));
    auto const size = static_cast<Vertex>(std::ranges::count(sides, side));
    if (size == 0) return;
    if (num_blocks > 1) {
      auto const first = next_.append_side(graph, sides, side, new_id_);
      next_parts_.push_back({first, size, first_block, num_blocks});
      return;
    }
    for (Vertex v = 0; v < graph.num_vertices; ++v)
      if (sides[static_cast<std::size_t>(v)] == side) block_[graph.origins[v]] = first_block;
  }

  InitialConfig const& config_;
  std::uint64_t seed_;
  std::span<Block> block_;
  std::span<Block const> fixed_;  // empty: nobody
  SlackUse slack_;
  HostTeam const& team_;
  Level current_, next_;
  Bisections works_;  // for one part at a time
  std::vector<std::uint8_t> side_;  // of the vertices of `current_`
  std::vector<Vertex> new_id_;  // of the vertices of one side
  std::vector<Part> parts_, next_parts_;
  std::vector<Weight> capacity_before_;  // of the blocks below an id
  std::vector<Block> usable_before_;      // blocks below an id that have any capacity
  Weight unit_ = 1;                      // divides all vertex weights and capacities
};

}  // namespace

void recursive_bisection(CsrView graph, std::span<Weight const> capacity, InitialConfig const& config,
                         std::uint64_t seed, std::span<Block> block, std::span<Block const> fixed, HostTeam const& team,
                         SlackUse slack) {
  assert(!capacity.empty() && block.size() == static_cast<std::size_t>(graph.num_vertices));
  if (capacity.size() == 1) {
    std::fill(block.begin(), block.end(), Block{0});
    return;
  }
  if (graph.num_vertices > 0) Recursion(graph, capacity, config, seed, block, fixed, slack, team).run();
}

}  // namespace procmap
