// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <string>

namespace procmap::test {

/// The message of the `Error` that f throws; what it does instead otherwise.
template <class Error, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  } catch (std::exception const& error) {
    return std::string("[another exception] ") + error.what();
  }
  return "[no exception]";
}

}  // namespace procmap::test
