// SPDX-License-Identifier: MIT
#include "exec/cuda_executor.cuh"
#include "objective/grid_distance.hpp"
#include "refinement/flow/pairwise.hpp"
#include "refinement/jet.hpp"

namespace procmap {

template void refine(CudaExecutor&, CsrView, GridDistance, BlocksView, RefinementScratch<CudaExecutor>&, Block*,
                     RefinementConfig const&, RefinementTask const&);
template FlowResult refine_pairs(CudaExecutor&, CsrView, GridDistance, BlocksView, RefinementScratch<CudaExecutor>&,
                                 Block*, FlowConfig const&, std::uint64_t, AnchorsView);

}  // namespace procmap
