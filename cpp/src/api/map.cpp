// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/attempts.hpp"
#include "api/checked_call.hpp"
#include "api/report.hpp"
#include "backends/registry.hpp"
#include "core/hash.hpp"
#include "graph/empty_blocks.hpp"
#include "small/finish.hpp"

namespace procmap {
namespace {

/// Looks at all vertices only where those of a PE might have no weight.
Block count_empty(MapCall const& call, Mapped const& mapped) {
  auto const& pes = call.constraints.pes;
  if (pes_without(mapped.report.block_weights, pes).empty()) return 0;
  return static_cast<Block>(empty_blocks(mapped.blocks, pes).size());
}

/// Where there are few tasks and PEs, looks for the best mapping on the host, whatever device made this one.
void finish_small(MapCall const& call, Run& run, Mapped& mapped) {
  auto const& [graph, topology, options, constraints] = call;
  if (!is_small(graph, topology)) return;
  Phase phase(run, "finish");
  auto const problem = small_problem(graph, topology, options, constraints, wants_all_filled(call));
  if (finish_mapping(problem, hash(options.seed, Salt::exchange), mapped.blocks))
    mapped.report = host_backend().evaluate({graph, topology, mapped.blocks, options.threads}, 0, run);
}

/// With the peak of a device's memory, and what would have been enough if it was not.
Mapped map_in_memory_of(DeviceId const& device, Backend const& backend, MapCall const& call, Run& run) {
  backend.memory->restart_peak(device.ordinal);
  try {
    auto mapped = backend.map(call, device.ordinal, run);
    run.stats().device_memory = backend.memory->peak(device.ordinal);
    return mapped;
  } catch (DeviceOutOfMemory const& error) {
    auto const needed = estimated_megabytes(call.graph, call.topology.num_pes(), call.options.config, device);
    throw DeviceOutOfMemory(std::string(error.what()) + "; the mapping needs about " + needed);
  }
}

Mapped map_on_device(DeviceChoice const& choice, MapCall const& call, Run& run) {
  run.stats().device = choice.device.name();
  run.stats().device_reason = choice.reason;
  auto const& backend = backend_of(choice.device);
  return backend.memory ? map_in_memory_of(choice.device, backend, call, run)
                        : backend.map(call, choice.device.ordinal, run);
}

Mapping completed(MapCall const& call, Mapped mapped) {
  auto& report = mapped.report;
  complete_report(report, call.graph, mapped.blocks, call.topology, call.constraints.capacity);
  count_migration(report, mapped.blocks, call.options);
  report.empty_blocks = count_empty(call, mapped);
  if (report.empty_blocks > 0 && wants_all_filled(call)) report.feasible = false;
  return {std::move(mapped.blocks), std::move(report), {}};
}

bool keeps_fixed(Options const& options) {
  return options.fixed.empty() || std::ranges::equal(options.fixed, options.initial, [](Block fixed, Block given) {
           return fixed == no_block || fixed == given;
         });
}

/// The given mapping, if it is the better one. What improves it does not mind empty PEs until the end, when they are
/// filled, so that it may come out worse.
void keep_given_if_better(MapCall const& call, DeviceChoice const& choice, Run& run, Mapping& found) {
  auto const& [graph, topology, options, constraints] = call;
  if (!keeps_fixed(options)) return;
  std::vector<Block> blocks(options.initial.begin(), options.initial.end());
  auto report =
      backend_of(choice.device).evaluate({graph, topology, blocks, options.threads}, choice.device.ordinal, run);
  auto given = completed(call, {std::move(blocks), std::move(report)});
  if (is_better(given.report, found.report, options.migration_cost)) found = std::move(given);
}

Mapping map_once(MapCall const& call, DeviceChoice const& choice, Run& run) {
  auto mapped = map_on_device(choice, call, run);
  finish_small(call, run, mapped);
  bool const may_be_worse = mapped.filled && !call.options.initial.empty();
  auto found = completed(call, std::move(mapped));
  if (may_be_worse) keep_given_if_better(call, choice, run, found);
  return found;
}

}  // namespace

Mapping map(Graph const& graph, Topology const& topology, Options const& options) {
  auto const call = checked_call(graph, topology, options);
  return best_attempt(options, [&](Options const& attempt, Run& run) {
    return map_once(MapCall{graph, topology, attempt, call.constraints}, call.choice, run);
  });
}

Mapping partition(Graph const& graph, Block k, Options const& options) {
  return map(graph, Topology::flat(k), options);
}

}  // namespace procmap
