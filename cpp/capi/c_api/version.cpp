// SPDX-License-Identifier: MIT
#include <string>

#include "c_api/errors.hpp"
#include "procmap/device.hpp"
#include "procmap/procmap.h"

int procmap_abi_version(void) { return PROCMAP_ABI_VERSION; }

char const* procmap_version(void) { return PROCMAP_VERSION; }

char const* procmap_device_name(int index) {
  thread_local std::string name;
  auto const status = procmap::capi::guarded([&] {
    auto const names = procmap::devices().names;
    name = index >= 0 && static_cast<std::size_t>(index) < names.size() ? names[static_cast<std::size_t>(index)] : "";
  });
  return status == PROCMAP_OK && !name.empty() ? name.c_str() : nullptr;
}
