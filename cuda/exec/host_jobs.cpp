// SPDX-License-Identifier: MIT
#include "cuda/exec/host_jobs.hpp"

#include "exec/cpu_executor.hpp"

namespace procmap {

int host_threads(int wanted) { return CpuExecutor::usable_threads(wanted); }

void HostJobs::run(Edge n, std::function<void(Edge)> const& job) {
  if (!pool_) pool_ = std::make_unique<WorkPool>(threads_);
  pool_->share({.n = n, .wakes = true, .is_short = false}, [&](Edge begin, Edge end) {
    for (Edge i = begin; i < end; ++i) job(i);
  });
}

}  // namespace procmap
