// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/host_team.hpp"
#include "graph/csr_view.hpp"
#include "graph/host_graph.hpp"
#include "refinement/places/distances.hpp"
#include "refinement/state/anchors.hpp"

namespace procmap {

/// Places on a machine, for blocks (with everything in them, or single tasks) to exchange.
struct Places {
  PlaceDistances const& distance;
  std::vector<Weight> const& capacity;  // per place
  std::vector<Block> const& sizes;      // of a hierarchy of consecutive places, innermost first
  HostTeam team;
  std::span<Weight const> limits = {};  // of several weights, per place and weight; annealing keeps to them instead
  AnchorsView anchors = {};             // blocks that stay where they are; annealing knows also what a home is worth
};

/// Places of the same capacity may exchange anything that nothing holds, others what fits; nothing goes where nothing
/// may be. Block x is on place p, y on q.
inline bool may_exchange(Places const& places, CsrView traffic, Block p, Block x, Block q, Block y) {
  if (places.anchors.holds(x) || places.anchors.holds(y)) return false;
  Weight const room_p = places.capacity[static_cast<std::size_t>(p)],
               room_q = places.capacity[static_cast<std::size_t>(q)];
  if (room_p == room_q) return true;
  return room_p > 0 && room_q > 0 && traffic.vertex_weight(x) <= room_q && traffic.vertex_weight(y) <= room_p;
}

/// How to go on when no exchange of two helps any more: `count` times some random exchanges are made, and kept if J
/// falls with what follows from them.
struct Kicks {
  int count = 0;
  int exchanges = 3;
  std::uint64_t seed = 0;
};

/// Of `wanted` repetitions of so much work, those that take no more than a second or so. An exchange changes what all
/// partners pay, which takes long if everybody talks to everybody; and mappings differ little then: of 512 ranks by
/// 0.04 % of J between 4 starts and 1 (measured).
inline int affordable(int wanted, Edge work) {
  constexpr Edge enough = Edge{1} << 28;
  return static_cast<int>(std::min<Edge>(wanted, enough / std::max<Edge>(work, 1)));
}

/// The same of random exchanges among blocks with so many arcs.
inline Kicks affordable(Kicks wanted, Edge arcs) {
  wanted.count = affordable(wanted.count, 24 * arcs);  // some ten exchanges each
  return wanted;
}

/// Exchanges groups of places, then single places, as long as that lowers J. `traffic` has a vertex per block, which
/// weighs its load. Distances are to be in a table. place[b], at first where block b is, becomes where it goes. Returns
/// whether J fell.
bool exchange_places(HostGraph const& traffic, Places const& places, Kicks kicks, std::vector<Block>& place);

}  // namespace procmap
