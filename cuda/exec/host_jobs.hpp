// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "exec/work_pool.hpp"
#include "procmap/types.hpp"

namespace procmap {

// The host's part of a run on the GPU.

/// Threads that a caller gets who asks for `wanted`, as on the CPU.
int host_threads(int wanted);

/// Up to `threads` threads of the host, from the first jobs on.
class HostJobs {
 public:
  explicit HostJobs(int threads) : threads_(threads) {}

  int threads() const { return threads_; }
  /// job(i) for all i < n; job may throw.
  void run(Edge n, std::function<void(Edge)> const& job);

 private:
  int threads_;
  std::unique_ptr<WorkPool> pool_;
};

}  // namespace procmap
