// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <future>
#include <memory>

#include "exec/cpu_passes.hpp"
#include "procmap/types.hpp"

namespace procmap {

// The host's part of a run on the GPU.

/// Threads that a caller gets who asks for `wanted`, as on the CPU.
int host_threads(int wanted);

/// Up to `threads` threads of the host, from the start or the first jobs on. Copies made after that have the same ones.
class HostJobs {
 public:
  explicit HostJobs(int threads) : threads_(threads) {}

  int threads() const { return threads_; }
  /// Starts the threads if nobody has, and does not wait for them: 16 take about a millisecond.
  void start();
  /// job(i) for all i < n; job may throw. poll(context) is called now and then while the calling thread waits.
  void run(Edge n, std::function<void(Edge)> const& job, WorkPool::Poll poll = nullptr, void* context = nullptr);
  /// The threads, for passes on the host; null where the system gives them no memory.
  std::shared_ptr<CpuTeam> team();

 private:
  int threads_;
  std::shared_future<std::shared_ptr<CpuTeam>> team_;
};

}  // namespace procmap
