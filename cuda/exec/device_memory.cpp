// SPDX-License-Identifier: MIT
#include "cuda/exec/device_memory.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <mutex>

#include "cuda/exec/context.hpp"
#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/stream.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

cudaMemPool_t make_pool(int device) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  cuda_check(cudaMemPoolCreate(&pool, &properties));
  auto keep_all = std::numeric_limits<std::uint64_t>::max();
  cuda_check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
  return pool;
}

struct Pool {
  ContextId context;
  cudaMemPool_t handle = nullptr;
};

// Pools live as long as the process: the driver may be gone when static objects are destroyed.
cudaMemPool_t pool_of_current_device() {
  static std::mutex mutex;
  static auto& pools = *new std::map<int, Pool>;
  auto const context = ContextId::current();
  std::lock_guard const lock(mutex);
  auto& pool = pools[context.device()];
  if (!pool.handle || pool.context != context) pool = {context, make_pool(context.device())};
  return pool.handle;
}

std::string megabytes(std::size_t bytes) { return std::to_string((bytes + 500000) / 1000000) + " MB"; }

std::uint64_t pool_figure(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t bytes = 0;
  cuda_check(cudaMemPoolGetAttribute(pool, attribute, &bytes));
  return bytes;
}

}  // namespace

void throw_out_of_memory(std::size_t wanted) {
  std::size_t free = 0, total = 0;
  auto message = "out of GPU memory: wanted another " + megabytes(wanted);
  if (cudaMemGetInfo(&free, &total) == cudaSuccess)
    message += " when " + megabytes(free) + " of " + megabytes(total) + " were free";
  throw DeviceOutOfMemory(message);
}

std::int64_t available_memory(int ordinal) {
  DeviceGuard const guard(ordinal);
  auto* const pool = pool_of_current_device();
  std::size_t free = 0, total = 0;
  cuda_check(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free + pool_figure(pool, cudaMemPoolAttrReservedMemCurrent) -
                                   pool_figure(pool, cudaMemPoolAttrUsedMemCurrent));
}

void restart_memory_peak(int ordinal) {
  DeviceGuard const guard(ordinal);
  std::uint64_t zero = 0;  // the only value it takes; the peak is what is in use now
  cuda_check(cudaMemPoolSetAttribute(pool_of_current_device(), cudaMemPoolAttrUsedMemHigh, &zero));
}

std::int64_t memory_peak(int ordinal) {
  DeviceGuard const guard(ordinal);
  return static_cast<std::int64_t>(pool_figure(pool_of_current_device(), cudaMemPoolAttrUsedMemHigh));
}

void trim_pool_of_current_device() {
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemPoolTrimTo(pool_of_current_device(), 0));
}

DeviceMemory::DeviceMemory(cudaStream_t stream, BlockCache& cache)
    : pool_(pool_of_current_device()), stream_(stream), cache_(&cache) {}

void* DeviceMemory::allocate(std::size_t bytes) const {
  void* memory = nullptr;
  if (bytes <= BlockCache::largest) {
    bytes = BlockCache::rounded(bytes);
    if ((memory = cache_->take(bytes))) return memory;
  }
  auto status = cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_);
  if (status == cudaErrorMemoryAllocation) {  // perhaps it is only in pieces: give all back and ask again
    cudaGetLastError();
    cache_->clear();
    cuda_check(cudaStreamSynchronize(stream_));
    cuda_check(cudaMemPoolTrimTo(pool_, 0));
    status = cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_);
  }
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw_out_of_memory(bytes);
  }
  cuda_check(status);
  return memory;
}

}  // namespace procmap
