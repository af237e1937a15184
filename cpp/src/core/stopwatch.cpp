// SPDX-License-Identifier: MIT
#include "core/stopwatch.hpp"

#include <algorithm>
#include <chrono>

namespace procmap {

Moment now() {
  auto const since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

Moment moment_in(double seconds) {
  constexpr double longest = 1e8;  // three years: what can be added without overflow
  return now() + static_cast<Moment>(1e9 * std::clamp(seconds, 0.0, longest));
}

}  // namespace procmap
