// SPDX-License-Identifier: MIT
#include "exec/cuda_executor.cuh"
#include "objective/hierarchy_distance.hpp"
#include "refinement/flow/pairwise.hpp"

namespace procmap {

template FlowResult refine_pairs(CudaExecutor&, CsrView, HierarchyDistance, BlocksView,
                                 RefinementScratch<CudaExecutor>&, Block*, FlowConfig const&, std::uint64_t,
                                 AnchorsView);

}  // namespace procmap
