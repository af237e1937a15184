// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>

namespace procmap {

/// Of jobs that run at the same time on different threads: what the first that failed has thrown, kept for whoever
/// waits for all of them, and a sign for the others to stop.
class FirstFailure {
 public:
  /// Does f(), and throws on what it throws.
  template <class F>
  void guard(F f) {
    try {
      f();
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
      stop_ = true;
      throw;
    }
  }

  /// Set once a job has failed.
  std::atomic<bool> const& stop() const { return stop_; }

  /// After all jobs.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> stop_ = false, failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace procmap
