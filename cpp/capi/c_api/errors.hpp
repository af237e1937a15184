// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

#include "procmap/procmap.h"

namespace procmap::capi {

/// A NULL or a number that makes no sense as an argument.
class ArgumentError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// What procmap_last_message returns from now on; cut off if too long. Needs no memory.
void set_message(char const* text) noexcept;

/// The status of the exception that is being handled; its text becomes the message.
procmap_status status_of_exception() noexcept;

/// Runs `call`; nothing gets out of it but a status.
template <class Call>
procmap_status guarded(Call const& call) noexcept {
  set_message("");
  try {
    call();
    return PROCMAP_OK;
  } catch (...) {
    return status_of_exception();
  }
}

}  // namespace procmap::capi
