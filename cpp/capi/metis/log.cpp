// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "metis/call.hpp"

namespace procmap_metis {
namespace {

// Of a fixed size: there must be room for it when there is no memory.
thread_local std::array<char, 1024> last_message{};

int fail(int code, char const* text) noexcept {
  set_message(text);
  return code;
}

rstatus_et code_of(procmap_status status) {
  switch (status) {
    case PROCMAP_ERROR_MEMORY:
      return METIS_ERROR_MEMORY;
    case PROCMAP_ERROR_ARGUMENT:
    case PROCMAP_ERROR_GRAPH:
    case PROCMAP_ERROR_TOPOLOGY:
    case PROCMAP_ERROR_OPTION:
    case PROCMAP_ERROR_OVERFLOW:
      return METIS_ERROR_INPUT;
    default:
      return METIS_ERROR;
  }
}

/// The message as a string of JSON: quotes, backslashes and control characters become blanks or apostrophes.
std::array<char, 1024> plain_message() {
  auto text = last_message;
  for (char& c : text) {
    if (c == '"') c = '\'';
    if (c == '\\' || (c > 0 && c < ' ')) c = ' ';
  }
  return text;
}

}  // namespace

void require_ok(procmap_status status) {
  if (status != PROCMAP_OK) throw Failure(code_of(status), procmap_last_message());
}

void set_message(char const* text) noexcept {
  auto const length = std::min(std::strlen(text), last_message.size() - 1);
  std::memcpy(last_message.data(), text, length);
  last_message[length] = '\0';
}

int code_of_exception() noexcept {
  try {
    throw;
  } catch (Failure const& failure) {
    return fail(failure.code(), failure.what());
  } catch (std::bad_alloc const&) {
    return fail(METIS_ERROR_MEMORY, "out of memory");
  } catch (std::length_error const&) {
    return fail(METIS_ERROR_MEMORY, "out of memory: an array larger than any memory");
  } catch (std::exception const& error) {
    return fail(METIS_ERROR, error.what());
  } catch (...) {
    return fail(METIS_ERROR, "an exception of an unknown type");
  }
}

void log_call(Record const& record, int code, double seconds) noexcept {
  char const* const path = std::getenv("PROCMAP_METIS_LOG");
  if (path == nullptr || *path == '\0') return;
  // One write of one line: several processes may append to the same file.
  std::array<char, 2048> line{};
  int const length = std::snprintf(line.data(), line.size(),
                                   "{\"function\": \"%s\", \"code\": %d, \"vertices\": %" PRId64 ", \"arcs\": %" PRId64
                                   ", \"parts\": %" PRId64 ", \"cut\": %" PRId64
                                   ", \"heaviest\": %.6f, \"seconds\": %.6f, \"message\": \"%s\"}\n",
                                   record.function, code, record.vertices, record.arcs, record.parts, record.cut,
                                   record.heaviest, seconds, plain_message().data());
  if (auto* const file = std::fopen(path, "a")) {
    std::fwrite(line.data(), 1, static_cast<std::size_t>(length), file);
    std::fclose(file);
  }
}

}  // namespace procmap_metis

char const* procmap_metis_message(void) { return procmap_metis::last_message.data(); }
