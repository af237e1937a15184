// SPDX-License-Identifier: MIT
#include "exec/cuda_executor.cuh"
#include "objective/hierarchy_distance.hpp"
#include "refinement/jet.hpp"

namespace procmap {

template void refine(CudaExecutor&, CsrView, HierarchyDistance, BlocksView, RefinementScratch<CudaExecutor>&, Block*,
                     RefinementConfig const&, RefinementTask const&);

}  // namespace procmap
