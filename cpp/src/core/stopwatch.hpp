// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace procmap {

/// Nanoseconds of a clock that never goes back.
using Moment = std::int64_t;

Moment now();
/// In that many seconds, or in three years if that is sooner; not before now.
Moment moment_in(double seconds);

inline double seconds_between(Moment from, Moment to) { return 1e-9 * static_cast<double>(to - from); }

class Stopwatch {
 public:
  double seconds() const { return seconds_between(start_, now()); }

 private:
  Moment start_ = now();
};

}  // namespace procmap
