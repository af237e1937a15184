// SPDX-License-Identifier: MIT
#include "exec/cuda_executor.cuh"
#include "objective/edge_cut.hpp"
#include "refinement/flow/pairwise.hpp"

namespace procmap {

template FlowResult refine_pairs(CudaExecutor&, CsrView, EdgeCut, BlocksView, RefinementScratch<CudaExecutor>&, Block*,
                                 FlowConfig const&, std::uint64_t, AnchorsView);

}  // namespace procmap
