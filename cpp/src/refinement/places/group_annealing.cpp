// SPDX-License-Identifier: MIT
#include "refinement/places/group_annealing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/hash.hpp"
#include "core/index.hpp"

namespace procmap {
namespace {

constexpr Block fewest_groups = 8;
constexpr std::int64_t tries_per_group = 8192;  // (measured)
constexpr double hottest = 0.2;                 // (measured)

/// Traffic between groups; groups that may not exchange in capacities that differ, and those with a block that stays.
struct Groups {
  HostGraph traffic;
  std::vector<Weight> capacity;
  std::vector<Block> held;  // of every group, as AnchorsView::fixed; empty if all may go
};

using Arcs = std::vector<std::pair<Block, Weight>>;

void append_row(Arcs& arcs, HostGraph& graph) {
  std::ranges::sort(arcs);
  auto const first = graph.heads.size();
  for (auto const& [head, weight] : arcs) {
    if (graph.heads.size() > first && graph.heads.back() == head) {
      graph.arc_weights.back() += weight;
      continue;
    }
    graph.heads.push_back(head);
    graph.arc_weights.push_back(weight);
  }
  graph.offsets.push_back(static_cast<Edge>(graph.heads.size()));
}

HostGraph traffic_between(HostGraph const& traffic, std::vector<Block> const& group, Block num_groups) {
  std::vector<std::vector<Vertex>> members(index(num_groups));
  for (std::size_t b = 0; b < group.size(); ++b) members[index(group[b])].push_back(static_cast<Vertex>(b));
  auto const view = traffic.view();
  HostGraph between;
  for (Block g = 0; g < num_groups; ++g) {
    Arcs arcs;
    for (Vertex const b : members[index(g)])
      for (Edge e = view.begin(b); e < view.end(b); ++e)
        if (Block const other = group[index(view.heads[e])]; other != g) arcs.emplace_back(other, view.arc_weight(e));
    append_row(arcs, between);
  }
  return between;
}

/// The number of the capacities of every group, in order, from 1.
std::vector<Weight> kinds_of_groups(std::vector<Weight> const& capacity, Block size) {
  std::map<std::vector<Weight>, Weight> kinds;
  std::vector<Weight> kind;
  for (auto first = capacity.begin(); first != capacity.end(); first += size) {
    auto const next = static_cast<Weight>(kinds.size()) + 1;
    kind.push_back(kinds.try_emplace({first, first + size}, next).first->second);
  }
  return kind;
}

std::vector<Block> held_groups(AnchorsView anchors, std::vector<Block> const& group, Block num_groups) {
  if (!anchors.fixed) return {};
  std::vector<Block> held(index(num_groups), no_block);
  for (std::size_t b = 0; b < group.size(); ++b)
    if (anchors.holds(static_cast<Vertex>(b))) held[index(group[b])] = group[b];
  return held;
}

Groups groups_of(HostGraph const& traffic, Places const& places, Block size, std::vector<Block> const& place) {
  auto const count = static_cast<Block>(places.capacity.size()) / size;
  auto group = place;
  for (Block& g : group) g /= size;
  Groups groups{traffic_between(traffic, group, count), kinds_of_groups(places.capacity, size),
                held_groups(places.anchors, group, count)};
  groups.traffic.vertex_weights.assign(index(count), Weight{count} + 1);  // fits into no other kind of group
  return groups;
}

/// One of each group stands for its distances: those of equal boxes of a grid are the same for all.
PlaceDistances distances_of_groups(Places const& places, Block size) {
  std::vector<Block> first;
  for (Block p = 0; p < static_cast<Block>(places.capacity.size()); p += size) first.push_back(p);
  return places.distance.of(first, places.team);
}

bool anneal_size(HostGraph const& traffic, Places const& places, Block size, Annealing annealing,
                 std::vector<Block>& place) {
  auto const groups = groups_of(traffic, places, size, place);
  auto const count = static_cast<Block>(groups.capacity.size());
  auto const distance = distances_of_groups(places, size);
  std::vector<Block> const no_groups{count};
  Places places_of_groups{distance, groups.capacity, no_groups, places.team};
  if (!groups.held.empty()) places_of_groups.anchors.fixed = groups.held.data();
  std::vector<Block> goes_to(index(count));
  std::iota(goes_to.begin(), goes_to.end(), 0);
  annealing.proposals = std::min(annealing.proposals, count * tries_per_group);
  annealing.most_arcs /= 4;
  annealing.seed = hash(annealing.seed, static_cast<std::uint64_t>(size));
  annealing.hottest = hottest;
  if (!anneal_places(groups.traffic, places_of_groups, annealing, goes_to)) return false;
  for (Block& p : place) p = goes_to[index(p / size)] * size + p % size;
  return true;
}

}  // namespace

bool anneal_groups(HostGraph const& traffic, Places const& places, Annealing annealing, std::vector<Block>& place) {
  auto const before = place;
  bool any = false;
  auto size = static_cast<Block>(places.capacity.size());
  for (auto parts = places.sizes.rbegin(); parts != places.sizes.rend(); ++parts) {
    size /= *parts;
    if (size < 2) break;
    if (static_cast<Block>(places.capacity.size()) / size < fewest_groups) continue;
    any = anneal_size(traffic, places, size, annealing, place) || any;
  }
  if (any && cost_of_places(traffic, places.distance, place) < cost_of_places(traffic, places.distance, before))
    return true;
  place = before;
  return false;
}

}  // namespace procmap
