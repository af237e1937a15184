// SPDX-License-Identifier: MIT
#pragma once

#include "core/hash.hpp"
#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Rule: how much two vertices (or a vertex and a cluster) joined by `weight` want to be one,
/// w^2 / (c(u) c(v)) (paper, matching). IEEE products and one quotient: the same on every machine.
PROCMAP_HD inline double pair_rating(Weight weight, double load_u, double load_v) {
  auto const w = static_cast<double>(weight);
  return w * w / (load_u * load_v);
}

/// What counts as load there: nothing weighs less than 1.
PROCMAP_HD inline double rated_load(Weight load) { return static_cast<double>(load > 0 ? load : 1); }

PROCMAP_HD inline double pair_rating(Weight weight, Weight load_u, Weight load_v) {
  return pair_rating(weight, rated_load(load_u), rated_load(load_v));
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
