// SPDX-License-Identifier: MIT
#include "cuda/exec/host_jobs.hpp"

#include <system_error>

#include "exec/cpu_executor.hpp"

namespace procmap {

int host_threads(int wanted) { return CpuExecutor::usable_threads(wanted); }

void HostJobs::start() {
  if (team_.valid()) return;
  auto const make = [threads = threads_] {
    return thread_has_memory() ? std::make_shared<CpuTeam>(threads) : std::shared_ptr<CpuTeam>();
  };
  try {
    team_ = std::async(threads_ > 1 ? std::launch::async : std::launch::deferred, make);
  } catch (std::system_error const&) {  // no more threads
    team_ = std::async(std::launch::deferred, make);
  }
}

void HostJobs::run(Edge n, std::function<void(Edge)> const& job, WorkPool::Poll poll, void* context) {
  start();
  auto const range = [&](Edge begin, Edge end) {
    for (Edge i = begin; i < end; ++i) job(i);
  };
  auto* const team = team_.get().get();
  if (!team) return range(0, n);
  team->pool.share({.n = n, .wakes = true, .is_short = false}, range, poll, context);
}

std::shared_ptr<CpuTeam> HostJobs::team() {
  start();
  return team_.get();
}

}  // namespace procmap
