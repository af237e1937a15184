// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "coarsening/level.hpp"
#include "core/run.hpp"
#if defined(PROCMAP_TEST_CUDA)
#include "cuda/exec/cuda_executor.cuh"
#else
#include "exec/cpu_executor.hpp"
#endif
#include "procmap/monitor.hpp"
#include "support/graphs.hpp"
#include "support/traced.hpp"

// Where phases run in a test. Tests put std::vectors and graphs on the machine, hand the buffers to phases and get
// vectors back; they never look through a pointer of the machine. Passes of the tests themselves are free functions,
// because nvcc admits no device lambda in TEST(), and mark their lambdas PROCMAP_LAMBDA.

namespace procmap::test {

inline Traced<int> traced_threads(std::vector<int> counts, std::source_location where) {
  return {std::move(counts), [](int threads) { return std::to_string(threads) + " threads"; }, where};
}

/// An executor with its own silent run, and transfers in terms of std::vector.
template <class Executor_>
class BasicBackend {
 public:
  using Exec = Executor_;

  explicit BasicBackend(int threads = 2) : run_(monitor_), ex(threads, run_) {}
  BasicBackend(BasicBackend const&) = delete;
  BasicBackend& operator=(BasicBackend const&) = delete;

  /// The numbers of threads with which results must be the same; a machine without threads has a single entry.
  static Traced<int> thread_counts(std::source_location where = std::source_location::current()) {
    return traced_threads(worthwhile_threads({1, 2, 7}), where);
  }

  template <class T>
  Buffer<Exec, T> make(std::size_t n) {
    return ex.template buffer<T>(n);
  }
  template <class T>
  Buffer<Exec, T> put(std::vector<T> const& values) {
    auto buffer = make<T>(values.size());
    ex.upload(values.data(), static_cast<Edge>(values.size()), buffer.data());
    return buffer;
  }
  /// The arrays as they are: no weights mean 1 on both sides.
  OwnedGraph<Exec> put(Csr const& csr) {
    return {csr.num_vertices(),   static_cast<Edge>(csr.heads.size()),
            put(csr.offsets),     put(csr.heads),
            put(csr.arc_weights), put(csr.vertex_weights)};
  }
  OwnedGraph<Exec> put(Graph const& graph) { return put(to_csr(graph)); }

  template <class T>
  std::vector<T> get(T const* data, std::size_t n) {
    std::vector<T> values(n);
    ex.download(data, static_cast<Edge>(n), values.data());
    return values;
  }
  template <class Buffer_>
  auto get(Buffer_ const& buffer) {
    using T = std::remove_cvref_t<decltype(*buffer.data())>;
    return get(static_cast<T const*>(buffer.data()), buffer.size());
  }
  Csr get(OwnedGraph<Exec> const& graph) {
    auto arc_weights = get(graph.arc_weights);
    for (auto const weight : get(graph.narrow_arc_weights)) arc_weights.push_back(weight);
    return {get(graph.offsets), get(graph.heads), std::move(arc_weights), get(graph.vertex_weights)};
  }

  /// Returns when everything asked for so far is done.
  void wait() {}
  /// What the run has recorded so far; to be called once.
  std::vector<PhaseTime> const& phases() { return run_.stats().phases; }

  Run& run() { return run_; }

 private:
  Monitor monitor_;
  Run run_;

 public:
  Exec ex;  // after the run it reports to
};

// The one under test.
#if defined(PROCMAP_TEST_CUDA)
class CudaBackend : public BasicBackend<CudaExecutor> {
 public:
  using BasicBackend::BasicBackend;
  static Traced<int> thread_counts(std::source_location where = std::source_location::current()) {
    return traced_threads({2}, where);
  }
  void wait() { ex.wait(); }
  std::vector<PhaseTime> const& phases() {
    ex.report_resident_phases();
    return run().stats().phases;
  }
};
using Backend = CudaBackend;
#else
using CpuBackend = BasicBackend<CpuExecutor>;
using Backend = CpuBackend;
#endif

}  // namespace procmap::test
