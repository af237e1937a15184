// SPDX-License-Identifier: MIT
#include "coarsening/coarsen.hpp"
#include "exec/cuda_executor.cuh"

namespace procmap {

template std::vector<Level<CudaExecutor>> coarsen(CudaExecutor&, CsrView, VertexLabels, CoarseningGoal,
                                                  CoarseningConfig const&, std::uint64_t,
                                                  ClusterHistory<CudaExecutor>*);

}  // namespace procmap
