// SPDX-License-Identifier: MIT
#include <nvtx3/nvToolsExt.h>

#include "backends.hpp"
#include "instances.cuh"
#include "multilevel/report.hpp"

namespace procmap {
namespace {

/// A host array on the device; an empty one stays empty.
template <class T>
DeviceBuffer<T> put(CudaExecutor& ex, std::span<T const> values) {
  auto buffer = ex.buffer<T>(values.size());
  ex.upload(values.data(), static_cast<Edge>(values.size()), buffer.data());
  return buffer;
}

OwnedGraph<CudaExecutor> put(CudaExecutor& ex, Graph const& graph) {
  Phase phase(ex.run(), "upload");
  OwnedGraph<CudaExecutor> copy{graph.num_vertices(),         graph.num_arcs(),
                                put(ex, graph.offsets()),     put(ex, graph.heads()),
                                put(ex, graph.arc_weights()), put(ex, graph.vertex_weights())};
  ex.wait();
  return copy;
}

void mark_phases(Run& run) {
  run.mark_phases({[](std::string_view name) { nvtxRangePushA(std::string(name).c_str()); }, [] { nvtxRangePop(); }});
}

__global__ void probe_kernel() {}

}  // namespace

int count_cuda_devices() {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess) return count;
  cudaGetLastError();
  if (status == cudaErrorNoDevice) return 0;
  throw CudaError(status, std::source_location::current());
}

void check_cuda_device(int device) {
  DeviceGuard const guard(device);
  cudaFuncAttributes attributes{};
  cuda_check(cudaFuncGetAttributes(&attributes, probe_kernel));  // fails if nothing was compiled for it
}

CudaMapping map_on_cuda(MapCall const& call, int device, Run& run) {
  mark_phases(run);
  CudaExecutor ex(call.options.threads, run, device);
  run.stats().threads = ex.threads();
  MappingTask const task{call.topology, call.pe_capacity, call.graph.total_vertex_weight(), call.options.config,
                         hash(call.options.seed, 0)};
  auto const graph = put(ex, call.graph);
  auto const block = map_graph(ex, graph.view(), task);
  CudaMapping mapping;
  mapping.report = measure(ex, graph.view(), call.topology, block.data());
  mapping.blocks.resize(block.size());
  ex.download(block.data(), static_cast<Edge>(block.size()), mapping.blocks.data());
  ex.report_resident_phases();
  return mapping;
}

Report evaluate_on_cuda(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int device,
                        Run& run) {
  mark_phases(run);
  CudaExecutor ex(0, run, device);
  auto const on_device = put(ex, graph);
  auto const block = put(ex, blocks);
  return measure(ex, on_device.view(), topology, block.data());
}

}  // namespace procmap
