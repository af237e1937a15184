// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "cuda/exec/cuda_executor.cuh"
#include "cuda/exec/staging.hpp"
#include "graph/csr_view.hpp"
#include "procmap/graph.hpp"

namespace procmap {

/// Copies the arrays of a graph to the device of the executor, into memory that allocate(bytes) returns and the caller
/// keeps. They are there when it returns.
template <class Allocate>
CsrView upload_graph(CudaExecutor& ex, Graph const& graph, Allocate allocate) {
  Phase phase(ex.run(), "upload");
  auto const place = [&]<class T>(std::span<T const> values) {
    return values.empty() ? nullptr : static_cast<T*>(allocate(values.size_bytes()));
  };
  auto* const offsets = place(graph.offsets());
  auto* const heads = place(graph.heads());
  auto* const arc_weights = place(graph.arc_weights());
  auto* const vertex_weights = place(graph.vertex_weights());
  ex.wait();  // the memory is there for all streams
  Stream const stream;
  auto const upload = [&]<class T>(std::span<T const> values, T* to) {
    if (to) upload_staged(values.data(), values.size_bytes(), to, stream.get(), ex.threads());
  };
  upload(graph.offsets(), offsets);
  upload(graph.heads(), heads);
  upload(graph.arc_weights(), arc_weights);
  upload(graph.vertex_weights(), vertex_weights);
  stream.wait();
  CsrView view{graph.num_vertices(), graph.num_arcs(), offsets, heads, arc_weights, vertex_weights};
  view.max_degree = graph.max_degree();
  return view;
}

}  // namespace procmap
