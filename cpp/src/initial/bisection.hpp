// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "exec/host_team.hpp"
#include "initial/balance.hpp"
#include "initial/move_queue.hpp"
#include "initial/subgraph.hpp"
#include "procmap/config.hpp"

namespace procmap::initial {

/// Quality of a bisection: less overload first, then less cut, then better balance, which leaves the next levels of the
/// machine more room.
struct Score {
  Weight overload = 0;
  Weight cut = 0;
  Weight off_target = 0;
  friend auto operator<=>(Score const&, Score const&) = default;
};

/// A subgraph in two sides, with all that follows from them.
struct Sides {
  std::array<Weight, 2> weight{};
  Weight cut = 0;
  std::vector<std::uint8_t> side;
  std::vector<Weight> gain;  // what the cut loses if the vertex moves
};

/// The bisection being improved and the scratch of the algorithms that do so. Sized once, then
/// used for one subgraph after the other.
struct Bisection : Sides {
  explicit Bisection(Vertex max_vertices);

  static constexpr std::uint8_t free = 2;  // on no side in particular

  /// Makes `graph` the one to split, all of its vertices free.
  void load(Subgraph const& graph);

  /// Makes the graph of `other` the one to split, pinned vertices included.
  void load_graph_of(Bisection const& other);

  /// Keeps `v` on `to` from the next restart on.
  void pin(Vertex v, std::uint8_t to);

  bool is_pinned(Vertex v) const { return !pinned.empty() && pinned[v] != free; }

  /// `seed` decides all ties until the next call.
  void set_ties(std::uint64_t seed);

  /// Puts every vertex on side 1, but those pinned to side 0.
  void restart();

  /// Takes every vertex out of the queues; those that are pinned may not enter one.
  void reset_slots();

  /// Moves `v` to the other side.
  void flip(Vertex v) {
    auto const to = change_side(v);
    auto* const gains = gain.data();
    auto const* const sides = side.data();
    for (auto const [arc_weight, u] : graph.arcs(v)) gains[u] += change_of_gain(sides[u] == to, arc_weight);
  }

  /// The same, and locks `v` and enqueues the neighbours it leaves behind unless they are locked.
  /// The gain of the neighbours it joins falls, which queues need not be told.
  void flip_and_lock(Vertex v) {
    auto const to = change_side(v);
    slot[v] = slot_locked;
    auto* const gains = gain.data();
    auto const* const sides = side.data();
    auto const* const slots = slot.data();
    for (auto const [arc_weight, u] : graph.arcs(v)) {
      bool const joined = sides[u] == to;
      gains[u] += change_of_gain(joined, arc_weight);
      if (!joined && slots[u] != slot_locked) enqueue(u);
    }
  }

  void enqueue(Vertex v) { queue[side[v]].raise(v, gain[v], tie[v], slot); }
  Vertex best_of(int from) { return queue[from].top(gain, slot); }

  bool on_boundary(Vertex v) const { return gain[v] + incident_weight[v] > 0; }
  Score score(Balance const& balance) const { return {balance.overload(weight), cut, balance.off_target(weight)}; }

  Subgraph graph;
  Weight total_weight = 0;              // of all vertices
  std::array<Weight, 2> pinned_weight{};
  std::vector<std::uint8_t> pinned;     // side of every pinned vertex, or `free`; empty: nobody is pinned
  std::vector<Weight> incident_weight;  // of all arcs of a vertex
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> tie;  // seeded hash in the high half, vertex in the low one

  std::array<MoveQueue, 2> queue;    // candidates to leave side 0, 1
  std::vector<Slot> slot;            // in the queue of the side of the vertex
  std::vector<Vertex> moves;         // of an FM pass, in order
  std::vector<Vertex> search_order;  // of the search for a start vertex
  Sides best;                        // of the starts so far

 private:
  static Weight change_of_gain(bool joined, Weight arc_weight) {
    return (2 - 4 * Weight{joined}) * arc_weight;  // which of the two is as good as random
  }

  std::uint8_t change_side(Vertex v) {
    auto const from = side[v];
    auto const to = static_cast<std::uint8_t>(from ^ 1);
    side[v] = to;
    weight[from] -= graph.vertex_weights[v];
    weight[to] += graph.vertex_weights[v];
    cut -= gain[v];
    gain[v] = -gain[v];
    return to;
  }
};

/// A bisection per thread that takes part; the first one is the one that counts.
using Bisections = std::vector<Bisection>;

/// Splits the graph loaded into work[0] into its sides: config.starts growings, each refined; the best wins. Some grow
/// clusters instead of vertices.
/// Several starts are refined briefly first, and only the best of them with full patience. The result does not
/// depend on the number of bisections to work with.
Score bisect(Bisections& work, Balance const& balance, InitialConfig const& config, std::uint64_t seed,
             HostTeam const& team);

}  // namespace procmap::initial
