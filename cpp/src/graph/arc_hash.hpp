// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/hash.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Rule: two sums over arcs that are zero if every arc has a reverse arc of the same weight and, but for a chance of
/// 2^-128, only then. Which direction of an edge {u, v} an arc u->v is decides only about the sign, so that both
/// directions cancel exactly. The two sums use different inputs of `mix` and are independent.
struct ArcHash {
  std::uint64_t sum[2] = {0, 0};

  PROCMAP_HD void add(Vertex u, Vertex v, Weight weight) {
    auto const a = static_cast<std::uint32_t>(u), b = static_cast<std::uint32_t>(v);
    auto const edge = static_cast<std::uint64_t>(a < b ? a : b) << 32 | (a < b ? b : a);
    auto const w = static_cast<std::uint64_t>(weight);
    auto const negate = -static_cast<std::uint64_t>(a > b);
    sum[0] += (mix(edge + w * 0x9e3779b97f4a7c15ull) ^ negate) - negate;
    sum[1] += (mix(edge * 0xd6e8feb86659fd93ull + w * 0xc2b2ae3d27d4eb4full + 0x165667b19e3779f9ull) ^ negate) - negate;
  }
};

}  // namespace procmap
