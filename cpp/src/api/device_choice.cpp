// SPDX-License-Identifier: MIT
#include "api/device_choice.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "backends/registry.hpp"
#include "procmap/error.hpp"
#include "procmap/memory.hpp"

namespace procmap {
namespace {

std::int64_t estimate(Graph const& graph, Block num_blocks, Config const& config, DeviceId const& device) {
  int const weights = graph.has_vertex_weights() ? graph.num_weights() : 0;
  MemoryQuery const query{graph.num_vertices(),    graph.num_arcs(), num_blocks,
                          graph.has_arc_weights(), weights,          graph.device() == device};
  return estimate_device_memory(query, config);
}

std::string megabytes(std::int64_t bytes) { return std::to_string((bytes + 500000) / 1000000) + " MB"; }

/// Why a device cannot be used, if so.
std::optional<std::string> obstacle(DeviceId const& device) {
  try {
    require_device(device);
    return {};
  } catch (DeviceError const& error) {
    return error.what();
  }
}

/// The usable GPUs of all backends, or why there is none.
struct UsableGpus {
  std::vector<DeviceId> devices;
  std::string why_none;
};

/// At most `most` of each backend.
UsableGpus usable_gpus(int most) {
  UsableGpus found;
  for (auto const& kind : gpu_kinds())
    for (DeviceId device{kind, 0}; device.ordinal < most; ++device.ordinal) {
      if (auto const reason = obstacle(device)) {
        if (device.ordinal == 0) found.why_none += (found.why_none.empty() ? "" : "; ") + *reason;
        break;
      }
      found.devices.push_back(device);
    }
  if (!found.devices.empty()) found.why_none.clear();
  return found;
}

DeviceChoice choose_automatically(Graph const& graph, Block num_blocks, Config const& config) {
  auto const arcs = std::to_string(graph.num_arcs()) + " arcs";
  if (graph.num_arcs() < auto_gpu_arcs)
    return {{}, "auto: the graph has " + arcs + ", fewer than " + std::to_string(auto_gpu_arcs)};
  auto const [gpus, why_none] = usable_gpus(1);
  if (gpus.empty()) return {{}, "auto: " + why_none};
  auto const& gpu = gpus.front();
  auto const needed = estimate(graph, num_blocks, config, gpu), free = memory_of(gpu).available(gpu.ordinal);
  if (needed > free)
    return {{}, "auto: the GPU has " + megabytes(free) + " free, but about " + megabytes(needed) + " are needed"};
  return {gpu, "auto: the graph has " + arcs};
}

}  // namespace

std::string estimated_megabytes(Graph const& graph, Block num_blocks, Config const& config, DeviceId const& device) {
  return megabytes(estimate(graph, num_blocks, config, device));
}

DeviceId named_device(std::string_view name) {
  auto device = device_id(name);
  if (auto const reason = obstacle(device))
    throw DeviceError("device = \"" + std::string(name) + "\" cannot be used: " + *reason);
  return device;
}

DeviceChoice choose_device(std::string_view device, Graph const& graph, Block num_blocks, Config const& config) {
  if (device != "auto") return {named_device(device), "asked for"};
  auto const home = graph.device();
  if (home.on_host() && graph.num_weights() > 1)
    return {{}, "auto: vertices have several weights, and the host refines them"};
  if (home.on_host()) return choose_automatically(graph, num_blocks, config);
  require_device(home);
  return {home, "auto: the graph lies there"};
}

Devices devices() {
  constexpr int all = 1 << 16;
  auto const [gpus, why_none] = usable_gpus(all);
  Devices found{{DeviceId{}.name()}, why_none};
  for (auto const& gpu : gpus) found.names.push_back(gpu.name());
  return found;
}

}  // namespace procmap
