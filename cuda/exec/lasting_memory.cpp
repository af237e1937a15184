// SPDX-License-Identifier: MIT
#include "cuda/exec/lasting_memory.hpp"

#include <exception>
#include <string>

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/device_memory.hpp"
#include "cuda/exec/stream.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

/// Gives memory back to the context it is from, if that still is there.
struct Release {
  ContextId context;

  void operator()(void* memory) const noexcept {
    if (forked_after_cuda()) return;  // it belongs to the parent
    try {
      DeviceGuard const guard(context.device());
      if (ContextId::current() != context) return;
      cudaDeviceSynchronize();
      cudaFree(memory);
    } catch (std::exception const&) {  // the driver is gone or the GPU failed, and the memory is lost with it
    }
  }
};

}  // namespace

std::shared_ptr<void> allocate_lasting(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  auto const context = ContextId::current();
  void* memory = nullptr;
  auto status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {  // what is unused in the pool may do
    cudaGetLastError();
    trim_pool_of_current_device();
    status = cudaMalloc(&memory, bytes);
  }
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw_out_of_memory(bytes);
  }
  cuda_check(status);
  return {memory, Release{context}};
}

void require_not_reset(std::shared_ptr<void const> const& memory) {
  auto const* const release = std::get_deleter<Release>(memory);
  if (release) require_not_reset(release->context);
}

void require_not_reset(ContextId const& context) {
  if (!context.lives())
    throw DeviceError("the arrays on cuda:" + std::to_string(context.device()) +
                      " are lost: some library reset the device (cudaDeviceReset) after they were put there");
}

}  // namespace procmap
