// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "coarsening/two_hop.hpp"
#include "support/reference.hpp"

// What every clustering must fulfil. leader[v] is the leader of v's cluster, a member of it.

namespace procmap::test {

inline Vertex num_clusters(std::vector<Vertex> const& leader) {
  Vertex count = 0;
  for (std::size_t v = 0; v < leader.size(); ++v) count += leader[v] == static_cast<Vertex>(v) ? 1 : 0;
  return count;
}

inline std::vector<Vertex> cluster_sizes(std::vector<Vertex> const& leader) {
  std::vector<Vertex> size(leader.size(), 0);
  for (auto const l : leader) ++size[at(l)];
  return size;
}

/// Leaders lead themselves, nobody meets another scope, and only lone vertices are heavier than the limit. An empty
/// `scope` is a single one.
inline void expect_valid_clusters(Csr const& csr, std::vector<Vertex> const& leader, Weight max_weight,
                                  std::vector<Block> const& scope) {
  ASSERT_EQ(leader.size(), at(csr.num_vertices()));
  for (std::size_t v = 0; v < leader.size(); ++v) {
    ASSERT_TRUE(leader[v] >= 0 && leader[v] < csr.num_vertices()) << "leader of vertex " << v << " is " << leader[v];
    ASSERT_EQ(leader[at(leader[v])], leader[v]) << "vertex " << v;
    ASSERT_TRUE(scope.empty() || scope[v] == scope[at(leader[v])]) << "vertex " << v;
  }
  auto const size = cluster_sizes(leader);
  auto const weight = weights_by(csr, leader, leader.size());
  for (std::size_t l = 0; l < leader.size(); ++l)
    ASSERT_TRUE(size[l] <= 1 || weight[l] <= max_weight)
        << "cluster of vertex " << l << ": " << size[l] << " vertices weigh " << weight[l] << ", limit " << max_weight;
}

/// u and v are neighbours, have a common neighbour, or have no neighbour at all.
inline bool at_most_two_hops_apart(Csr const& csr, Vertex u, Vertex v) {
  auto const row = [&](Vertex x) {
    return std::set<Vertex>(csr.heads.begin() + csr.offsets[at(x)], csr.heads.begin() + csr.offsets[at(x) + 1]);
  };
  auto const of_u = row(u), of_v = row(v);
  if (of_u.empty() && of_v.empty()) return true;
  return of_u.contains(v) || std::ranges::any_of(of_v, [&](Vertex x) { return of_u.contains(x); });
}

inline void expect_near_pairs(Csr const& csr, std::vector<Vertex> const& leader) {
  auto const size = cluster_sizes(leader);
  for (Vertex v = 0; v < csr.num_vertices(); ++v) {
    auto const l = leader[at(v)];
    ASSERT_LE(size[at(l)], 2) << "cluster of vertex " << l;
    if (l == v) continue;
    ASSERT_LT(l, v) << "the lower vertex leads";
    ASSERT_TRUE(at_most_two_hops_apart(csr, l, v)) << l << " and " << v;
  }
}

/// Scopes as a multisection leaves them: k stretches of vertices.
inline std::vector<Block> scopes_for(Csr const& csr, Block k) {
  return k == 1 ? std::vector<Block>{} : striped_blocks(csr.num_vertices(), k);
}

}  // namespace procmap::test
