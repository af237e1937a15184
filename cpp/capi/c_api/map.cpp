// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "c_api/handles.hpp"

namespace procmap::capi {
namespace {

/// Maps, and gives all results at once when nothing can fail any more.
void map_into(procmap_graph const* graph, Topology const& topology, procmap_options const* options,
              std::pair<int32_t*, char const*> blocks, procmap_report** report) {
  auto const& tasks = required(graph, "graph").graph;
  if (tasks.num_vertices() > 0) required(blocks.first, blocks.second);
  auto mapping = procmap::map(tasks, topology, options_of(options, tasks, topology.num_pes()));
  if (report)
    *report = new procmap_report{std::move(mapping.report), mapping.stats.seconds, std::move(mapping.stats.device)};
  std::ranges::copy(mapping.blocks, blocks.first);
}

}  // namespace
}  // namespace procmap::capi

using namespace procmap::capi;

procmap_status procmap_map(procmap_graph const* graph, procmap_topology const* topology, procmap_options const* options,
                           int32_t* pes, procmap_report** report) {
  return guarded([&] { map_into(graph, required(topology, "topology").topology, options, {pes, "pes"}, report); });
}

procmap_status procmap_partition(procmap_graph const* graph, int32_t num_blocks, procmap_options const* options,
                                 int32_t* blocks, procmap_report** report) {
  return guarded([&] { map_into(graph, procmap::Topology::flat(num_blocks), options, {blocks, "blocks"}, report); });
}

procmap_status procmap_evaluate(procmap_graph const* graph, procmap_topology const* topology,
                                procmap_options const* options, int32_t const* pes, procmap_report** report) {
  return guarded([&] {
    auto const& tasks = required(graph, "graph").graph;
    auto const& machine = required(topology, "topology").topology;
    auto& result = required(report, "report");
    if (tasks.num_vertices() > 0) required(pes, "pes");
    auto const given = options_of(options, tasks, machine.num_pes());
    auto found = procmap::evaluate(tasks, machine, std::span(pes, static_cast<std::size_t>(tasks.num_vertices())),
                                   {given.imbalance, given.threads, given.device, given.capacities, given.imbalances});
    result = new procmap_report{std::move(found), 0, ""};
  });
}
