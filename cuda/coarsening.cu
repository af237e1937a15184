// SPDX-License-Identifier: MIT
#include "cuda/exec/cuda_executor.cuh"
#include "instances/instances.hpp"

namespace procmap {

PROCMAP_COARSENING_INSTANCE(, CudaExecutor)

}  // namespace procmap
