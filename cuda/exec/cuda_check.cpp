// SPDX-License-Identifier: MIT
#include "cuda/exec/cuda_check.hpp"

#include <cstddef>
#include <string>

#include "procmap/error.hpp"

namespace procmap {
namespace {

/// Whether the context answers every call with this error from now on, as it does after a kernel (anybody's) that read
/// or wrote where there was nothing.
bool lasts(cudaError_t code) {
  std::size_t free = 0, total = 0;
  bool const again = cudaMemGetInfo(&free, &total) == code;
  cudaGetLastError();
  return again;
}

}  // namespace

void throw_cuda_error(cudaError_t code, std::source_location where) {
  cudaGetLastError();
  auto message = std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code) + " at " + where.file_name() +
                 ":" + std::to_string(where.line());
  if (code == cudaErrorMemoryAllocation) throw DeviceOutOfMemory("out of GPU or pinned memory: " + message);
  if (lasts(code))
    message +=
        "; a kernel of this process failed, which need not be one of procmap's, and CUDA lets the process use "
        "this GPU no more";
  throw DeviceError(message);
}

}  // namespace procmap
