// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "metis.h"
#include "procmap/procmap.h"

namespace procmap_metis {

/// Ends a call with one of METIS's return codes.
class Failure : public std::runtime_error {
 public:
  Failure(rstatus_et code, std::string const& message) : std::runtime_error(message), code_(code) {}
  rstatus_et code() const { return code_; }

 private:
  rstatus_et code_;
};

[[noreturn]] inline void refuse(std::string const& message) { throw Failure(METIS_ERROR_INPUT, message); }

/// Ends a call with what procmap said, unless that is PROCMAP_OK.
void require_ok(procmap_status status);

/// `pointer` as a reference; METIS_ERROR_INPUT "NAME is NULL".
template <class T>
T& required(T* pointer, char const* name) {
  if (pointer == nullptr) refuse(std::string(name) + " is NULL");
  return *pointer;
}

}  // namespace procmap_metis
