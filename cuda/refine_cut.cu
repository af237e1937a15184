// SPDX-License-Identifier: MIT
#include "exec/cuda_executor.cuh"
#include "objective/edge_cut.hpp"
#include "refinement/jet.hpp"

namespace procmap {

template void refine(CudaExecutor&, CsrView, EdgeCut, BlocksView, RefinementScratch<CudaExecutor>&, Block*,
                     RefinementConfig const&, RefinementTask const&);

}  // namespace procmap
