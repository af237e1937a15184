// SPDX-License-Identifier: MIT
#include <nvtx3/nvToolsExt.h>

#include <string>
#include <vector>

#include "backends/map_on.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/exec/cuda_executor.cuh"
#include "cuda/exec/device_memory.hpp"
#include "cuda/upload_graph.cuh"
#include "graph/resident.hpp"
#include "instances/instances.hpp"

namespace procmap {

// Coarsening and refinement are compiled in sources of their own.
PROCMAP_COARSENING_INSTANCE(extern, CudaExecutor)
#define PROCMAP_OBJECTIVE(objective, header) PROCMAP_REFINEMENT_INSTANCE(extern, CudaExecutor, objective)
#include "instances/objectives.def"
#undef PROCMAP_OBJECTIVE

namespace {

/// A graph for passes on the device: the user's arrays if they lie there, or a copy.
class GraphOnDevice {
 public:
  GraphOnDevice(CudaExecutor& ex, Graph const& graph, int ordinal) {
    if (graph.device() == cuda_device(ordinal)) {
      view_ = graph.resident()->view();
      return;
    }
    view_ = upload_graph(ex, graph, [&](std::size_t bytes) -> void* {
      copies_.push_back(ex.buffer<std::byte>(bytes));
      return copies_.back().data();
    });
  }

  CsrView view() const { return view_; }

 private:
  std::vector<DeviceBuffer<std::byte>> copies_;
  CsrView view_;
};

void mark_phases(Run& run) {
  run.mark_phases({[](std::string_view name) { nvtxRangePushA(std::string(name).c_str()); }, [] { nvtxRangePop(); }});
}

Mapped map_on_cuda(MapCall const& call, int ordinal, Run& run) {
  mark_phases(run);
  CudaExecutor ex(call.options.threads, run, ordinal);
  ex.expect_jobs();
  GraphOnDevice const graph(ex, call.graph, ordinal);
  auto mapped = map_on(ex, graph.view(), call);
  ex.report_resident_phases();
  return mapped;
}

std::vector<Block> split_on_cuda(MemberJob const& job, int ordinal, int threads, Run& run) {
  CudaExecutor ex(threads, run, ordinal);
  ex.expect_jobs();
  return split_on(ex, job);
}

Report evaluate_on_cuda(EvaluateCall const& call, int ordinal, Run& run) {
  mark_phases(run);
  CudaExecutor ex(call.threads, run, ordinal);
  GraphOnDevice const graph(ex, call.graph, ordinal);
  auto const block = put(ex, call.blocks);
  return measure(ex, graph.view(), call.topology, block.data());
}

constexpr BackendMemory memory{.available = available_memory,
                               .peak = memory_peak,
                               .restart_peak = restart_memory_peak,
                               .adopt = adopt_on_cuda,
                               .upload = upload_to_cuda,
                               .copy_in = copy_to_cuda,
                               .copy_out = copy_from_cuda};

}  // namespace

Backend cuda_backend() {
  return {.name = "cuda",
          .require = require_gpu,
          .map = map_on_cuda,
          .evaluate = evaluate_on_cuda,
          .memory = &memory,
          .split = split_on_cuda};
}

}  // namespace procmap
