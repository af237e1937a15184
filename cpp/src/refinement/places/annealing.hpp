// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/places/exchange.hpp"

namespace procmap {

/// How long and how to anneal.
struct Annealing {
  std::int64_t proposals = 0;  // exchanges that are tried
  std::uint64_t seed = 0;
};

/// Exchanges blocks by simulated annealing (for quadratic assignment: Burkard and Rendl, "A thermodynamically motivated
/// simulation procedure for combinatorial optimization problems"): a block and one that is close to a partner of it
/// exchange their places, at first also where J rises. `place` becomes the best met, and stays if that is no better.
/// Returns whether J fell.
bool anneal_places(HostGraph const& traffic, Places const& places, Annealing annealing, std::vector<Block>& place);

}  // namespace procmap
