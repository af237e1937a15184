// SPDX-License-Identifier: MIT
#include "small/search.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "small/partial_mapping.hpp"
#include "small/symmetry.hpp"

namespace procmap {
namespace {

constexpr std::int64_t enough_search = std::int64_t{1} << 20;  // entries of tables looked at

/// Fixed vertices first, then always the one with most traffic to those before it, then the heaviest.
std::vector<std::size_t> search_order(SmallProblem const& problem) {
  auto const n = problem.num_vertices;
  std::vector<Weight> attachment(n, 0);
  std::vector<std::size_t> order, left(n);
  for (std::size_t v = 0; v < n; ++v) left[v] = v;
  auto const urgency = [&](std::size_t v) {
    return std::tuple(problem.fixed[v] != no_block, attachment[v], problem.load[v], n - v);
  };
  while (!left.empty()) {
    auto const next = std::ranges::max_element(left, {}, urgency);
    auto const v = *next;
    order.push_back(v);
    left.erase(next);
    for (std::size_t u = 0; u < n; ++u) attachment[u] += problem.traffic[v * n + u];
  }
  return order;
}

class Search {
 public:
  Search(SmallProblem const& problem, std::span<Block> best)
      : problem_(problem),
        order_(search_order(problem)),
        symmetry_(problem),
        candidates_(problem.num_vertices),
        mapping_(problem),
        best_(best),
        standing_(standing_of(problem, best)) {
    for (auto& list : candidates_) list.reserve(problem.num_pes);
  }

  Found run() {
    descend(0);
    return {replaced_, work_ < enough_search};
  }

 private:
  /// Tries all PEs for the vertices from the depth-th of the order on.
  void descend(std::size_t depth) {
    work_ += static_cast<std::int64_t>(problem_.num_vertices * problem_.num_pes);
    auto const bound = mapping_.bound(standing_.feasible());
    if (!(bound < standing_)) return;
    if (depth == order_.size()) {
      standing_ = bound;
      std::ranges::copy(mapping_.blocks(), best_.begin());
      replaced_ = true;
      return;
    }
    auto const v = order_[depth];
    for (auto const pe : candidates(depth)) {
      if (work_ >= enough_search) return;
      mapping_.place(v, pe);
      descend(depth + 1);
      mapping_.remove(v);
    }
  }

  /// PEs for the depth-th vertex, the cheapest first.
  std::vector<std::size_t> const& candidates(std::size_t depth) {
    auto const v = order_[depth];
    auto& list = candidates_[depth];
    list.clear();
    for (std::size_t pe = 0; pe < problem_.num_pes; ++pe)
      if (is_worth_a_try(v, pe)) list.push_back(pe);
    std::ranges::sort(list, {}, [&](std::size_t pe) { return std::pair(mapping_.price(v, pe), pe); });
    return list;
  }

  bool is_worth_a_try(std::size_t v, std::size_t pe) const {
    if (problem_.fixed[v] != no_block) return static_cast<std::size_t>(problem_.fixed[v]) == pe;
    return !problem_.forbidden[pe] && !symmetry_.has_substitute(mapping_, pe);
  }

  SmallProblem const& problem_;
  std::vector<std::size_t> order_;
  Symmetry symmetry_;
  std::vector<std::vector<std::size_t>> candidates_;  // per depth; allocated here, as there are many nodes
  PartialMapping mapping_;
  std::span<Block> best_;
  Standing standing_;
  std::int64_t work_ = 0;
  bool replaced_ = false;
};

}  // namespace

Found find_best_mapping(SmallProblem const& problem, std::span<Block> blocks) { return Search(problem, blocks).run(); }

}  // namespace procmap
