// SPDX-License-Identifier: MIT
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "api/device_choice.hpp"
#include "api/report.hpp"
#include "backends/registry.hpp"
#include "core/block_capacity.hpp"

namespace procmap {
namespace {

void check_blocks(Graph const& graph, Topology const& topology, std::span<Block const> blocks) {
  if (blocks.size() != static_cast<std::size_t>(graph.num_vertices()))
    throw std::invalid_argument("blocks has " + std::to_string(blocks.size()) + " entries, expected " +
                                std::to_string(graph.num_vertices()));
  auto const outside =
      std::find_if(blocks.begin(), blocks.end(), [&](Block b) { return b < 0 || b >= topology.num_pes(); });
  if (outside != blocks.end())
    throw std::invalid_argument("blocks[" + std::to_string(outside - blocks.begin()) +
                                "] = " + std::to_string(*outside) + " is outside [0, " +
                                std::to_string(topology.num_pes()) + ")");
}

}  // namespace

Report evaluate(Graph const& graph, Topology const& topology, std::span<Block const> blocks,
                EvaluateOptions const& options) {
  auto const imbalance = imbalance_of_weights(graph, options.imbalance, options.imbalances);
  check_cost_fits(graph, topology);
  check_blocks(graph, topology, blocks);
  auto capacities = reported_capacities(graph, topology, options.capacities, imbalance);
  Monitor const silent;
  Run run(silent);
  auto const device = options.device == "auto" ? graph.device() : named_device(options.device);
  auto report = backend_of(device).evaluate({graph, topology, blocks, options.threads}, device.ordinal, run);
  complete_report(report, graph, blocks, topology, std::move(capacities));
  return report;
}

}  // namespace procmap
