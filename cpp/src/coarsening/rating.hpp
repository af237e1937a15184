// SPDX-License-Identifier: MIT
#pragma once

#include "core/hash.hpp"
#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Rule: how much two vertices (or a vertex and a cluster) joined by `weight` want to be one,
/// w^2 / (c(u) c(v)) (paper, matching). IEEE products and one quotient: the same on every machine.
PROCMAP_HD inline double pair_rating(Weight weight, Weight load_u, Weight load_v) {
  auto const w = static_cast<double>(weight);
  auto const u = static_cast<double>(load_u > 0 ? load_u : 1);
  auto const v = static_cast<double>(load_v > 0 ? load_v : 1);
  return w * w / (u * v);
}

/// A partner and how much it is wanted; ties are broken by a seeded hash, then by id.
template <class Id>
struct BasicFavourite {
  double rating = -1;
  std::uint64_t noise = 0;
  Id id = -1;  // nobody

  PROCMAP_HD bool better_than(BasicFavourite const& other) const {
    if (rating != other.rating) return rating > other.rating;
    if (noise != other.noise) return noise > other.noise;
    return id > other.id;
  }
};

using Favourite = BasicFavourite<Vertex>;

struct BetterFavourite {
  PROCMAP_HD bool operator()(Favourite const& a, Favourite const& b) const { return a.better_than(b); }
};

}  // namespace procmap
