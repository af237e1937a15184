// SPDX-License-Identifier: MIT
#include <nvtx3/nvToolsExt.h>

#include "backends.hpp"
#include "exec/staging.hpp"
#include "graph/resident.hpp"
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

/// A graph for passes on the device: the user's arrays if they lie there, or a copy.
struct GraphOnDevice {
  OwnedGraph<CudaExecutor> copy;
  CsrView view;
};

GraphOnDevice put(CudaExecutor& ex, Graph const& graph, int device) {
  if (graph.device() == device) return {{}, graph.resident()->view()};
  Phase phase(ex.run(), "upload");
  OwnedGraph<CudaExecutor> copy{graph.num_vertices(),
                                graph.num_arcs(),
                                ex.buffer<Edge>(graph.offsets().size()),
                                ex.buffer<Vertex>(graph.heads().size()),
                                ex.buffer<Weight>(graph.arc_weights().size()),
                                ex.buffer<Weight>(graph.vertex_weights().size())};
  ex.wait();  // the buffers are there for all streams
  Stream const stream;
  auto const upload = [&]<class T>(std::span<T const> values, DeviceBuffer<T> const& buffer) {
    upload_staged(values.data(), values.size_bytes(), buffer.data(), stream.get(), ex.threads(), ex.run());
  };
  upload(graph.offsets(), copy.offsets);
  upload(graph.heads(), copy.heads);
  upload(graph.arc_weights(), copy.arc_weights);
  upload(graph.vertex_weights(), copy.vertex_weights);
  stream.wait();
  auto const view = copy.view();
  return {std::move(copy), view};
}

void mark_phases(Run& run) {
  run.mark_phases({[](std::string_view name) { nvtxRangePushA(std::string(name).c_str()); }, [] { nvtxRangePop(); }});
}

}  // namespace

CudaMapping map_on_cuda(MapCall const& call, int device, Run& run) {
  mark_phases(run);
  CudaExecutor ex(call.options.threads, run, device);
  run.stats().threads = ex.threads();
  auto const& [host_graph, topology, options, constraints] = call;
  auto const graph = put(ex, host_graph, device);
  auto const fixed = put(ex, std::span(options.fixed));
  auto const initial = put(ex, std::span(options.initial));
  auto const refuge = put(ex, std::span(constraints.refuge));
  auto const pull = put(ex, std::span(constraints.pull));
  ex.wait();
  MappingTask const task{topology,
                         constraints.pes,
                         host_graph.total_vertex_weight(),
                         options.config,
                         hash(options.seed, 0),
                         fixed.data(),
                         {initial.data(), refuge.data(), pull.data()}};
  auto const block = map_to_topology(ex, graph.view, task);
  CudaMapping mapping;
  mapping.report = measure(ex, graph.view, topology, block.data());
  mapping.blocks.resize(block.size());
  ex.download(block.data(), static_cast<Edge>(block.size()), mapping.blocks.data());
  ex.report_resident_phases();
  return mapping;
}

Report evaluate_on_cuda(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int device,
                        Run& run) {
  mark_phases(run);
  CudaExecutor ex(0, run, device);
  auto const on_device = put(ex, graph, device);
  auto const block = put(ex, blocks);
  return measure(ex, on_device.view, topology, block.data());
}

}  // namespace procmap
