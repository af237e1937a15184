// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/exec/cuda_check.hpp"

namespace procmap {

/// Waits for all that is in a stream by now. On the host: every call of the library waits for its own work as well,
/// so there is nothing to gain from making one stream wait for the other.
inline void wait_for(std::vector<std::uintptr_t> const& streams) {
  for (auto const stream : streams) {
    cudaEvent_t event = nullptr;
    cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    auto const recorded = cudaEventRecord(event, reinterpret_cast<cudaStream_t>(stream));
    auto const waited = recorded == cudaSuccess ? cudaEventSynchronize(event) : recorded;
    cudaEventDestroy(event);
    cuda_check(waited);
  }
}

}  // namespace procmap
