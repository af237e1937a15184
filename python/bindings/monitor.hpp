// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"

namespace procmap::python {

/// Connects one C++ call to Python: Ctrl-C and progress lines. Made, used and destroyed on the
/// calling thread; the functions handed out refer to this object and take the GIL themselves.
class PythonMonitor {
 public:
  /// `progress` is called with one line of text, or is None.
  /// `helpers` has `share`, `start(jobs)` and `finish()`, as procmap::Helpers, or is None.
  explicit PythonMonitor(pybind11::object progress, pybind11::object helpers = pybind11::none());
  PythonMonitor(PythonMonitor const&) = delete;
  PythonMonitor& operator=(PythonMonitor const&) = delete;

  Monitor callbacks();

  /// Raises what the signal handler or the progress function raised, KeyboardInterrupt as a
  /// rule; returns if nothing was raised. Needs the GIL.
  void rethrow() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool interrupted();
  void report(std::string const& line);
  void start(std::vector<std::string> const& jobs);
  std::vector<std::string> finish();

  pybind11::object progress_, helpers_;
  bool on_main_thread_;  ///< Python runs signal handlers on its main thread only
  Clock::time_point next_check_ = Clock::now();
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace procmap::python
