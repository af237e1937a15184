// SPDX-License-Identifier: MIT
#include "cuda/cuda_backend.hpp"
#include "cuda/exec/lasting_memory.hpp"
#include "cuda/exec/stream.hpp"
#include "cuda/wait_for_streams.hpp"

namespace procmap {
namespace {

std::size_t bytes_of(std::int64_t size, ElementType type) {
  return static_cast<std::size_t>(size) * element_size(type);
}

}  // namespace

DeviceArray copy_to_cuda(void const* data, std::int64_t size, ElementType type, int ordinal) {
  DeviceGuard const guard(ordinal);
  auto const bytes = bytes_of(size, type);
  auto memory = allocate_lasting(bytes);
  Stream const stream;
  if (bytes > 0) cuda_check(cudaMemcpyAsync(memory.get(), data, bytes, cudaMemcpyHostToDevice, stream.get()));
  stream.wait();
  return {memory.get(), size, type, cuda_device(ordinal), memory};
}

void copy_from_cuda(DeviceArray const& array, std::vector<std::uintptr_t> const& streams, void* data) {
  DeviceGuard const guard(array.device.ordinal);
  require_not_reset(array.owner);
  wait_for(streams);
  Stream const stream;
  auto const bytes = bytes_of(array.size, array.type);
  cuda_check(cudaMemcpyAsync(data, array.data, bytes, cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
}

}  // namespace procmap
