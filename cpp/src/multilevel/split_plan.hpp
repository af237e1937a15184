// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "coarsening/coarsen.hpp"
#include "initial/initial_population.hpp"
#include "multilevel/refine_level.hpp"

namespace procmap {

/// How a split is carried out.
struct SplitPlan {
  CoarseningConfig coarsening;
  CoarseningGoal goal;
  InitialConfig initial;
  StageTask stage;
  int tournament = 1;   // members at the coarsest graph
  int population = 1;   // splits made independently ...
  double population_share = 1;  // ... of a graph with at most this share of the vertices, and combined
  int first_level = 0;  // what the finest graph is called: 0, or a level of a larger hierarchy
};

/// Device copies of a SplitTask for `members` members.
template <class Exec>
struct SplitBlocks {
  Buffer<Exec, Weight> capacity;
  Buffer<Exec, Weight> share;
  BlocksView view;
};

template <Executor Exec>
SplitBlocks<Exec> place_blocks(Exec& ex, SplitTask const& task, int members) {
  auto const per_member = task.capacity.size();
  auto const total = per_member * static_cast<std::size_t>(members);
  SplitBlocks<Exec> blocks{ex.template buffer<Weight>(total), ex.template buffer<Weight>(total), {}};
  for (std::size_t t = 0; t < static_cast<std::size_t>(members); ++t) {
    ex.upload(task.capacity.data(), static_cast<Edge>(per_member), blocks.capacity.data() + t * per_member);
    ex.upload(task.share.data(), static_cast<Edge>(per_member), blocks.share.data() + t * per_member);
  }
  blocks.view = {static_cast<Block>(total), task.parts, blocks.capacity.data(), blocks.share.data()};
  return blocks;
}

}  // namespace procmap
