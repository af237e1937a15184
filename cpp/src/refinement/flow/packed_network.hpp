// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "refinement/flow/network.hpp"

namespace procmap {

// A network in the fast memory of a team of many lanes. What a step of a search or a round of push-relabel waits for is
// the longest chain of answers from memory; here every answer comes from fast memory, and all lanes have about the same
// to do: the arcs of a vertex lie in packs of four, a lane looks at one pack at a time, and a hub is many packs. All
// packs are looked at in every step, most of them only to see that nothing is to be done: that is faster than to keep
// lists.
//
// Ids have 16 bits and amounts 32. What is larger than that, or than the fast memory, is solved as a FlowNetwork.
//
// A team of several blocks shares the vertices out: vertex i belongs to block i % blocks, where its packs lie. All
// blocks have levels of all vertices, since these are read most.

inline constexpr int arcs_per_pack = 4;
inline constexpr std::uint16_t no_pack = 0xffff;

/// Of the arcs of a pack, read by one access.
struct alignas(8) PackedIds {
  std::uint16_t of[arcs_per_pack];
};
struct alignas(16) PackedAmounts {
  std::int32_t of[arcs_per_pack];
};

/// What is known of a vertex, each a bit: while halves are parted (halves.hpp) which it belongs to, afterwards whether
/// it lies near the same terminal in both extreme cuts.
struct PackedFlags {
  static constexpr std::uint8_t none = 0, in_a = 1, near_source = 2, near_sink = 4;
};

struct PackedNetwork {
  Vertex num_vertices = 0;
  Vertex room = 0;  // packs that a block has room for

  // Per pack of the own block.
  FastArray<std::uint16_t> tail;     // number among the vertices of the block
  FastArray<PackedIds> head;         // its vertex itself where there is no arc
  FastArray<PackedIds> opposite;     // arc in the block of the head: arcs_per_pack * pack + place; or any
  FastArray<PackedAmounts> residual;

  // Per vertex of the own block.
  FastArray<std::uint16_t> first_pack;
  FastArray<std::int32_t> excess;
  FastArray<std::int32_t> arrived;   // in this round
  FastArray<std::int32_t> to_sink;
  FastArray<std::int32_t> lowest;    // of the heights that bound a lift
  FastArray<std::uint8_t> active;
  FastArray<std::uint8_t> flags;     // PackedFlags

  // Per vertex of the network.
  FastArray<std::uint16_t> height;   // as in FlowNetwork; in the end the steps of the search from the source

  // Of the own block.
  FastArray<Vertex> num_packs;
  FastArray<Vertex> news;  // two: the last steps that found anything
  FastArray<std::int32_t> drained;  // what the sink took; that of the first block counts

  PROCMAP_HD std::uint16_t no_way() const { return static_cast<std::uint16_t>(num_vertices + 1); }

  /// Takes room for a network with so many arcs, or less, if it is likely to hold it.
  PROCMAP_HD bool take(FastMemory& memory, Vertex vertices, Edge arcs) {
    constexpr Vertex most_vertices = std::numeric_limits<std::uint16_t>::max() - 1;
    constexpr Edge bytes_of_pack = 2 + 2 * sizeof(PackedIds) + sizeof(PackedAmounts), most_packs = 1 << 14;
    constexpr Edge bytes_of_own = 20, bytes_of_vertex = 2, reserve = 512;
    Edge const own = (vertices + memory.shares - 1) / memory.shares;
    Edge const wanted = (arcs + Edge{arcs_per_pack - 1} * vertices) / arcs_per_pack;
    Edge const left = static_cast<Edge>(memory.bytes) - bytes_of_own * own - bytes_of_vertex * vertices - reserve;
    if (vertices > most_vertices || left <= 0) return false;
    Edge const uneven = memory.shares > 1 ? wanted / memory.shares / 4 + 64 : 0;
    Edge packs = wanted / memory.shares + 1 + uneven;
    if (packs > left / bytes_of_pack) packs = left / bytes_of_pack;
    if (packs > most_packs) packs = most_packs;
    if (packs * memory.shares < wanted / 2) return false;
    num_vertices = vertices;
    room = static_cast<Vertex>(packs);
    Vertex const of_all_blocks = memory.shares;
    memory.take(residual, room * of_all_blocks);
    memory.take(head, room * of_all_blocks);
    memory.take(opposite, room * of_all_blocks);
    memory.take(tail, room * of_all_blocks);
    memory.take(excess, vertices);
    memory.take(arrived, vertices);
    memory.take(to_sink, vertices);
    memory.take(lowest, vertices);
    memory.take(first_pack, vertices);
    memory.take(active, vertices);
    memory.take(flags, vertices);
    memory.take(height, vertices * of_all_blocks);
    memory.take(num_packs, of_all_blocks);
    memory.take(news, 2 * of_all_blocks);
    memory.take(drained, of_all_blocks);
    return true;
  }

  template <class Group>
  PROCMAP_HD Vertex own_vertices(Group group) const {
    return (num_vertices - group.block() + Group::blocks - 1) / Group::blocks;
  }
  /// The vertex with a number among those of the block.
  template <class Group>
  PROCMAP_HD Vertex id(Group group, Vertex own) const {
    return own * Group::blocks + group.block();
  }
  /// What the block of vertex v has of it.
  template <class Group, class T>
  PROCMAP_HD static T& of_vertex(Group group, FastArray<T> array, Vertex v) {
    return group.of_block(group.fast(array), v % Group::blocks)[v / Group::blocks];
  }
  /// What the block of vertex v has of an arc.
  template <class Group>
  PROCMAP_HD std::int32_t& residual_of(Group group, Vertex v, Vertex arc) const {
    return group.of_block(group.fast(residual), v % Group::blocks)[arc / arcs_per_pack].of[arc % arcs_per_pack];
  }
  /// Stores a value in all blocks of a team, where each has its own of what is `own` here.
  template <class Group, class T>
  PROCMAP_HD static void tell(Group group, T* own, std::type_identity_t<T> value) {
    PROCMAP_UNROLL
    for (int b = 0; b < Group::blocks; ++b) racy_store(group.of_block(own, b), value);
  }
};

/// f(number) for the vertices of the own block, shared by its lanes.
template <class Group, class F>
PROCMAP_HD void for_own_vertices(PackedNetwork const& network, Group group, F f) {
  Vertex const count = network.own_vertices(group);
  PROCMAP_LOOP
  for (Vertex j = group.block_rank(); j < count; j += group.block_size()) f(j);
}
/// f(pack) for the packs of the own block, shared by its lanes.
template <class Group, class F>
PROCMAP_HD void for_own_packs(PackedNetwork const& network, Group group, F f) {
  Vertex const count = *group.fast(network.num_packs);
  PROCMAP_LOOP
  for (Vertex p = group.block_rank(); p < count; p += group.block_size()) f(p);
}

/// f(pack) for those packs of the own block that pass a test, shared by its lanes. A lane tests several of them before
/// it waits for an answer from memory; most packs do not pass.
template <class Group, class Test, class F>
PROCMAP_HD void for_own_packs_if(PackedNetwork const& network, Group group, Test test, F f) {
  constexpr int batch = 8;
  Vertex const count = *group.fast(network.num_packs), lanes = group.block_size();
  PROCMAP_LOOP
  for (Vertex first = group.block_rank(); first < count; first += batch * lanes) {
    unsigned passed = 0;
    PROCMAP_UNROLL
    for (int k = 0; k < batch; ++k) {
      Vertex const p = first + k * lanes;
      bool const passes = test(p < count ? p : first);
      passed |= static_cast<unsigned>(passes && p < count) << k;
    }
    PROCMAP_LOOP
    for (Vertex p = first; passed != 0; p += lanes, passed >>= 1)
      if ((passed & 1) != 0) f(p);
  }
}

/// Counts steps, of which each says whether it found anything. Two answers take turns: whoever tells in a step has
/// passed the sync behind which all have read what the step before the last one told.
struct PackedSteps {
  FastArray<Vertex> news;
  Vertex step = 0;

  /// A sync stands between this and the first answer.
  template <class Group>
  PROCMAP_HD void start(Group group) {
    if (group.block_rank() == 0) group.fast(news)[0] = group.fast(news)[1] = 0;
    step = 0;
  }
  PROCMAP_HD void next() { ++step; }
  template <class Group>
  PROCMAP_HD void tell(Group group) const {
    auto* const answer = group.fast(news) + step % 2;
    if (racy_load(answer) != step) PackedNetwork::tell(group, answer, step);
  }
  /// Did anybody tell? A sync stands between.
  template <class Group>
  PROCMAP_HD bool told(Group group) const {
    return fresh_load(group.fast(news) + step % 2) == step;
  }
};

/// Gives every vertex its packs. Returns whether there is room for all of them.
template <class Group>
PROCMAP_HD bool allot_packs(FlowNetwork const& from, PackedNetwork const& network, Group group) {
  PackedSteps too_many{network.news, 0};
  too_many.start(group);
  too_many.next();
  if (group.block_rank() == 0) {
    *group.fast(network.num_packs) = 0;
    *group.fast(network.drained) = 0;
  }
  group.sync();
  for_own_vertices(network, group, [&](Vertex j) {
    Vertex const v = network.id(group, j);
    auto const packs = static_cast<Vertex>((from.num_arcs(group, v) + arcs_per_pack - 1) / arcs_per_pack);
    Vertex const first = team_add(group, group.fast(network.num_packs), packs);
    group.fast(network.first_pack)[j] = packs > 0 ? static_cast<std::uint16_t>(first) : no_pack;
    group.fast(network.arrived)[j] = 0;
    if (first + packs > network.room) {
      too_many.tell(group);
      return;
    }
    PROCMAP_LOOP
    for (Vertex p = first; p < first + packs; ++p) group.fast(network.tail)[p] = static_cast<std::uint16_t>(j);
  });
  group.sync();
  return !too_many.told(group);
}

/// Makes the packs. Returns whether amounts have 32 bits, however they are added up.
template <class Group>
PROCMAP_HD bool fill_packs(FlowNetwork const& from, PackedNetwork const& network, Group group, bool parted) {
  Weight total = 0;
  for_own_vertices(network, group, [&](Vertex j) {
    Vertex const v = network.id(group, j);
    Weight const excess = group.item(from.excess, v), to_sink = group.item(from.to_sink, v);
    group.fast(network.excess)[j] = static_cast<std::int32_t>(excess);
    group.fast(network.to_sink)[j] = static_cast<std::int32_t>(to_sink);
    total += excess + to_sink;
    group.fast(network.flags)[j] = parted && from.near_source[v] ? PackedFlags::in_a : PackedFlags::none;
  });
  for_own_packs(network, group, [&](Vertex p) {
    Vertex const j = group.fast(network.tail)[p];
    Vertex const v = network.id(group, j);
    Edge const first = group.item(from.row_begin, v) + Edge{arcs_per_pack} * (p - group.fast(network.first_pack)[j]);
    Edge const end = group.item(from.row_end, v);
    PackedIds head, opposite;
    PackedAmounts residual;
    FlowArc arc[arcs_per_pack];
    PROCMAP_UNROLL
    for (int k = 0; k < arcs_per_pack; ++k) arc[k] = first + k < end ? from.arc[first + k] : FlowArc{v, 0, 0};
    PROCMAP_UNROLL
    for (int k = 0; k < arcs_per_pack; ++k) {
      Vertex u = arc[k].head;
      Vertex const there = PackedNetwork::of_vertex(group, network.first_pack, u);
      bool const is_gone = there == no_pack;  // it leads to what has become one with a terminal
      if (is_gone) u = v;
      head.of[k] = static_cast<std::uint16_t>(u);
      opposite.of[k] = static_cast<std::uint16_t>(is_gone ? 0 : arcs_per_pack * there + arc[k].opposite);
      residual.of[k] = static_cast<std::int32_t>(arc[k].residual);
      total += arc[k].residual;
      if (parted && first + k < end && arc[k].residual == 0) total -= from.capacity[first + k];  // closed for now
    }
    group.fast(network.head)[p] = head;
    group.fast(network.opposite)[p] = opposite;
    group.fast(network.residual)[p] = residual;
  });
  return group.sum(total) <= std::numeric_limits<std::int32_t>::max();
}

/// Packs a network, or finds that it does not fit.
template <class Group>
PROCMAP_HD bool pack(FlowNetwork const& from, PackedNetwork const& network, Group group, bool parted) {
  return allot_packs(from, network, group) && fill_packs(from, network, group, parted);
}

/// What the searches have found, for whoever looks at the FlowNetwork.
template <class Group>
PROCMAP_HD void show_sides(PackedNetwork const& network, FlowNetwork const& to, Group group) {
  for_own_vertices(network, group, [&](Vertex j) {
    Vertex const v = network.id(group, j);
    group.item(to.height, v) = (group.fast(network.flags)[j] & PackedFlags::near_sink) != 0 ? 1 : network.no_way();
    to.near_source[v] = group.fast(network.height)[v] < network.no_way();
  });
  group.sync();
}

/// Puts the preflow back.
template <class Group>
PROCMAP_HD void unpack(PackedNetwork const& network, FlowNetwork const& to, Group group) {
  for_own_vertices(network, group, [&](Vertex j) {
    Vertex const v = network.id(group, j);
    group.item(to.excess, v) = group.fast(network.excess)[j];
    group.item(to.to_sink, v) = group.fast(network.to_sink)[j];
  });
  for_own_packs(network, group, [&](Vertex p) {
    Vertex const j = group.fast(network.tail)[p];
    Vertex const v = network.id(group, j);
    Edge const first = group.item(to.row_begin, v) + Edge{arcs_per_pack} * (p - group.fast(network.first_pack)[j]);
    Edge const end = group.item(to.row_end, v);
    auto const residual = group.fast(network.residual)[p];
    PROCMAP_UNROLL
    for (int k = 0; k < arcs_per_pack; ++k)
      if (first + k < end) to.arc[first + k].residual = residual.of[k];
  });
  group.sync();
}

}  // namespace procmap
