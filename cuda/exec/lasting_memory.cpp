// SPDX-License-Identifier: MIT
#include "cuda/exec/lasting_memory.hpp"

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/device_memory.hpp"
#include "cuda/exec/stream.hpp"

namespace procmap {
namespace {

void release(void* memory, int device) noexcept {
  if (forked_after_cuda()) return;  // it belongs to the parent
  int before = 0;
  if (cudaGetDevice(&before) != cudaSuccess) return;  // the driver is gone, and the memory with it
  cudaSetDevice(device);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaSetDevice(before);
}

}  // namespace

std::shared_ptr<void> allocate_lasting(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  int device = 0;
  cuda_check(cudaGetDevice(&device));
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
  return {memory, [device](void* lasting) { release(lasting, device); }};
}

}  // namespace procmap
