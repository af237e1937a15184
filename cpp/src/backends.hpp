// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/run.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// A checked call of map().
struct MapCall {
  Graph const& graph;
  Topology const& topology;
  Options const& options;
  Weight pe_capacity;
};

// One entry per backend. Arguments and results are in host memory.
std::vector<Block> map_on_cpu(MapCall const& call, Run& run);
Report evaluate_on_cpu(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int threads,
                       Run& run);

}  // namespace procmap
