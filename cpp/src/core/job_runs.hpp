// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "core/first_failure.hpp"
#include "core/run.hpp"

namespace procmap {

/// Jobs of a call that run at the same time on different threads, each with a Run of its own. When one of them throws,
/// the others stop at their next checkpoint. At the end the call adopts what they recorded, in the order of the jobs,
/// whoever was first.
class JobRuns {
 public:
  JobRuns(Run& whole, std::int64_t jobs) : whole_(whole) {
    whole.begin_jobs();
    runs_.reserve(static_cast<std::size_t>(jobs));
    for (std::int64_t i = 0; i < jobs; ++i) runs_.emplace_back(Run(whole, failure_.stop()));
  }
  JobRuns(JobRuns const&) = delete;
  JobRuns& operator=(JobRuns const&) = delete;

  /// f(run of the job).
  template <class F>
  void run(std::int64_t job, F f) {
    failure_.guard([&] { f(runs_[static_cast<std::size_t>(job)]); });
  }
  /// share(poll, context) has threads run the jobs and calls poll(context) now and then while it waits for them. Throws
  /// what the first job that failed has thrown, or else what share has.
  template <class Share>
  void run_all(Share share) {
    std::exception_ptr failure;
    try {
      share([](void* jobs) { static_cast<JobRuns*>(jobs)->poll(); }, this);
    } catch (...) {
      failure = std::current_exception();
    }
    finish();
    if (failure) std::rethrow_exception(failure);
  }
  /// For a thread that waits for the jobs: lets the caller interrupt, if it is the caller's.
  void poll() {
    if (!failure_.stop()) failure_.guard([&] { whole_.checkpoint(); });  // who has said so is not asked again
  }
  /// After all jobs: throws what the first that failed has thrown.
  void finish() {
    failure_.rethrow();
    double busy = 0;
    for (auto const& run : runs_)
      for (auto const& phase : run.stats().phases) busy += phase.seconds;
    whole_.adopt(runs_, busy);
  }

 private:
  Run& whole_;
  FirstFailure failure_;
  std::vector<Run> runs_;
};

}  // namespace procmap
