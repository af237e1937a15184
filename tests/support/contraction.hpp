// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/reference.hpp"

// What a coarse graph must be, rebuilt from the fine one.

namespace procmap::test {

/// The largest degree.
inline Edge longest_row(Csr const& csr) {
  Edge longest = 0;
  for (Vertex v = 0; v < csr.num_vertices(); ++v)
    longest = std::max(longest, csr.offsets[at(v) + 1] - csr.offsets[at(v)]);
  return longest;
}

/// coarse_of names num_coarse coarse vertices, every one of them at least once.
inline void expect_onto(std::vector<Vertex> const& coarse_of, Vertex num_coarse) {
  std::vector<char> named(at(num_coarse), 0);
  for (auto const c : coarse_of) {
    ASSERT_TRUE(c >= 0 && c < num_coarse) << c << " of " << num_coarse;
    named[at(c)] = 1;
  }
  ASSERT_EQ(std::ranges::count(named, 0), 0) << "coarse vertices without members";
}

inline void expect_symmetric_without_loops(Csr const& csr) {
  Arcs arcs;
  for_each_arc(csr, [&](Vertex u, Vertex v, Weight weight) {
    ASSERT_NE(u, v) << "loop";
    ASSERT_TRUE(arcs.emplace(std::pair(u, v), weight).second) << "two arcs from " << u << " to " << v;
  });
  for (auto const& [arc, weight] : arcs) {
    auto const back = arcs.find({arc.second, arc.first});
    ASSERT_TRUE(back != arcs.end() && back->second == weight) << arc.first << " to " << arc.second;
  }
}

/// `coarse` is the contraction of `fine`: same weights, same rows as sets.
inline void expect_contraction(Csr const& fine, Csr const& coarse, std::vector<Vertex> const& coarse_of) {
  ASSERT_EQ(coarse.offsets.front(), 0);
  ASSERT_EQ(coarse.offsets.back(), static_cast<Edge>(coarse.heads.size()));
  ASSERT_TRUE(std::ranges::is_sorted(coarse.offsets));
  auto const arcs = contracted_arcs(fine, coarse_of);
  auto const found = sorted_arcs(coarse);
  ASSERT_EQ(found.size(), arcs.size()) << "number of arcs";
  ASSERT_TRUE(std::ranges::equal(
      found, arcs, [](auto const& a, auto const& b) { return a.first == b.first && a.second == b.second; }));
  ASSERT_EQ(coarse.vertex_weights, weights_by(fine, coarse_of, at(coarse.num_vertices())));

  // Both follow from the rows, but hold even if the reference above is wrong.
  Weight inside = 0;
  for_each_arc(fine, [&](Vertex u, Vertex v, Weight weight) {
    if (coarse_of[at(u)] == coarse_of[at(v)]) inside += weight;
  });
  ASSERT_EQ(total_vertex_weight(coarse), total_vertex_weight(fine));
  ASSERT_EQ(total_arc_weight(coarse), total_arc_weight(fine) - inside);
  expect_symmetric_without_loops(coarse);
}

/// block[v] = coarse_block[coarse_of[v]]
inline std::vector<Block> projected(std::vector<Block> const& coarse_block, std::vector<Vertex> const& coarse_of) {
  std::vector<Block> block;
  for (auto const c : coarse_of) block.push_back(coarse_block[at(c)]);
  return block;
}

/// Any map onto 0 ... `num_coarse` - 1 (or all vertices, if there are fewer): clusters of very different sizes whose
/// members are nowhere near each other.
inline std::vector<Vertex> random_contraction(Vertex n, Vertex num_coarse, std::uint64_t seed) {
  std::vector<Vertex> coarse_of(at(n));
  for (Vertex v = 0; v < n; ++v) {
    auto const bound = 1 + random_below(num_coarse, seed, static_cast<std::uint64_t>(v), 0);
    coarse_of[at(v)] =
        v < num_coarse ? v : static_cast<Vertex>(random_below(bound, seed, static_cast<std::uint64_t>(v), 1));
  }
  return coarse_of;
}

}  // namespace procmap::test
