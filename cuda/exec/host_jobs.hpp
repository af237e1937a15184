// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "core/run.hpp"
#include "procmap/types.hpp"

namespace procmap {

// The host's part of a run on the GPU. OpenMP belongs to the host compiler: nvcc does not see it.

/// Threads that a caller gets who asks for `wanted`, as on the CPU.
int host_threads(int wanted);

/// job(i) for all i < n on up to `threads` threads of the host; job may throw.
void run_host_jobs(int threads, Run& run, Edge n, std::function<void(Edge)> const& job);

}  // namespace procmap
