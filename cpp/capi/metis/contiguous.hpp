// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "metis/graph.hpp"

namespace procmap_metis {

bool is_connected(TaskGraph const& graph);

/// Gives every piece of a part but its heaviest to the neighbouring part that it has most traffic with, until each part
/// is in one piece. The graph must be connected. May make parts heavier than allowed, as METIS's does.
void make_contiguous(TaskGraph const& graph, std::int64_t parts, std::vector<std::int32_t>& part);

}  // namespace procmap_metis
