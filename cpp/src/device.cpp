// SPDX-License-Identifier: MIT
#include "device.hpp"

#include <charconv>
#include <stdexcept>
#include <string>

#include "backends.hpp"
#include "procmap/error.hpp"

namespace procmap {
namespace {

/// The number of the GPU in "cuda" or "cuda:N".
int parse_cuda_device(std::string_view device) {
  constexpr std::string_view prefix = "cuda";
  int ordinal = 0;
  auto const number = device.starts_with(prefix) ? device.substr(prefix.size()) : "?";
  if (number.empty()) return ordinal;
  auto const* const end = number.data() + number.size();
  auto const [last, error] = std::from_chars(number.data() + 1, end, ordinal);
  if (number.front() != ':' || error != std::errc() || last != end || ordinal < 0)
    throw ConfigError("device = \"" + std::string(device) + "\" is none of \"auto\", \"cpu\", \"cuda\" and \"cuda:N\"");
  return ordinal;
}

#if defined(PROCMAP_HAS_CUDA)
void check_usable(int ordinal) {
  int const count = count_cuda_devices();
  if (count == 0) throw std::runtime_error("there is no CUDA device");
  if (ordinal >= count) throw std::runtime_error("there are only " + std::to_string(count) + " CUDA devices");
  check_cuda_device(ordinal);
}
#else
void check_usable(int) { throw std::runtime_error("this build of procmap has no CUDA backend"); }
#endif

bool is_usable(int ordinal) {
  try {
    check_usable(ordinal);
    return true;
  } catch (std::runtime_error const&) {
    return false;
  }
}

}  // namespace

int choose_device(std::string_view device, Edge num_arcs) {
  if (device == "cpu") return cpu_device;
  if (device == "auto") return num_arcs >= auto_gpu_arcs && is_usable(0) ? 0 : cpu_device;
  int const ordinal = parse_cuda_device(device);
  try {
    check_usable(ordinal);
  } catch (std::runtime_error const& error) {
    throw std::runtime_error("device = \"" + std::string(device) + "\" cannot be used: " + error.what());
  }
  return ordinal;
}

}  // namespace procmap
