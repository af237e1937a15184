// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/places/exchange.hpp"

namespace procmap {

constexpr Edge annealed_arcs = Edge{1} << 28;

/// How long and how to anneal.
struct Annealing {
  std::int64_t proposals = 0;  // exchanges that are tried, at most those that look at so many arcs
  std::uint64_t seed = 0;
  double hottest = 0.15;  // the first temperature, of what an exchange changes on average (measured)
  Edge most_arcs = annealed_arcs;  // some seconds
  Block tasks = 0;  // the first blocks; the others are spare seats of their places. 0: there are none
};

/// Of blocks or ranks twice as many where there are too many places for a table of their distances (measured).
inline Edge arcs_to_anneal(PlaceDistances const& distance) {
  return distance.in_table() ? annealed_arcs : 2 * annealed_arcs;
}

/// How many exchanges are tried: each looks at all arcs of two blocks.
std::int64_t affordable_proposals(HostGraph const& traffic, Annealing const& annealing);

/// Exchanges blocks by simulated annealing (for quadratic assignment: Burkard and Rendl, "A thermodynamically motivated
/// simulation procedure for combinatorial optimization problems"): a block and one that is close to a partner of it
/// exchange their places, at first also where J rises. Where there is not one block on each place, blocks exchange if
/// no place gets fuller than it may be, and a task goes to a spare seat alone unless that leaves its place without any.
/// Blocks that anchors hold stay, and those away from home pay for it. `place` becomes the best met, and stays if
/// that is no better. Returns whether J, with what is paid, fell.
bool anneal_places(HostGraph const& traffic, Places const& places, Annealing annealing, std::vector<Block>& place);

/// The same for as long in all, half of it from a hotter start, at the same time: the better result. What is far from
/// the best mapping needs heat, what is close loses by it (measured).
bool anneal_cool_and_hot(HostGraph const& traffic, Places const& places, Annealing annealing,
                         std::vector<Block>& place);

}  // namespace procmap
