// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>
#include <vector>

#include "core/index.hpp"
#include "multilevel/empty/cheapest_first.hpp"
#include "multilevel/empty/sorted_chunks.hpp"

namespace procmap {

/// Vertices by lower bounds that change, the cheapest first.
class RenewedBounds {
 public:
  /// Of a graph of `n` vertices.
  explicit RenewedBounds(Vertex n) : is_known_(index(n), false) {}

  void put(std::vector<Candidate> const& candidates) {
    for (auto const& candidate : candidates) {
      auto const [known, is_new] = bound_.try_emplace(candidate.vertex, candidate.cost);
      if (!is_new) ordered_.erase({known->second, candidate.vertex});
      known->second = candidate.cost;
      is_known_[index(candidate.vertex)] = true;
      ordered_.insert(candidate);
    }
  }

  /// Has it ever been put here?
  bool knows(Vertex v) const { return is_known_[index(v)]; }

  /// `count` of them from the i-th on, or as many as there are.
  std::vector<Candidate> from(std::size_t i, std::size_t count) const { return ordered_.from(i, count); }

  /// Forgets the i-th if gone[i].
  void drop(std::vector<char> const& gone) { ordered_.drop(gone); }

 private:
  std::vector<bool> is_known_;  // asked of every vertex that anybody looks at
  SortedChunks<Candidate> ordered_;
  std::unordered_map<Vertex, Weight> bound_;  // of those, too, that are gone
};

}  // namespace procmap
