// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "backends/backend.hpp"

namespace procmap {

/// All backends that the library knows, the host's first. Of those that are not in this build only the name is known.
std::span<Backend const> backends();

inline Backend const& host_backend() { return backends().front(); }
inline std::span<Backend const> gpu_backends() { return backends().subspan(1); }

/// The backend of a device. Throws DeviceError if it is not in this build.
Backend const& backend_of(DeviceId const& device);

/// Throws DeviceError, which says why, unless the device can be used.
void require_device(DeviceId const& device);

/// The memory of a GPU that can be used; throws DeviceError otherwise, and ConfigError if it is the host.
BackendMemory const& memory_of(DeviceId const& device);

}  // namespace procmap
