// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "procmap/export.h"

namespace procmap PROCMAP_API {

/// A device: the backend that computes on it, by name, and its number there. By default the host.
struct DeviceId {
  std::string backend = "cpu";
  int ordinal = 0;

  bool on_host() const { return backend == "cpu"; }
  /// "cpu", "cuda:0", "cuda:1", ...
  std::string name() const { return on_host() ? backend : backend + ":" + std::to_string(ordinal); }
  bool operator==(DeviceId const&) const = default;
};

/// The device of a name: "cpu", "cuda" (the first of its kind) or "cuda:N". Throws ConfigError if it is none of these;
/// whether the device can be used is another question.
DeviceId device_id(std::string_view name);

/// The kinds of GPUs that device_id knows, whether this build can use them or not: "cuda".
std::vector<std::string> gpu_kinds();

/// The devices that can be used.
struct Devices {
  std::vector<std::string> names;  ///< "cpu", "cuda:0", ...
  std::string no_gpu;  ///< why there is no other than "cpu"
};

Devices devices();

}  // namespace procmap PROCMAP_API
