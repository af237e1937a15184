// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "graph/host_graph.hpp"
#include "multilevel/task.hpp"
#include "refinement/state/anchors.hpp"

namespace procmap {

/// What holds tasks, on the host.
struct HostAnchors {
  std::vector<Block> fixed, home;
  std::vector<Weight> pull;

  /// Nothing holds blocks beyond the tasks.
  void cover(Block blocks) {
    for (auto* const labels : {&fixed, &home})
      if (!labels->empty()) labels->resize(static_cast<std::size_t>(blocks), no_block);
    if (!pull.empty()) pull.resize(static_cast<std::size_t>(blocks), 0);
  }
  AnchorsView view() const {
    auto const array = [](auto const& values) { return values.empty() ? nullptr : values.data(); };
    return {array(fixed), array(home), array(pull)};
  }
};

/// Blocks stay where they are with a fixed task in them.
template <HostExecutor Exec>
HostAnchors anchors_of_blocks(Exec& ex, MappingTask const& task, Vertex n) {
  HostAnchors anchors;
  if (!task.fixed) return anchors;
  anchors.fixed.resize(static_cast<std::size_t>(task.topology.num_pes()), no_block);
  for (Block const b : download_labels(ex, task.fixed, n))
    if (b != no_block) anchors.fixed[static_cast<std::size_t>(b)] = b;
  return anchors;
}

template <HostExecutor Exec>
HostAnchors download_anchors(Exec& ex, MappingTask const& task, Vertex n) {
  HostAnchors anchors{download_labels(ex, task.fixed, n), {}, {}};
  if (!task.given.pull) return anchors;
  anchors.home = download_labels(ex, task.given.pe, n);
  anchors.pull.resize(static_cast<std::size_t>(n));
  ex.download(task.given.pull, n, anchors.pull.data());
  return anchors;
}

}  // namespace procmap
