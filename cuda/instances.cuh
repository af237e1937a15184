// SPDX-License-Identifier: MIT
#pragma once

#include "exec/cuda_executor.cuh"
#include "multilevel/one_per_pe.hpp"

// The parts of the method that are compiled in files of their own, so that no file takes minutes.

namespace procmap {

extern template std::vector<Level<CudaExecutor>> coarsen(CudaExecutor&, CsrView, VertexLabels, CoarseningGoal,
                                                         CoarseningConfig const&, std::uint64_t,
                                                         ClusterHistory<CudaExecutor>*);
extern template void refine(CudaExecutor&, CsrView, EdgeCut, BlocksView, RefinementScratch<CudaExecutor>&, Block*,
                            RefinementConfig const&, RefinementTask const&);
extern template void refine(CudaExecutor&, CsrView, HierarchyDistance, BlocksView, RefinementScratch<CudaExecutor>&,
                            Block*, RefinementConfig const&, RefinementTask const&);
extern template FlowResult refine_pairs(CudaExecutor&, CsrView, EdgeCut, BlocksView, RefinementScratch<CudaExecutor>&,
                                        Block*, FlowConfig const&, std::uint64_t, AnchorsView);
extern template FlowResult refine_pairs(CudaExecutor&, CsrView, HierarchyDistance, BlocksView,
                                        RefinementScratch<CudaExecutor>&, Block*, FlowConfig const&, std::uint64_t,
                                        AnchorsView);
extern template void refine(CudaExecutor&, CsrView, GridDistance, BlocksView, RefinementScratch<CudaExecutor>&, Block*,
                            RefinementConfig const&, RefinementTask const&);
extern template FlowResult refine_pairs(CudaExecutor&, CsrView, GridDistance, BlocksView,
                                        RefinementScratch<CudaExecutor>&, Block*, FlowConfig const&, std::uint64_t,
                                        AnchorsView);
extern template void refine(CudaExecutor&, CsrView, MatrixDistance, BlocksView, RefinementScratch<CudaExecutor>&,
                            Block*, RefinementConfig const&, RefinementTask const&);
extern template FlowResult refine_pairs(CudaExecutor&, CsrView, MatrixDistance, BlocksView,
                                        RefinementScratch<CudaExecutor>&, Block*, FlowConfig const&, std::uint64_t,
                                        AnchorsView);

}  // namespace procmap
