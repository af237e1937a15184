// SPDX-License-Identifier: MIT
#include "exec/thread_team.hpp"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

// LLVM's libomp takes care of forks itself; libgomp has no such function.
extern "C" [[gnu::weak]] void __kmpc_fork_call(void*, int, void*, ...);

namespace procmap {

namespace {

std::mutex preparing;            // nobody takes the threads that another has just found to be free
thread_local int team_size = 0;  // of the calling thread, as far as libgomp keeps it; 0: it has not made any

/// So that this thread can throw when there is no memory at all: the first exception of a thread needs some, and the
/// process ends if there is none.
void prepare_to_throw() { [[maybe_unused]] int const volatile exceptions = std::uncaught_exceptions(); }

/// Whether the calling thread gets some memory.
bool has_memory(std::size_t size) {
  auto* const bytes = static_cast<char volatile*>(std::malloc(size));
  if (!bytes) return false;
  bytes[0] = 0;  // or the compiler leaves it out
  std::free(const_cast<char*>(bytes));
  return true;
}

/// Threads that only wait, until the end of its life.
class WaitingThreads {
 public:
  /// As many as can be started, up to `wanted`.
  explicit WaitingThreads(int wanted) : ids_(static_cast<std::size_t>(wanted)) {
    threads_.reserve(ids_.size());
    try {
      for (auto& id : ids_) threads_.emplace_back([this, &id] { wait(id); });
    } catch (std::system_error const&) {  // no more threads
    } catch (std::bad_alloc const&) {     // no room for more
    }
    for (int n = started_; n < static_cast<int>(threads_.size()); n = started_) started_.wait(n);
  }
  WaitingThreads(WaitingThreads const&) = delete;
  WaitingThreads& operator=(WaitingThreads const&) = delete;
  ~WaitingThreads() {
    end_ = true;
    end_.notify_all();
    for (auto& thread : threads_) thread.join();
    // A joined thread counts against the limits of the system for some microseconds more.
    for (std::size_t i = 0; i < threads_.size(); ++i)
      for (int attempt = 0; attempt < 1000 && ::tgkill(::getpid(), ids_[i], 0) == 0; ++attempt)
        std::this_thread::yield();
  }

  /// How many of them have memory, too.
  int usable() const { return usable_; }

 private:
  void wait(pid_t& id) {
    id = ::gettid();
    if (has_memory(1 << 15)) ++usable_;  // from a region of its own; that of an ended thread goes to the next
    ++started_;
    started_.notify_one();
    end_.wait(false);
  }

  std::vector<pid_t> ids_;
  std::vector<std::thread> threads_;
  std::atomic<int> started_ = 0, usable_ = 0;
  std::atomic<bool> end_ = false;
};

/// How many more threads can be started, `wanted` at most.
int startable(int wanted) {
  if (wanted <= 0) return 0;
  try {
    return WaitingThreads(wanted).usable();
  } catch (std::bad_alloc const&) {  // not even for their ids
    return 0;
  }
}

/// Whether libgomp, which ends the process if it gets no memory, has enough for what it notes of a team.
bool has_memory_for_team(int size) { return has_memory(4096 + 1024 * static_cast<std::size_t>(size)); }

void before_fork() {
  preparing.lock();
  if (__kmpc_fork_call || omp_in_parallel()) return;
  omp_pause_resource_all(omp_pause_soft);
  team_size = 0;
}

void after_fork() { preparing.unlock(); }

[[maybe_unused]] int const registered = ::pthread_atfork(before_fork, after_fork, after_fork);

}  // namespace

int prepare_team(int wanted) {
  prepare_to_throw();
  if (wanted <= 0 || omp_in_parallel()) return wanted;
  if (wanted <= team_size) {
    team_size = wanted;  // libgomp ends threads that the next team has no use for
    return wanted;
  }
  std::lock_guard const lock(preparing);
  int const now = std::max(team_size, 1);
  int size = now + startable(wanted - now);
  while (size > now && !has_memory_for_team(size)) --size;
  if (!has_memory_for_team(size)) throw std::bad_alloc();
#pragma omp parallel num_threads(size)
  prepare_to_throw();
  team_size = size;
  return size;
}

}  // namespace procmap
