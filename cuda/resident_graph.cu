// SPDX-License-Identifier: MIT
#include <limits>
#include <utility>
#include <vector>

#include "cuda/cuda_backend.hpp"
#include "cuda/exec/convert.cuh"
#include "cuda/exec/lasting_memory.hpp"
#include "cuda/upload_graph.cuh"
#include "cuda/wait_for_streams.hpp"
#include "graph/examine.hpp"
#include "graph/resident.hpp"
#include "procmap/monitor.hpp"

namespace procmap {
namespace {

template <class T>
SharedArray<T> copy_back(T const* data, Edge n) {
  if (!data || n == 0) return {};
  std::vector<T> values(static_cast<std::size_t>(n));
  Stream const stream;
  cuda_check(cudaMemcpyAsync(values.data(), data, values.size() * sizeof(T), cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  return values;
}

/// An executor for calls that report nothing. Stays where it is: its parts refer to each other.
struct SilentExecutor {
  explicit SilentExecutor(int ordinal) : ex(0, run, ordinal) {}
  SilentExecutor(SilentExecutor const&) = delete;
  SilentExecutor& operator=(SilentExecutor const&) = delete;

  Monitor monitor;
  Run run{monitor};
  CudaExecutor ex;
};

class CudaGraph : public ResidentGraph {
 public:
  explicit CudaGraph(int ordinal) : ResidentGraph(cuda_device(ordinal)) {
    DeviceGuard const guard(ordinal);
    context_ = ContextId::current();
  }

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

  /// Copies the arrays of a graph of the host.
  void upload(CudaExecutor& ex, Graph const& graph) {
    view_ = upload_graph(ex, graph, [this](std::size_t bytes) {
      auto memory = allocate_lasting(bytes);
      owners_.push_back(memory);
      return memory.get();
    });
  }

  void set_size(Vertex num_vertices, Edge num_arcs) {
    view_.num_vertices = num_vertices;
    view_.num_arcs = num_arcs;
  }

 protected:
  void require_there() const override { require_not_reset(context_); }
  CsrArrays download() const override {
    DeviceGuard const guard(device().ordinal);
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

  ContextId context_;
  std::vector<std::shared_ptr<void const>> owners_;
};

bool sizes_fit(DeviceCsrArrays const& arrays) {
  auto const n = arrays.offsets.size - 1;
  return n >= 0 && n <= std::numeric_limits<Vertex>::max() &&
         (arrays.arc_weights.size == 0 || arrays.arc_weights.size == arrays.heads.size) &&
         (arrays.vertex_weights.size == 0 || arrays.vertex_weights.size == n);
}

}  // namespace

AdoptedGraph adopt_on_cuda(DeviceCsrArrays const& arrays, bool copy) {
  if (!sizes_fit(arrays)) return {};
  int const ordinal = arrays.offsets.device.ordinal;
  SilentExecutor silent(ordinal);
  wait_for(arrays.streams);
  auto graph = std::make_shared<CudaGraph>(ordinal);
  graph->set_size(static_cast<Vertex>(arrays.offsets.size - 1), arrays.heads.size);
  bool const fits = graph->take(silent.ex, arrays.offsets, copy, &CsrView::offsets) &&
                    graph->take(silent.ex, arrays.heads, copy, &CsrView::heads) &&
                    graph->take(silent.ex, arrays.arc_weights, copy, &CsrView::arc_weights) &&
                    graph->take(silent.ex, arrays.vertex_weights, copy, &CsrView::vertex_weights);
  if (!fits) return {};
  auto const facts = examine(silent.ex, graph->view());
  silent.ex.wait();
  if (!facts.clean) return {};
  return {std::move(graph), facts};
}

std::shared_ptr<ResidentGraph const> upload_to_cuda(Graph const& graph, int ordinal) {
  SilentExecutor silent(ordinal);
  auto copy = std::make_shared<CudaGraph>(ordinal);
  copy->upload(silent.ex, graph);
  return copy;
}

}  // namespace procmap
