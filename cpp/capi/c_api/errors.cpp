// SPDX-License-Identifier: MIT
#include "c_api/errors.hpp"

#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "procmap/error.hpp"

namespace procmap::capi {
namespace {

// Of a fixed size: there must be room for it when there is no memory.
thread_local std::array<char, 1024> last_message{};

procmap_status fail(procmap_status status, char const* text) noexcept {
  set_message(text);
  return status;
}

}  // namespace

void set_message(char const* text) noexcept {
  auto const length = std::min(std::strlen(text), last_message.size() - 1);
  std::memcpy(last_message.data(), text, length);
  last_message[length] = '\0';
}

procmap_status status_of_exception() noexcept {
  try {
    throw;
  } catch (ArgumentError const& error) {
    return fail(PROCMAP_ERROR_ARGUMENT, error.what());
  } catch (GraphError const& error) {
    return fail(PROCMAP_ERROR_GRAPH, error.what());
  } catch (TopologyError const& error) {
    return fail(PROCMAP_ERROR_TOPOLOGY, error.what());
  } catch (ConfigError const& error) {
    return fail(PROCMAP_ERROR_OPTION, error.what());
  } catch (DeviceError const& error) {
    return fail(PROCMAP_ERROR_DEVICE, error.what());
  } catch (DeviceOutOfMemory const& error) {
    return fail(PROCMAP_ERROR_MEMORY, error.what());
  } catch (std::bad_alloc const&) {
    return fail(PROCMAP_ERROR_MEMORY, "out of memory");
  } catch (std::length_error const&) {
    return fail(PROCMAP_ERROR_MEMORY, "out of memory: an array larger than any memory");
  } catch (FileError const& error) {
    return fail(PROCMAP_ERROR_FILE, error.what());
  } catch (std::overflow_error const& error) {
    return fail(PROCMAP_ERROR_OVERFLOW, error.what());
  } catch (Interrupted const& error) {
    return fail(PROCMAP_ERROR_INTERRUPTED, error.what());
  } catch (std::invalid_argument const& error) {
    return fail(PROCMAP_ERROR_ARGUMENT, error.what());
  } catch (std::exception const& error) {
    return fail(PROCMAP_ERROR_INTERNAL, error.what());
  } catch (...) {
    return fail(PROCMAP_ERROR_INTERNAL, "an exception of an unknown type");
  }
}

}  // namespace procmap::capi

char const* procmap_last_message(void) { return procmap::capi::last_message.data(); }

char const* procmap_status_name(procmap_status status) {
  static constexpr std::array names = {
      "PROCMAP_OK",
      "PROCMAP_ERROR_ARGUMENT",
      "PROCMAP_ERROR_GRAPH",
      "PROCMAP_ERROR_TOPOLOGY",
      "PROCMAP_ERROR_OPTION",
      "PROCMAP_ERROR_DEVICE",
      "PROCMAP_ERROR_MEMORY",
      "PROCMAP_ERROR_FILE",
      "PROCMAP_ERROR_OVERFLOW",
      "PROCMAP_ERROR_INTERRUPTED",
      "PROCMAP_ERROR_INTERNAL",
  };
  return status >= 0 && static_cast<std::size_t>(status) < names.size() ? names[static_cast<std::size_t>(status)]
                                                                        : "unknown";
}
