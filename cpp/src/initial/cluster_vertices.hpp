// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "initial/bisection.hpp"

namespace procmap::initial {

/// The cluster of every vertex, from 0.
struct Clusters {
  std::vector<Vertex> of;
  Vertex count = 0;
};

/// Joins vertices, in the order of their ties, to the neighbouring cluster that they want most (`pair_rating`), until
/// `wanted` clusters are left or nobody may join any more: a cluster weighs at most `max_weight`, and its vertices are
/// all pinned to the same side or all free.
Clusters cluster_vertices(Bisection const& work, Vertex wanted, Weight max_weight);

}  // namespace procmap::initial
