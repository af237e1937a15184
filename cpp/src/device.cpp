// SPDX-License-Identifier: MIT
#include "device.hpp"

#include <charconv>
#include <string>

#include "backends.hpp"
#include "procmap/error.hpp"
#include "procmap/memory.hpp"
#include "procmap/procmap.hpp"

namespace procmap {
namespace {

/// The number of the GPU in "cuda" or "cuda:N".
int parse_cuda_device(std::string_view device) {
  constexpr std::string_view prefix = "cuda";
  int ordinal = 0;
  auto const number = device.starts_with(prefix) ? device.substr(prefix.size()) : "?";
  if (number.empty()) return ordinal;
  auto const* const end = number.data() + number.size();
  auto const [last, error] = std::from_chars(number.data() + 1, end, ordinal);
  if (number.front() != ':' || error != std::errc() || last != end || ordinal < 0)
    throw ConfigError("device = \"" + std::string(device) + "\" is none of \"auto\", \"cpu\", \"cuda\" and \"cuda:N\"");
  return ordinal;
}

std::int64_t estimate(Graph const& graph, Block num_blocks, Config const& config, int device) {
  MemoryQuery const query{graph.num_vertices(),    graph.num_arcs(),           num_blocks,
                          graph.has_arc_weights(), graph.has_vertex_weights(), graph.device() == device};
  return estimate_device_memory(query, config);
}

std::string megabytes(std::int64_t bytes) { return std::to_string((bytes + 500000) / 1000000) + " MB"; }

DeviceChoice choose_automatically(Graph const& graph, Block num_blocks, Config const& config) {
  auto const arcs = std::to_string(graph.num_arcs()) + " arcs";
  if (graph.num_arcs() < auto_gpu_arcs)
    return {cpu_device, "auto: the graph has " + arcs + ", fewer than " + std::to_string(auto_gpu_arcs)};
  try {
    require_gpu(0);
  } catch (DeviceError const& error) {
    return {cpu_device, std::string("auto: ") + error.what()};
  }
  auto const needed = estimate(graph, num_blocks, config, 0), free = available_memory(0);
  if (needed > free)
    return {cpu_device,
            "auto: the GPU has " + megabytes(free) + " free, but about " + megabytes(needed) + " are needed"};
  return {0, "auto: the graph has " + arcs};
}

}  // namespace

std::string DeviceChoice::name() const { return ordinal == cpu_device ? "cpu" : "cuda:" + std::to_string(ordinal); }

std::string estimated_megabytes(Graph const& graph, Block num_blocks, Config const& config, int device) {
  return megabytes(estimate(graph, num_blocks, config, device));
}

int named_device(std::string_view device) {
  if (device == "cpu") return cpu_device;
  int const ordinal = parse_cuda_device(device);
  try {
    require_gpu(ordinal);
  } catch (DeviceError const& error) {
    throw DeviceError("device = \"" + std::string(device) + "\" cannot be used: " + error.what());
  }
  return ordinal;
}

DeviceChoice choose_device(std::string_view device, Graph const& graph, Block num_blocks, Config const& config) {
  if (device != "auto") return {named_device(device), "asked for"};
  if (graph.device() == cpu_device) return choose_automatically(graph, num_blocks, config);
  require_gpu(graph.device());
  return {graph.device(), "auto: the graph lies there"};
}

Devices devices() {
  Devices found{{"cpu"}, {}};
  try {
    for (int ordinal = 0;; ++ordinal) {
      require_gpu(ordinal);
      found.names.push_back("cuda:" + std::to_string(ordinal));
    }
  } catch (DeviceError const& error) {
    if (found.names.size() == 1) found.no_gpu = error.what();
  }
  return found;
}

}  // namespace procmap
