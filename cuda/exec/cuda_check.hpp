// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace procmap {

/// A call of the CUDA runtime or a kernel that failed.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, std::source_location where)
      : std::runtime_error(std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code) + " at " +
                           where.file_name() + ":" + std::to_string(where.line())) {}
};

/// Throws CudaError unless `code` is success. The runtime forgets the error, so that the next check of a
/// launch does not meet it again.
inline void cuda_check(cudaError_t code, std::source_location where = std::source_location::current()) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw CudaError(code, where);
}

/// To be called right after a launch.
inline void check_launch(std::source_location where = std::source_location::current()) {
  cuda_check(cudaGetLastError(), where);
}

}  // namespace procmap
