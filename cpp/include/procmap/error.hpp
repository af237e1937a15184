// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "procmap/export.h"

namespace procmap PROCMAP_API {

/// The graph is malformed; the message names the first offending vertex or arc and its value.
class GraphError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The machine description is malformed.
class TopologyError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A parameter lies outside its range; the message names the field, its value and the range.
class ConfigError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A GPU was asked for that cannot be used, or it failed; the message says why.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A GPU has no room. Nothing is lost: everything is given back and the next call may work.
class DeviceOutOfMemory : public std::bad_alloc {
 public:
  explicit DeviceOutOfMemory(std::string message) : message_(std::move(message)) {}
  char const* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// A file cannot be read or written; the message is "PATH:LINE: what is wrong".
class FileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller asked to stop (Monitor::interrupted returned true).
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace procmap PROCMAP_API
