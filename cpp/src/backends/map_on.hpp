// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "backends/backend.hpp"
#include "multilevel/map.hpp"
#include "report/measure.hpp"

namespace procmap {

/// A host array where Exec runs; an empty one stays null.
template <HostExecutor Exec, class T>
Buffer<Exec, T> put(Exec& ex, std::span<T const> values) {
  auto buffer = ex.template buffer<T>(values.size());
  ex.upload(values.data(), static_cast<Edge>(values.size()), buffer.data());
  return buffer;
}

/// What every backend does with a call: `graph` is the graph of the call where Exec runs.
template <HostExecutor Exec>
Mapped map_on(Exec& ex, CsrView graph, MapCall const& call) {
  ex.run().stats().threads = ex.threads();
  auto const& options = call.options;
  auto const fixed = put(ex, std::span(options.fixed));
  auto const initial = put(ex, std::span(options.initial));
  auto const refuge = put(ex, std::span(call.constraints.refuge));
  auto const pull = put(ex, std::span(call.constraints.pull));
  MappingTask const task{.topology = call.topology,
                         .capacities = call.constraints.pes,
                         .total_weight = call.graph.total_vertex_weight(),
                         .config = options.config,
                         .seed = hash(options.seed, 0),
                         .fixed = fixed.data(),
                         .given = {.pe = initial.data(), .refuge = refuge.data(), .pull = pull.data()}};
  auto const block = map_to_topology(ex, graph, task);
  Mapped mapped{std::vector<Block>(block.size()), measure(ex, graph, call.topology, block.data())};
  ex.download(block.data(), static_cast<Edge>(block.size()), mapped.blocks.data());
  return mapped;
}

}  // namespace procmap
