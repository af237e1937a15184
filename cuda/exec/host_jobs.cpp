// SPDX-License-Identifier: MIT
#include "cuda/exec/host_jobs.hpp"

#include "exec/cpu_executor.hpp"

namespace procmap {

int host_threads(int wanted) { return CpuExecutor::usable_threads(wanted); }

void run_host_jobs(int threads, Run& run, Edge n, std::function<void(Edge)> const& job) {
  CpuExecutor(threads, run).for_each_job(n, [&](Edge i) { job(i); });
}

}  // namespace procmap
