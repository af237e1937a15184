// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

#include "metis/failure.hpp"

namespace procmap_metis {

/// What is noted of a call.
struct Record {
  char const* function;
  std::int64_t vertices = 0, arcs = 0, parts = 0, cut = 0;
  double heaviest = 0;  ///< the largest load of a part over what it should be
};

/// Sets what procmap_metis_message returns; cut off if too long. Needs no memory.
void set_message(char const* text) noexcept;

/// The return code of the exception that is being handled; its text becomes the message.
int code_of_exception() noexcept;

/// Appends a line to the file that PROCMAP_METIS_LOG names, if it names one.
void log_call(Record const& record, int code, double seconds) noexcept;

/// Runs `work(record)`; nothing gets out of it but a return code of METIS.
template <class Work>
int guarded(char const* function, Work const& work) noexcept {
  auto const start = std::chrono::steady_clock::now();
  set_message("");
  Record record{function};
  int code = METIS_OK;
  try {
    work(record);
  } catch (...) {
    code = code_of_exception();
  }
  log_call(record, code, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return code;
}

}  // namespace procmap_metis
