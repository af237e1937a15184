// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

/// One call of the library: what it records and how it listens to its caller. Belongs to the
/// calling thread.
class Run {
 public:
  explicit Run(Monitor const& monitor) : monitor_(monitor) {}

  /// Throws Interrupted if the caller asked to stop, OutOfTime after the time set by stop_after.
  void checkpoint() const {
    if (monitor_.interrupted && monitor_.interrupted()) throw Interrupted();
    if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) throw OutOfTime();
  }

  void stop_after(double seconds) {
    constexpr double longest = 1e8;  // three years: what a clock can add without overflow
    auto const span = std::chrono::duration<double>(std::clamp(seconds, 0.0, longest));
    deadline_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(span);
  }

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
    if (monitor_.progress)
      monitor_.progress(level.stage + ", level " + std::to_string(level.level) + ": " + std::to_string(level.vertices) +
                        " vertices, cost " + std::to_string(level.cost) + " after " + std::to_string(level.rounds) +
                        " rounds");
    stats_.levels.push_back(std::move(level));
  }

  Stats& stats() { return stats_; }
  void mark_phases(PhaseMarks marks) { marks_ = marks; }
  PhaseMarks const& marks() const { return marks_; }

 private:
  friend class Phase;
  friend class DeviceTime;
  using Clock = std::chrono::steady_clock;

  /// The time since the last call goes to the innermost phase, so that no moment counts twice.
  void charge_phase();

  Monitor const& monitor_;
  std::optional<Clock::time_point> deadline_;
  PhaseMarks marks_;
  Stats stats_;
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

}  // namespace procmap
