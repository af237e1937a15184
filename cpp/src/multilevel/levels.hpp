// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "coarsening/coarsen.hpp"
#include "exec/copies.hpp"

namespace procmap {

/// A graph, what keeps its vertices apart, and the levels above it; 0 is the graph itself.
template <class Exec>
struct Levels {
  CsrView finest;
  VertexLabels finest_labels;
  std::vector<Level<Exec>> coarser;

  std::size_t coarsest() const { return coarser.size(); }
  CsrView graph(std::size_t level) const { return level == 0 ? finest : coarser[level - 1].graph.view(); }
  CsrView coarsest_graph() const { return graph(coarsest()); }
  VertexLabels labels(std::size_t level) const {
    return level == 0 ? finest_labels : VertexLabels{coarser[level - 1].scope.data(), coarser[level - 1].fixed.data()};
  }
  VertexLabels coarsest_labels() const { return labels(coarsest()); }
  /// Where the vertices of `level` go on the next coarser one.
  Vertex const* coarse_of(std::size_t level) const { return coarser[level].coarse_of.data(); }
  /// Gives the memory of the levels above `level` back, once the mapping has come down to it.
  void drop_above(std::size_t level) {
    coarser.erase(coarser.begin() + static_cast<std::ptrdiff_t>(level), coarser.end());
  }
};

template <HostExecutor Exec>
Levels<Exec> make_levels(Exec& ex, CsrView finest, VertexLabels labels, CoarseningPlan const& plan,
                         ClusterHistory<Exec>* history = nullptr) {
  return {finest, labels, coarsen(ex, finest, labels, plan, history)};
}

/// From the level above `level` to `level`: every vertex gets the label of its coarse vertex (paper, projection), in
/// each of `copies` labellings that lie one behind the other.
template <HostExecutor Exec>
void project(Exec& ex, Levels<Exec> const& levels, std::size_t level, Block const* coarse, Block* fine,
             int copies = 1) {
  Phase phase(ex.run(), "projection");
  auto const* const coarse_of = levels.coarse_of(level);
  Vertex const n = levels.graph(level).num_vertices, num_coarse = levels.graph(level + 1).num_vertices;
  for_each_in_copies(ex, copies, n, [=] PROCMAP_LAMBDA(Edge t, Edge v) {
    fine[Edge{n} * t + v] = coarse[Edge{num_coarse} * t + coarse_of[v]];
  });
}

template <HostExecutor Exec>
Buffer<Exec, Block> projected(Exec& ex, Levels<Exec> const& levels, std::size_t level, Block const* coarse,
                              int copies = 1) {
  auto const n = static_cast<std::size_t>(levels.graph(level).num_vertices);
  auto fine = ex.template buffer<Block>(n * static_cast<std::size_t>(copies));
  project(ex, levels, level, coarse, fine.data(), copies);
  return fine;
}

/// The way back from the coarsest level to the finest: visit(level) on each, and go_down(level) from level + 1 to
/// level.
template <class Visit, class GoDown>
void uncoarsen(std::size_t coarsest, Visit visit, GoDown go_down) {
  visit(coarsest);
  for (auto level = coarsest; level > 0;) {
    go_down(--level);
    visit(level);
  }
}

}  // namespace procmap
