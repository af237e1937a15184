// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "procmap/procmap.hpp"

namespace procmap {

/// Told of every phase, for profilers; either may be null.
struct PhaseMarks {
  void (*begin)(std::string_view name) = nullptr;
  void (*end)() = nullptr;
};

class Phase;

/// Thrown by a checkpoint after the time limit; ends an attempt and never leaves the library.
struct OutOfTime {};

/// One call of the library, or one of its jobs: what it records and how it listens to its caller. Belongs to the thread
/// that works on it.
class Run {
 public:
  explicit Run(Monitor const& monitor) : monitor_(monitor) {}
  /// Of a job of `whole`, which outlives it; ends when `stop` becomes true. See JobRuns.
  Run(Run const& whole, std::atomic<bool> const& stop)
      : monitor_(whole.monitor_),
        deadline_(whole.deadline_),
        hurries_from_(whole.hurries_from_),
        marks_(whole.marks_),
        whole_(&whole),
        stop_(&stop),
        caller_(whole.caller_) {}

  /// Throws Interrupted if the caller asked to stop or the job is no longer wanted, OutOfTime after the time set by
  /// stop_after. The caller is only asked on its own thread.
  void checkpoint() const {
    for (auto const* run = this; run->whole_; run = run->whole_)
      if (run->stop_->load(std::memory_order_relaxed)) throw Interrupted();
    bool const may_ask = std::this_thread::get_id() == caller_;
    if (may_ask && monitor_.interrupted && monitor_.interrupted()) throw Interrupted();
    if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) throw OutOfTime();
  }

  void stop_after(double seconds) { deadline_ = time_in(seconds); }

  /// Of what has to be finished: from then on in_hurry() is true.
  void hurry_after(double seconds) { hurries_from_ = time_in(seconds); }
  /// Is what only makes a mapping better to be left out? May be asked by any thread.
  bool in_hurry() const { return hurries_from_ && Clock::now() >= *hurries_from_; }

  void add_phase(std::string_view name, double seconds, std::int64_t calls = 1) {
    for (auto& phase : stats_.phases)
      if (phase.name == name) {
        phase.seconds += seconds;
        phase.calls += calls;
        return;
      }
    stats_.phases.push_back({std::string(name), seconds, calls});
  }

  void add_level(LevelStats level) {
    if (monitor_.progress && !whole_)  // of a job: when the call adopts it
      monitor_.progress(level.stage + ", level " + std::to_string(level.level) + ": " + std::to_string(level.vertices) +
                        " vertices, cost " + std::to_string(level.cost) + " after " + std::to_string(level.rounds) +
                        " rounds");
    stats_.levels.push_back(std::move(level));
  }

  /// From here on jobs are at work.
  void begin_jobs() { charge_phase(); }
  /// Takes over what jobs have recorded, whose phases took `busy` seconds of all threads together. The call was
  /// shorter since they began, and so are its phases.
  void adopt(std::vector<Run>& jobs, double busy);

  /// Who does parts of the call elsewhere; null in a job, and if there is nobody.
  Helpers const* helpers() const { return whole_ || monitor_.helpers.share <= 0 ? nullptr : &monitor_.helpers; }

  Stats& stats() { return stats_; }
  Stats const& stats() const { return stats_; }
  void mark_phases(PhaseMarks marks) { marks_ = marks; }
  PhaseMarks const& marks() const { return marks_; }

 private:
  friend class Phase;
  friend class DeviceTime;
  using Clock = std::chrono::steady_clock;

  static Clock::time_point time_in(double seconds) {
    constexpr double longest = 1e8;  // three years: what a clock can add without overflow
    auto const span = std::chrono::duration<double>(std::clamp(seconds, 0.0, longest));
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(span);
  }

  /// The time since the last call goes to the innermost phase, so that no moment counts twice.
  void charge_phase();

  Monitor const& monitor_;
  std::optional<Clock::time_point> deadline_, hurries_from_;
  PhaseMarks marks_;
  Stats stats_;
  Run const* whole_ = nullptr;               // of a job
  std::atomic<bool> const* stop_ = nullptr;  // ... it ends when this is true
  std::thread::id caller_ = std::this_thread::get_id();
  Phase* innermost_ = nullptr;
  bool on_device_ = false;
  Clock::time_point charged_;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Times one phase of the method, from here to the end of the block, but for the phases inside it, which have times of
/// their own: the seconds of all phases never add up to more than those of the call.
class Phase {
 public:
  Phase(Run& run, std::string_view name) : run_(run), name_(name) {
    run.checkpoint();
    if (run.marks().begin) run.marks().begin(name);
    run.charge_phase();
    outer_ = std::exchange(run.innermost_, this);
  }
  Phase(Phase const&) = delete;
  Phase& operator=(Phase const&) = delete;
  ~Phase() {
    run_.charge_phase();
    run_.innermost_ = outer_;
    try {
      run_.add_phase(name_, seconds_);
    } catch (std::bad_alloc const&) {  // an exception must not leave a destructor: the time goes unnoted
    }
    if (run_.marks().end) run_.marks().end();
  }

 private:
  friend class Run;

  Run& run_;
  std::string_view name_;
  Phase* outer_ = nullptr;
  double seconds_ = 0;
};

/// While it lives, time goes to no phase of the host: a device is at phases that it times itself, and the host does
/// nothing else but launch more work and wait.
class DeviceTime {
 public:
  explicit DeviceTime(Run& run) : run_(run) {
    run.charge_phase();
    run.on_device_ = true;
  }
  DeviceTime(DeviceTime const&) = delete;
  DeviceTime& operator=(DeviceTime const&) = delete;
  ~DeviceTime() {
    run_.charge_phase();
    run_.on_device_ = false;
  }

 private:
  Run& run_;
};

inline void Run::charge_phase() {
  auto const now = Clock::now();
  if (innermost_ && !on_device_) innermost_->seconds_ += std::chrono::duration<double>(now - charged_).count();
  charged_ = now;
}

inline void Run::adopt(std::vector<Run>& jobs, double busy) {
  auto const now = Clock::now();
  double const wall = std::chrono::duration<double>(now - charged_).count();
  double const scale = busy > wall && busy > 0 ? wall / busy : 1;
  for (auto& job : jobs) {
    for (auto const& phase : job.stats_.phases) add_phase(phase.name, phase.seconds * scale, phase.calls);
    for (auto& level : job.stats_.levels) add_level(std::move(level));
  }
  if (innermost_) innermost_->seconds_ += std::max(0.0, wall - busy);
  charged_ = now;
}

}  // namespace procmap
