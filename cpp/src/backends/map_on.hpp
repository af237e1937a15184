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

/// Is the largest degree so many times the average?
template <HostExecutor Exec>
bool is_skewed(Exec& ex, CsrView graph, double times) {
  Vertex const n = graph.num_vertices;
  if (n == 0) return false;
  auto const largest = ex.max(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return graph.degree(static_cast<Vertex>(v)); });
  return static_cast<double>(largest) * n > times * static_cast<double>(graph.num_arcs);
}

/// The configuration, without annealing if that is not for this graph.
template <HostExecutor Exec>
Config config_for(Exec& ex, CsrView graph, Config config) {
  auto& refinement = config.refinement;
  if (refinement.annealing_steps > 1 && is_skewed(ex, graph, refinement.annealing_skew)) refinement.annealing_steps = 1;
  return config;
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
  auto const config = config_for(ex, graph, options.config);
  MappingTask const task{.topology = call.topology,
                         .capacities = call.constraints.pes,
                         .total_weight = call.graph.total_vertex_weight(),
                         .config = config,
                         .seed = hash(options.seed, 0),
                         .fixed = fixed.data(),
                         .given = {.pe = initial.data(), .refuge = refuge.data(), .pull = pull.data()}};
  auto const block = map_to_topology(ex, graph, task);
  Mapped mapped{std::vector<Block>(block.size()), measure(ex, graph, call.topology, block.data())};
  ex.download(block.data(), static_cast<Edge>(block.size()), mapped.blocks.data());
  return mapped;
}

}  // namespace procmap
