// SPDX-License-Identifier: MIT
#include "multilevel/exchange_prices.hpp"

#include <algorithm>

#include "topology/distance.hpp"

namespace procmap {
namespace {

Weight distance_or_zero(Hierarchy const& machine, Block a, Block b) { return a == b ? 0 : distance(machine, a, b); }

/// How much farther away what meets at this level (0 = innermost) is than what meets below it.
Weight step_of(Hierarchy const& machine, std::size_t level) {
  return machine.distances[level] - (level == 0 ? 0 : machine.distances[level - 1]);
}

}  // namespace

ExchangePrices::ExchangePrices(HostGraph const& graph, Hierarchy const& machine, std::vector<Block> const& block)
    : graph_(graph), machine_(machine), block_(block), to_target_(block.size()), traffic_(block.size(), 0) {
  Block groups = 1;
  for (Block const size : machine.sizes) groups *= size;
  from_target_.resize(index(groups));
  for (Block const size : machine.sizes) {
    within_.emplace_back(index(groups), 0);
    groups /= size;
  }
  for (std::size_t v = 0; v < block.size(); ++v) {
    here_.push_back(where_it_is(static_cast<Vertex>(v)));
    total_.push_back(0);
    for_each_arc(static_cast<Vertex>(v), [&](Vertex, Weight traffic) { total_.back() += traffic; });
  }
}

template <class F>
void ExchangePrices::for_each_arc(Vertex v, F f) const {
  for (auto e = graph_.offsets[index(v)]; e < graph_.offsets[index(v) + 1]; ++e)
    if (graph_.heads[index(e)] != v) f(graph_.heads[index(e)], graph_.arc_weights[index(e)]);
}

Weight ExchangePrices::where_it_is(Vertex v) const {
  Weight sum = 0;
  for_each_arc(v, [&](Vertex u, Weight traffic) {
    sum += traffic * distance_or_zero(machine_, block_[index(v)], block_[index(u)]);
  });
  return sum;
}

std::int64_t ExchangePrices::set_target(Block target) {
  if (target_ == target) return 0;
  target_ = target;
  for (std::size_t pe = 0; pe < from_target_.size(); ++pe)
    from_target_[pe] = distance_or_zero(machine_, target, static_cast<Block>(pe));
  // As if all neighbours were as far away as can be; those that are nearer say so.
  Weight const farthest = machine_.distances.back();
  for (std::size_t v = 0; v < here_.size(); ++v) to_target_[v] = farthest * total_[v] - here_[v];
  std::int64_t work = std::ssize(here_);
  for (std::size_t v = 0; v < here_.size(); ++v) {
    Weight const nearer = farthest - from_target_[index(block_[v])];
    if (nearer == 0) continue;
    auto const neighbour = static_cast<Vertex>(v);
    for_each_arc(neighbour, [&](Vertex u, Weight traffic) { to_target_[index(u)] -= traffic * nearer; });
    work += degree(neighbour);
  }
  return work;
}

void ExchangePrices::to_all(Vertex v, std::span<Weight> price) {
  auto const add = [&](int sign) {
    for_each_arc(v, [&](Vertex u, Weight traffic) {
      Block group = block_[index(u)];
      for (std::size_t level = 0; level < within_.size(); group /= machine_.sizes[level++])
        within_[level][index(group)] += sign * traffic;
    });
  };
  add(1);
  // What a PE saves over one that shares no group with any neighbour: first per outermost group, then inwards.
  auto const saved = price;
  saved[0] = 0;
  std::size_t outer = 1;
  for (std::size_t level = within_.size(); level-- > 0;) {
    auto const size = index(machine_.sizes[level]);
    auto const step = step_of(machine_, level);
    for (std::size_t around = outer; around-- > 0;) {  // backwards, as groups take the places of those around them
      auto const saved_around = saved[around];
      for (std::size_t group = around * size; group < (around + 1) * size; ++group)
        saved[group] = saved_around + step * within_[level][group];
    }
    outer *= size;
  }
  Weight const saved_here = saved[index(block_[index(v)])];
  for (std::size_t pe = 0; pe < outer; ++pe) price[pe] = saved_here - saved[pe];
  add(-1);
}

void ExchangePrices::has_moved(Vertex v, Block from) {
  auto const to = block_[index(v)];
  here_[index(v)] = where_it_is(v);
  to_target_[index(v)] = 0 - here_[index(v)];
  auto const farther_from_target = from_target_[index(to)] - from_target_[index(from)];
  for_each_arc(v, [&](Vertex u, Weight traffic) {
    auto const b = block_[index(u)];
    auto const farther = distance_or_zero(machine_, b, to) - distance_or_zero(machine_, b, from);
    here_[index(u)] += traffic * farther;
    to_target_[index(u)] += traffic * (farther_from_target - farther);
    to_target_[index(v)] += traffic * from_target_[index(b)];
  });
}

void ExchangePrices::set_partner(Vertex v) {
  if (partner_ != no_vertex) for_each_arc(partner_, [&](Vertex u, Weight) { traffic_[index(u)] = 0; });
  if (v != no_vertex) for_each_arc(v, [&](Vertex u, Weight traffic) { traffic_[index(u)] += traffic; });
  partner_ = v;
}

}  // namespace procmap
