// SPDX-License-Identifier: MIT
#include "cuda/exec/context.hpp"

#include <cuda_runtime_api.h>

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/stream.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

// cuCtxGetId of the driver, which is loaded at run time: a number that no other context of the process ever gets.
using GetId = int (*)(void* context, unsigned long long* id);

GetId find_get_id() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  cuda_check(cudaGetDriverEntryPointByVersion("cuCtxGetId", &function, 12000, cudaEnableDefault, &found));
  if (!function) throw DeviceError("the CUDA driver has no cuCtxGetId");
  return reinterpret_cast<GetId>(function);
}

}  // namespace

ContextId ContextId::current() {
  static GetId const get_id = find_get_id();
  ContextId context;
  cuda_check(cudaGetDevice(&context.device_));
  cuda_check(cudaSetDevice(context.device_));  // makes the context, also where it was reset
  cuda_check(static_cast<cudaError_t>(get_id(nullptr, &context.id_)));  // the codes of the driver are the runtime's
  return context;
}

bool ContextId::lives() const {
  DeviceGuard const guard(device_);
  return current() == *this;
}

}  // namespace procmap
