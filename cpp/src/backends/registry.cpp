// SPDX-License-Identifier: MIT
#include "backends/registry.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "core/quoted.hpp"
#include "procmap/device.hpp"
#include "procmap/error.hpp"

namespace procmap {

// Written by cpp/CMakeLists.txt: a line BUILT(name) or MISSING(name) for every backend of GPUs.
#define BUILT(name) Backend name##_backend();
#define MISSING(name)
#include "gpu_backends.inc"
#undef BUILT
#undef MISSING
Backend cpu_backend();

namespace {

std::string in_capitals(std::string_view name) {
  std::string capitals(name);
  for (char& c : capitals) c = static_cast<char>(std::toupper(c));
  return capitals;
}

[[noreturn]] void throw_unknown_device(std::string_view device) {
  std::string known = "\"auto\", \"cpu\"";
  for (auto const& kind : gpu_kinds()) known += ", \"" + kind + "\" and \"" + kind + ":N\"";
  throw ConfigError("device = " + quoted(device, '"') + " is none of " + known);
}

/// The N of ":N"; 0 if there is nothing, -1 if it is something else.
int parse_ordinal(std::string_view text) {
  if (text.empty()) return 0;
  int ordinal = 0;
  auto const* const end = text.data() + text.size();
  auto const [last, error] = std::from_chars(text.data() + 1, end, ordinal);
  return text.front() == ':' && error == std::errc() && last == end ? ordinal : -1;
}

}  // namespace

std::span<Backend const> backends() {
  static Backend const all[] = {
      cpu_backend(),
#define BUILT(name) name##_backend(),
#define MISSING(name) Backend{#name},
#include "gpu_backends.inc"
#undef BUILT
#undef MISSING
  };
  return all;
}

Backend const& backend_of(DeviceId const& device) {
  auto const known = backends();
  auto const found = std::ranges::find(known, device.backend, &Backend::name);
  if (found == known.end() || !found->built())
    throw DeviceError("this build of procmap has no " + in_capitals(device.backend) + " backend");
  return *found;
}

void require_device(DeviceId const& device) { backend_of(device).require(device.ordinal); }

BackendMemory const& memory_of(DeviceId const& device) {
  require_device(device);
  auto const* const memory = backend_of(device).memory;
  if (!memory) throw ConfigError("device = \"" + device.name() + "\" is no GPU");
  return *memory;
}

DeviceId device_id(std::string_view name) {
  DeviceId const host;
  if (name == host.backend) return host;
  for (auto const& backend : gpu_backends()) {
    if (!name.starts_with(backend.name)) continue;
    if (int const ordinal = parse_ordinal(name.substr(backend.name.size())); ordinal >= 0)
      return {std::string(backend.name), ordinal};
  }
  throw_unknown_device(name);
}

std::vector<std::string> gpu_kinds() {
  std::vector<std::string> names;
  for (auto const& backend : gpu_backends()) names.emplace_back(backend.name);
  return names;
}

}  // namespace procmap
