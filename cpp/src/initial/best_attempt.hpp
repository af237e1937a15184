// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <utility>

#include "initial/bisection.hpp"

namespace procmap::initial {

/// The better one has the better score; of equal ones it is the earlier.
struct Attempt {
  Score score;
  int number = 0;
  friend auto operator<=>(Attempt const&, Attempt const&) = default;
};

/// first, first + step, ... below `end`; there is at least one.
struct AttemptNumbers {
  int first, end, step = 1;
};

/// Bisects by attempt(number) for each of `numbers`; leaves the best sides in `work`. Overwrites work.best.
template <class Bisect>
Attempt best_attempt(Bisection& work, Balance const& balance, AttemptNumbers numbers, Bisect&& attempt) {
  Attempt best;
  for (int number = numbers.first; number < numbers.end; number += numbers.step) {
    attempt(number);
    if (Attempt const found{work.score(balance), number}; number == numbers.first || found < best) {
      best = found;
      std::swap(work.best, static_cast<Sides&>(work));
    }
  }
  std::swap(work.best, static_cast<Sides&>(work));
  return best;
}

}  // namespace procmap::initial
