// SPDX-License-Identifier: MIT
#include <limits>
#include <utility>
#include <vector>

#include "backends.hpp"
#include "exec/convert.cuh"
#include "exec/lasting_memory.hpp"
#include "exec/staging.hpp"
#include "graph/resident.hpp"

namespace procmap {
namespace {

/// Waits for all that is in a stream by now. On the host: every call of the library waits for its own work as well,
/// so there is nothing to gain from making one stream wait for the other.
void wait_for(std::vector<std::uintptr_t> const& streams) {
  for (auto const stream : streams) {
    cudaEvent_t event = nullptr;
    cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    auto const recorded = cudaEventRecord(event, reinterpret_cast<cudaStream_t>(stream));
    auto const waited = recorded == cudaSuccess ? cudaEventSynchronize(event) : recorded;
    cudaEventDestroy(event);
    cuda_check(waited);
  }
}

template <class T>
SharedArray<T> copy_back(T const* data, Edge n) {
  if (!data || n == 0) return {};
  std::vector<T> values(static_cast<std::size_t>(n));
  Stream const stream;
  cuda_check(cudaMemcpyAsync(values.data(), data, values.size() * sizeof(T), cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  return values;
}

/// An executor for calls that report nothing.
struct SilentExecutor {
  explicit SilentExecutor(int device) : ex(0, run, device) {}

  Monitor monitor;
  Run run{monitor};
  CudaExecutor ex;
};

class CudaGraph : public ResidentGraph {
 public:
  using ResidentGraph::ResidentGraph;

  /// Takes an array as it is, or copies it. False if a value does not fit.
  template <class T>
  bool take(CudaExecutor& ex, DeviceArray const& array, bool copy, T const* CsrView::* place) {
    if (array.size == 0) return true;
    if (array.type == element_type<T> && !copy) {
      view_.*place = static_cast<T const*>(array.data);
      owners_.push_back(array.owner);
      return true;
    }
    return convert(ex, array, make<T>(array.size, place));
  }

  template <class T>
  void upload(SilentExecutor& silent, cudaStream_t stream, std::span<T const> values, T const* CsrView::* place) {
    if (values.empty()) return;
    auto* const data = make<T>(static_cast<Edge>(values.size()), place);
    upload_staged(values.data(), values.size_bytes(), data, stream, silent.ex.threads(), silent.run);
  }

  void set_size(Vertex num_vertices, Edge num_arcs) {
    view_.num_vertices = num_vertices;
    view_.num_arcs = num_arcs;
  }

 protected:
  CsrArrays download() const override {
    DeviceGuard const guard(device());
    return {copy_back(view_.offsets, Edge{view_.num_vertices} + 1), copy_back(view_.heads, view_.num_arcs),
            copy_back(view_.arc_weights, view_.num_arcs), copy_back(view_.vertex_weights, view_.num_vertices)};
  }

 private:
  template <class T>
  T* make(Edge n, T const* CsrView::* place) {
    auto memory = allocate_lasting(static_cast<std::size_t>(n) * sizeof(T));
    auto* const data = static_cast<T*>(memory.get());
    view_.*place = data;
    owners_.push_back(std::move(memory));
    return data;
  }

  std::vector<std::shared_ptr<void const>> owners_;
};

bool sizes_fit(DeviceCsrArrays const& arrays) {
  auto const n = arrays.offsets.size - 1;
  return n >= 0 && n <= std::numeric_limits<Vertex>::max() &&
         (arrays.arc_weights.size == 0 || arrays.arc_weights.size == arrays.heads.size) &&
         (arrays.vertex_weights.size == 0 || arrays.vertex_weights.size == n);
}

}  // namespace

std::shared_ptr<ResidentGraph const> adopt_on_cuda(DeviceCsrArrays const& arrays, bool copy, GraphFacts& facts) {
  if (!sizes_fit(arrays)) return nullptr;
  require_gpu(arrays.offsets.device);
  SilentExecutor silent(arrays.offsets.device);
  wait_for(arrays.streams);
  auto graph = std::make_shared<CudaGraph>(arrays.offsets.device);
  graph->set_size(static_cast<Vertex>(arrays.offsets.size - 1), arrays.heads.size);
  bool const fits = graph->take(silent.ex, arrays.offsets, copy, &CsrView::offsets) &&
                    graph->take(silent.ex, arrays.heads, copy, &CsrView::heads) &&
                    graph->take(silent.ex, arrays.arc_weights, copy, &CsrView::arc_weights) &&
                    graph->take(silent.ex, arrays.vertex_weights, copy, &CsrView::vertex_weights);
  if (!fits) return nullptr;
  facts = examine(silent.ex, graph->view());
  silent.ex.wait();
  return facts.clean ? graph : nullptr;
}

std::shared_ptr<ResidentGraph const> upload_to_cuda(Graph const& graph, int device) {
  require_gpu(device);
  SilentExecutor silent(device);
  auto copy = std::make_shared<CudaGraph>(device);
  copy->set_size(graph.num_vertices(), graph.num_arcs());
  Stream const stream;
  copy->upload(silent, stream.get(), graph.offsets(), &CsrView::offsets);
  copy->upload(silent, stream.get(), graph.heads(), &CsrView::heads);
  copy->upload(silent, stream.get(), graph.arc_weights(), &CsrView::arc_weights);
  copy->upload(silent, stream.get(), graph.vertex_weights(), &CsrView::vertex_weights);
  stream.wait();
  return copy;
}

DeviceArray copy_to_device(void const* data, std::int64_t size, ElementType type, int device) {
  require_gpu(device);
  DeviceGuard const guard(device);
  auto const bytes = static_cast<std::size_t>(size) * element_size(type);
  auto memory = allocate_lasting(bytes);
  Stream const stream;
  if (bytes > 0) cuda_check(cudaMemcpyAsync(memory.get(), data, bytes, cudaMemcpyHostToDevice, stream.get()));
  stream.wait();
  return {memory.get(), size, type, device, memory};
}

void copy_to_host(DeviceArray const& array, std::vector<std::uintptr_t> const& streams, void* data) {
  if (array.size == 0) return;
  require_gpu(array.device);
  DeviceGuard const guard(array.device);
  wait_for(streams);
  Stream const stream;
  auto const bytes = static_cast<std::size_t>(array.size) * element_size(array.type);
  cuda_check(cudaMemcpyAsync(data, array.data, bytes, cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
}

}  // namespace procmap
