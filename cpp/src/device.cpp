// SPDX-License-Identifier: MIT
#include "device.hpp"

#include <charconv>
#include <string>

#include "backends.hpp"
#include "procmap/error.hpp"
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

DeviceChoice choose_automatically(Edge num_arcs) {
  auto const arcs = std::to_string(num_arcs) + " arcs";
  if (num_arcs < auto_gpu_arcs)
    return {cpu_device, "auto: the graph has " + arcs + ", fewer than " + std::to_string(auto_gpu_arcs)};
  try {
    require_gpu(0);
    return {0, "auto: the graph has " + arcs};
  } catch (DeviceError const& error) {
    return {cpu_device, std::string("auto: ") + error.what()};
  }
}

}  // namespace

std::string DeviceChoice::name() const { return ordinal == cpu_device ? "cpu" : "cuda:" + std::to_string(ordinal); }

DeviceChoice choose_device(std::string_view device, Graph const& graph) {
  if (device == "cpu") return {cpu_device, "asked for"};
  if (device == "auto" && graph.device() != cpu_device) {
    require_gpu(graph.device());
    return {graph.device(), "auto: the graph lies there"};
  }
  if (device == "auto") return choose_automatically(graph.num_arcs());
  int const ordinal = parse_cuda_device(device);
  try {
    require_gpu(ordinal);
  } catch (DeviceError const& error) {
    throw DeviceError("device = \"" + std::string(device) + "\" cannot be used: " + error.what());
  }
  return {ordinal, "asked for"};
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
