// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/stopwatch.hpp"
#include "procmap/stats.hpp"

namespace procmap PROCMAP_API {
struct Helpers;
struct Monitor;
}  // namespace procmap PROCMAP_API

namespace procmap {

/// Told of every phase, for profilers; either may be null.
struct PhaseMarks {
  void (*begin)(std::string_view name) = nullptr;
  void (*end)() = nullptr;
};

class Phase;

/// Tells threads apart that are alive.
using ThreadMark = void const*;
ThreadMark mark_of_this_thread();

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
  void checkpoint() const;

  void stop_after(double seconds) { deadline_ = moment_in(seconds); }

  /// Of what has to be finished: from then on in_hurry() is true.
  void hurry_after(double seconds) { hurries_from_ = moment_in(seconds); }
  /// Is what only makes a mapping better to be left out? May be asked by any thread.
  bool in_hurry() const { return hurries_from_ && now() >= *hurries_from_; }

  void add_phase(std::string_view name, double seconds, std::int64_t calls = 1);
  void add_level(LevelStats level);

  /// From here on jobs are at work.
  void begin_jobs() { charge_phase(); }
  /// Takes over what jobs have recorded, whose phases took `busy` seconds of all threads together. The call was
  /// shorter since they began, and so are its phases.
  void adopt(std::vector<Run>& jobs, double busy);

  /// Who does parts of the call elsewhere; null in a job, and if there is nobody.
  Helpers const* helpers() const;

  Stats& stats() { return stats_; }
  Stats const& stats() const { return stats_; }
  void mark_phases(PhaseMarks marks) { marks_ = marks; }
  PhaseMarks const& marks() const { return marks_; }

 private:
  friend class Phase;
  friend class DeviceTime;

  /// The time since the last call goes to the innermost phase, so that no moment counts twice.
  void charge_phase();

  Monitor const& monitor_;
  std::optional<Moment> deadline_, hurries_from_;
  PhaseMarks marks_;
  Stats stats_;
  Run const* whole_ = nullptr;               // of a job
  std::atomic<bool> const* stop_ = nullptr;  // ... it ends when this is true
  ThreadMark caller_ = mark_of_this_thread();
  Phase* innermost_ = nullptr;
  bool on_device_ = false;
  Moment charged_ = 0;
};

/// Times one phase of the method, from here to the end of the block, but for the phases inside it, which have times of
/// their own: the seconds of all phases never add up to more than those of the call.
class Phase {
 public:
  Phase(Run& run, std::string_view name);
  Phase(Phase const&) = delete;
  Phase& operator=(Phase const&) = delete;
  ~Phase();

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

}  // namespace procmap
