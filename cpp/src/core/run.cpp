// SPDX-License-Identifier: MIT
#include "core/run.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "procmap/error.hpp"
#include "procmap/monitor.hpp"

namespace procmap {

ThreadMark mark_of_this_thread() {
  thread_local char const mark = 0;
  return &mark;
}

void Run::checkpoint() const {
  for (auto const* run = this; run->whole_; run = run->whole_)
    if (run->stop_->load(std::memory_order_relaxed)) throw Interrupted();
  bool const may_ask = mark_of_this_thread() == caller_;
  if (may_ask && monitor_.interrupted && monitor_.interrupted()) throw Interrupted();
  if (deadline_ && now() >= *deadline_) throw OutOfTime();
}

void Run::add_phase(std::string_view name, double seconds, std::int64_t calls) {
  for (auto& phase : stats_.phases)
    if (phase.name == name) {
      phase.seconds += seconds;
      phase.calls += calls;
      return;
    }
  stats_.phases.push_back({std::string(name), seconds, calls});
}

void Run::add_level(LevelStats level) {
  if (monitor_.progress && !whole_)  // of a job: when the call adopts it
    monitor_.progress(level.stage + ", level " + std::to_string(level.level) + ": " + std::to_string(level.vertices) +
                      " vertices, cost " + std::to_string(level.cost) + " after " + std::to_string(level.rounds) +
                      " rounds");
  stats_.levels.push_back(std::move(level));
}

Helpers const* Run::helpers() const { return whole_ || monitor_.helpers.share <= 0 ? nullptr : &monitor_.helpers; }

void Run::charge_phase() {
  Moment const at = now();
  if (innermost_ && !on_device_) innermost_->seconds_ += seconds_between(charged_, at);
  charged_ = at;
}

void Run::adopt(std::vector<Run>& jobs, double busy) {
  Moment const at = now();
  double const wall = seconds_between(charged_, at);
  double const scale = busy > wall && busy > 0 ? wall / busy : 1;
  for (auto& job : jobs) {
    for (auto const& phase : job.stats_.phases) add_phase(phase.name, phase.seconds * scale, phase.calls);
    for (auto& level : job.stats_.levels) add_level(std::move(level));
  }
  if (innermost_) innermost_->seconds_ += std::max(0.0, wall - busy);
  charged_ = at;
}

Phase::Phase(Run& run, std::string_view name) : run_(run), name_(name) {
  run.checkpoint();
  if (run.marks().begin) run.marks().begin(name);
  run.charge_phase();
  outer_ = std::exchange(run.innermost_, this);
}

Phase::~Phase() {
  run_.charge_phase();
  run_.innermost_ = outer_;
  try {
    run_.add_phase(name_, seconds_);
  } catch (std::bad_alloc const&) {  // an exception must not leave a destructor: the time goes unnoted
  }
  if (run_.marks().end) run_.marks().end();
}

}  // namespace procmap
