// SPDX-License-Identifier: MIT
#pragma once

#include "exec/cuda_check.hpp"
#include "exec/grid_executor.cuh"

namespace procmap {

/// One block per processor: a barrier costs more the more blocks it waits for, and the loops that run here have many
/// barriers and little work between them. Two and three blocks, and larger ones, were slower on every graph.
template <class F>
__global__ void __launch_bounds__(block_threads, 1)
    resident_kernel(__grid_constant__ F const f, __grid_constant__ GridMemory const memory) {
  extern __shared__ __align__(16) std::byte shared[];
  __shared__ KernelClock clock;
  if (KernelClock::on_duty()) clock.start();
  GridExecutor ex(memory, shared, clock);
  f(ex);
  if (KernelClock::on_duty()) clock.report(*memory.clock);
}

template <class F>
void launch_resident(F const& f, GridMemory const& memory, unsigned blocks, cudaStream_t stream) {
  cuda_check(cudaFuncSetAttribute(resident_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(GridExecutor::shared_bytes)));
  void* arguments[] = {const_cast<F*>(&f), const_cast<GridMemory*>(&memory)};
  cuda_check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&resident_kernel<F>), dim3(blocks),
                                         dim3(block_threads), arguments, GridExecutor::shared_bytes, stream));
}

}  // namespace procmap
