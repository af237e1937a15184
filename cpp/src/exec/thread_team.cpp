// SPDX-License-Identifier: MIT
#include "exec/thread_team.hpp"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
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
thread_local int team_size = 1;  // of the calling thread, as far as libgomp keeps its threads waiting

/// So that this thread can throw when there is no memory at all: the first exception of a thread needs some, and the
/// process ends if there is none.
void prepare_to_throw() { [[maybe_unused]] int const volatile exceptions = std::uncaught_exceptions(); }

/// Whether a new thread gets memory, which it takes from a region of its own. That of an ended thread goes to the next.
bool has_memory() {
  constexpr std::size_t some = 1 << 15;
  auto* const bytes = static_cast<char volatile*>(std::malloc(some));
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
    if (has_memory()) ++usable_;
    ++started_;
    started_.notify_one();
    end_.wait(false);
  }

  std::vector<pid_t> ids_;
  std::vector<std::thread> threads_;
  std::atomic<int> started_ = 0, usable_ = 0;
  std::atomic<bool> end_ = false;
};

/// How many more threads can be started, `wanted` at most, with some memory left for what libgomp notes of them.
int startable(int wanted) {
  WaitingThreads const threads(wanted);
  std::size_t const notes = 4096 + 1024 * static_cast<std::size_t>(wanted);
  auto const left = std::make_unique_for_overwrite<std::byte volatile[]>(notes);
  left[0] = std::byte{};  // or the compiler leaves it out
  return threads.usable();
}

void before_fork() {
  preparing.lock();
  if (__kmpc_fork_call || omp_in_parallel()) return;
  omp_pause_resource_all(omp_pause_soft);
  team_size = 1;
}

void after_fork() { preparing.unlock(); }

[[maybe_unused]] int const registered = ::pthread_atfork(before_fork, after_fork, after_fork);

}  // namespace

int prepare_team(int wanted) {
  prepare_to_throw();
  if (wanted <= 1 || omp_in_parallel()) return wanted;
  if (wanted <= team_size) {
    team_size = wanted;  // libgomp ends threads that the next team has no use for
    return wanted;
  }
  std::lock_guard const lock(preparing);
  int const size = team_size + startable(wanted - team_size);
#pragma omp parallel num_threads(size)
  prepare_to_throw();
  team_size = size;
  return size;
}

}  // namespace procmap
