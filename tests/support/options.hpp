// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "procmap/procmap.hpp"

namespace procmap::test {

/// Those of a preset, on the CPU.
inline Options cpu_options(std::string_view preset, double imbalance = 0.03, std::uint64_t seed = 0, int threads = 2) {
  Options options;
  options.config = Config::preset(preset);
  options.imbalance = imbalance;
  options.seed = seed;
  options.threads = threads;
  options.device = "cpu";
  return options;
}

}  // namespace procmap::test
