// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/exec/block_cache.hpp"

namespace procmap {

/// Bytes that the library may still get from a GPU.
std::int64_t available_memory(int ordinal);
/// Most bytes in use by all runs on a GPU since restart_memory_peak().
std::int64_t memory_peak(int ordinal);
void restart_memory_peak(int ordinal);

/// Throws DeviceOutOfMemory, which says what was wanted and what is free on the current device.
[[noreturn]] void throw_out_of_memory(std::size_t wanted);

/// Gives back to the driver what is unused in the library's pool.
void trim_pool_of_current_device();

/// Where the buffers of one run come from: the library's pool of the device, in the order of one stream. The
/// pool keeps what it once got, so that the next run need not ask the driver again. Copies refer to the same pool
/// and stream, which outlive all buffers.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// The pool of the current device. `cache` outlives all buffers.
  DeviceMemory(cudaStream_t stream, BlockCache& cache);

  /// Throws DeviceOutOfMemory. Asks the driver for what the pool lacks.
  void* allocate(std::size_t bytes) const;
  void release(void* memory, std::size_t bytes) const noexcept {
    if (bytes > BlockCache::largest || !cache_->keep(memory, BlockCache::rounded(bytes)))
      cudaFreeAsync(memory, stream_);
  }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaMemPool_t pool_ = nullptr;
  cudaStream_t stream_ = nullptr;
  BlockCache* cache_ = nullptr;
};

}  // namespace procmap
