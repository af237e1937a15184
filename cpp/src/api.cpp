// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>

#include "attempts.hpp"
#include "backends.hpp"
#include "core/empty_blocks.hpp"
#include "device.hpp"

namespace procmap {
namespace {

void check_imbalance(double imbalance) {
  if (!std::isfinite(imbalance) || imbalance < 0)
    throw ConfigError("imbalance = " + std::to_string(imbalance) + " is not a finite number >= 0");
}

struct Share {
  __int128 whole;
  bool more;  // and a fraction
};

// imbalance * weight. The imbalance is the shortest decimal number that reads back as the double, so that 10 %
// of 10 is 1 and not a little more.
Share share_of(Weight weight, double imbalance) {
  char text[32];  // d.ddde+xx
  auto const end = std::to_chars(text, std::end(text), imbalance, std::chars_format::scientific).ptr;
  auto const* const e = std::find(text, end, 'e');
  __int128 product = 0;
  for (auto const* c = text; c != e; ++c)
    if (*c != '.') product = 10 * product + (*c - '0');
  product *= weight;  // below 10^17 * 2^62

  int exponent = 0;
  std::from_chars(e + (e[1] == '+' ? 2 : 1), end, exponent);
  if (e - text > 2) exponent -= static_cast<int>(e - text) - 2;  // digits behind the point
  for (; exponent > 0; --exponent) product *= 10;
  bool more = false;
  for (; exponent < 0 && product > 0; ++exponent) {
    more = more || product % 10 != 0;
    product /= 10;
  }
  return {product, more};
}

// J and everything the engine sums up stay below 2^62.
void check_cost_fits(Graph const& graph, Topology const& topology) {
  constexpr auto limit = static_cast<__int128>(1) << 62;
  auto const largest = static_cast<__int128>(graph.total_arc_weight()) * topology.max_distance();
  if (largest >= limit)
    throw std::overflow_error("the mapping cost could exceed 2^62: total traffic " +
                              std::to_string(graph.total_arc_weight()) + " (both directions) at distance " +
                              std::to_string(topology.max_distance()) + "; scale the weights down");
}

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

void complete_report(Report& report, Graph const& graph, Topology const& topology, std::vector<Weight> capacities) {
  report.capacities = std::move(capacities);
  report.capacity = *std::max_element(report.capacities.begin(), report.capacities.end());
  report.max_block_weight = *std::max_element(report.block_weights.begin(), report.block_weights.end());
  report.feasible = std::equal(report.block_weights.begin(), report.block_weights.end(), report.capacities.begin(),
                               [](Weight load, Weight capacity) { return load <= capacity; });
  auto const average = static_cast<double>(graph.total_vertex_weight()) / topology.num_pes();
  report.imbalance = average > 0 ? static_cast<double>(report.max_block_weight) / average - 1.0 : 0.0;
}

#if defined(PROCMAP_HAS_CUDA)
CudaMapping map_in_memory_of(int device, MapCall const& call, Run& run) {
  restart_memory_peak(device);
  try {
    auto mapping = map_on_cuda(call, device, run);
    run.stats().device_memory = memory_peak(device);
    return mapping;
  } catch (DeviceOutOfMemory const& error) {
    auto const needed = estimated_megabytes(call.graph, call.topology.num_pes(), call.options.config, device);
    throw DeviceOutOfMemory(std::string(error.what()) + "; the mapping needs about " + needed);
  }
}
#endif

void count_migration(Report& report, std::span<Block const> blocks, Options const& options) {
  for (std::size_t v = 0; v < options.initial.size(); ++v) {
    if (blocks[v] == options.initial[v]) continue;
    ++report.migrated_vertices;
    report.migrated_weight += options.vertex_sizes.empty() ? 1 : options.vertex_sizes[v];
  }
}

/// Are empty PEs to be avoided, and are there enough vertices for it?
bool wants_all_filled(MapCall const& call) {
  auto const& pes = call.constraints.pes;
  return !call.options.allow_empty && call.graph.num_vertices() >= pes.usable(0, pes.num_pes());
}

void fill_empty(MapCall const& call, Run& run, Mapping& mapping) {
  auto const& [graph, topology, options, constraints] = call;
  if (fill_empty_blocks(graph, topology, constraints.pes, options.fixed, mapping.blocks) > 0)
    mapping.report = evaluate_on_cpu(graph, topology, mapping.blocks, options.threads, run);
}

void run_on_device(DeviceChoice const& device, MapCall const& call, Run& run, Mapping& mapping) {
  run.stats().device = device.name();
  run.stats().device_reason = device.reason;
#if defined(PROCMAP_HAS_CUDA)
  if (device.ordinal != cpu_device) {
    auto result = map_in_memory_of(device.ordinal, call, run);
    mapping.blocks = std::move(result.blocks);
    mapping.report = std::move(result.report);
    return;
  }
#endif
  mapping.blocks = map_on_cpu(call, run);
  mapping.report = evaluate_on_cpu(call.graph, call.topology, mapping.blocks, call.options.threads, run);
}

Mapping map_once(MapCall const& call, DeviceChoice const& device, Run& run) {
  Mapping mapping;
  run_on_device(device, call, run, mapping);
  if (wants_all_filled(call)) fill_empty(call, run, mapping);
  auto& report = mapping.report;
  complete_report(report, call.graph, call.topology, call.constraints.capacity);
  count_migration(report, mapping.blocks, call.options);
  report.empty_blocks = static_cast<Block>(empty_blocks(mapping.blocks, call.constraints.pes).size());
  if (wants_all_filled(call) && report.empty_blocks > 0) report.feasible = false;
  return mapping;
}

/// One pass over a graph of the host takes no longer than to copy it: "auto" stays where the graph is.
int evaluation_device(std::string_view device, Graph const& graph) {
  return device == "auto" ? graph.device() : named_device(device);
}

Report measure_on(int device, Graph const& graph, Topology const& topology, std::span<Block const> blocks, int threads,
                  Run& run) {
#if defined(PROCMAP_HAS_CUDA)
  if (device != cpu_device) return evaluate_on_cuda(graph, topology, blocks, device, run);
#else
  (void)device;
#endif
  return evaluate_on_cpu(graph, topology, blocks, threads, run);
}

}  // namespace

Weight block_capacity(Weight total_weight, Block num_blocks, double imbalance) {
  check_imbalance(imbalance);
  if (num_blocks < 1) throw ConfigError("the number of blocks must be at least 1, got " + std::to_string(num_blocks));
  constexpr auto limit = Weight{1} << 62;
  auto const estimate = (1 + static_cast<long double>(imbalance)) * static_cast<long double>(total_weight) / num_blocks;
  if (estimate >= 2 * static_cast<long double>(limit)) return limit;
  auto const [slack, more] = share_of(total_weight, std::abs(imbalance));  // -0.0 has a sign to print
  auto const filled = total_weight + slack;
  auto const capacity = filled / num_blocks + (more || filled % num_blocks != 0 ? 1 : 0);
  return capacity < limit ? static_cast<Weight>(capacity) : limit;
}

Mapping map(Graph const& graph, Topology const& topology, Options const& options) {
  check_imbalance(options.imbalance);
  options.config.validate();
  check_cost_fits(graph, topology);
  check_attempts(options);
  auto const constraints = make_constraints(graph, topology, options);
  auto const device = choose_device(options.device, graph, topology.num_pes(), options.config);
  return best_attempt(options, [&](Options const& attempt, Run& run) {
    return map_once(MapCall{graph, topology, attempt, constraints}, device, run);
  });
}

Mapping partition(Graph const& graph, Block k, Options const& options) {
  return map(graph, Topology::flat(k), options);
}

Report evaluate(Graph const& graph, Topology const& topology, std::span<Block const> blocks, double imbalance,
                int threads, std::string_view device, std::span<Weight const> capacities) {
  check_imbalance(imbalance);
  check_cost_fits(graph, topology);
  check_blocks(graph, topology, blocks);
  auto reported = reported_capacities(graph, topology, capacities, imbalance);
  Monitor const silent;
  Run run(silent);
  auto report = measure_on(evaluation_device(device, graph), graph, topology, blocks, threads, run);
  complete_report(report, graph, topology, std::move(reported));
  return report;
}

}  // namespace procmap
