// SPDX-License-Identifier: MIT
#include "monitor.hpp"

#include <utility>

namespace procmap::python {

namespace py = pybind11;

namespace {

// Taking the GIL costs microseconds, and milliseconds while other Python threads compute.
constexpr auto check_interval = std::chrono::milliseconds(50);

bool is_main_thread() {
  auto const main_thread = py::module_::import("threading").attr("main_thread")();
  return main_thread.attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace

PythonMonitor::PythonMonitor(py::object progress, py::object helpers)
    : progress_(std::move(progress)), helpers_(std::move(helpers)), on_main_thread_(is_main_thread()) {}

Monitor PythonMonitor::callbacks() {
  Monitor monitor;
  bool const reports = !progress_.is_none();
  if (on_main_thread_ || reports) monitor.interrupted = [this] { return interrupted(); };
  if (reports) monitor.progress = [this](std::string const& line) { report(line); };
  if (helpers_.is_none()) return monitor;
  monitor.helpers = {.share = helpers_.attr("share").cast<int>(),
                     .start = [this](std::vector<std::string> const& jobs) { start(jobs); },
                     .finish = [this] { return finish(); }};
  return monitor;
}

void PythonMonitor::start(std::vector<std::string> const& jobs) {
  py::gil_scoped_acquire const gil;
  try {
    py::list list;
    for (auto const& job : jobs) list.append(py::bytes(job));
    helpers_.attr("start")(list);
  } catch (py::error_already_set const& error) {
    raised_ = error;
    throw Interrupted();
  }
}

std::vector<std::string> PythonMonitor::finish() {
  py::gil_scoped_acquire const gil;
  try {
    std::vector<std::string> answers;
    for (auto const answer : helpers_.attr("finish")()) answers.push_back(answer.cast<std::string>());
    return answers;
  } catch (py::error_already_set const& error) {
    raised_ = error;
    throw Interrupted();
  }
}

void PythonMonitor::rethrow() const {
  if (raised_) throw py::error_already_set(*raised_);
}

bool PythonMonitor::interrupted() {
  if (raised_) return true;
  if (!on_main_thread_) return false;
  auto const now = Clock::now();
  if (now < next_check_) return false;
  next_check_ = now + check_interval;
  py::gil_scoped_acquire const gil;
  if (PyErr_CheckSignals() != 0) raised_.emplace();
  return raised_.has_value();
}

void PythonMonitor::report(std::string const& line) {
  if (raised_) return;
  py::gil_scoped_acquire const gil;
  try {
    progress_(line);
  } catch (py::error_already_set const& error) {
    raised_ = error;  // no Python exception crosses the engine: it stops at its next check
  }
}

}  // namespace procmap::python
