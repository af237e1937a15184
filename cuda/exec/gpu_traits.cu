// SPDX-License-Identifier: MIT
#include "cuda/exec/gpu_traits.hpp"

#include "cuda/exec/cuda_check.hpp"

namespace procmap {
namespace {

__global__ void probe_kernel() {}

}  // namespace

int compiled_for() {
  cudaFuncAttributes attributes{};
  cuda_check(cudaFuncGetAttributes(&attributes, probe_kernel));
  return attributes.ptxVersion;
}

}  // namespace procmap
