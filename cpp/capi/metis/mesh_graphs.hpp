// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis.h"

namespace procmap_metis {

/// Lists of numbers, one per row: the nodes of elements, the elements of nodes, or neighbours.
struct Lists {
  std::vector<idx_t> offsets{0};
  std::vector<idx_t> values;

  std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t size(std::int64_t row) const {
    return offsets[static_cast<std::size_t>(row) + 1] - offsets[static_cast<std::size_t>(row)];
  }
  idx_t const* begin(std::int64_t row) const { return values.data() + offsets[static_cast<std::size_t>(row)]; }
  idx_t const* end(std::int64_t row) const { return values.data() + offsets[static_cast<std::size_t>(row) + 1]; }
};

/// A mesh, counting from 0.
struct Mesh {
  Lists nodes;     ///< of every element
  Lists elements;  ///< of every node
};

/// Copies and checks the arrays of a caller that counts from `first`. Throws Failure naming the first culprit.
Mesh read_mesh(idx_t const* ne, idx_t const* nn, idx_t const* eptr, idx_t const* eind, idx_t first);

/// Elements are neighbours if they share at least `ncommon` nodes, or all but one of those of either.
Lists dual_graph(Mesh const& mesh, idx_t ncommon);

/// Nodes are neighbours if they belong to the same element.
Lists nodal_graph(Mesh const& mesh);

}  // namespace procmap_metis
