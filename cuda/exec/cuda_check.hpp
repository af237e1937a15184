// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace procmap {

/// What cuda_check() does with an error.
[[noreturn]] void throw_cuda_error(cudaError_t code, std::source_location where);

/// Throws DeviceOutOfMemory if `code` says that there is no memory (of the device, or of the host to be pinned), and
/// DeviceError for every other code but success. The runtime forgets the error, so that the next check of a launch does
/// not meet it again.
inline void cuda_check(cudaError_t code, std::source_location where = std::source_location::current()) {
  if (code != cudaSuccess) throw_cuda_error(code, where);
}

/// To be called right after a launch.
inline void check_launch(std::source_location where = std::source_location::current()) {
  cuda_check(cudaGetLastError(), where);
}

}  // namespace procmap
