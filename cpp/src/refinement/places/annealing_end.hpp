// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

constexpr std::int64_t many_proposals = 1 << 23;  // an annealing that takes long: about a second

/// Ends a long annealing where going on would hardly change what comes out: it has cooled down so far that next to
/// nothing happens any more, or so far above the best mapping met that it will not get there.
class AnnealingEnd {
 public:
  AnnealingEnd(std::int64_t proposals, int steps, Weight cost)
      : steps_(proposals >= many_proposals ? steps : 0), close_(cost / close), far_(cost / far) {}

  /// To be asked after every step: what J is now and was at least, against the start.
  bool is_reached(Weight now, Weight least) {
    steps_done_.push_back({now, least});
    return done() >= window && done() < steps_ && (stands_still() || is_hopeless());
  }

 private:
  struct Step {
    Weight now, least;
  };
  static constexpr int window = 12;  // steps (measured)
  static constexpr Weight close = 1 << 10, far = 1 << 5;  // shares of J

  int done() const { return static_cast<int>(steps_done_.size()); }
  Step const& ago(int steps) const { return *(steps_done_.end() - 1 - steps); }
  Weight fallen(int since) const { return ago(since + window).now - ago(since).now; }

  bool stands_still() const {
    auto const [now, least] = ago(0);
    return done() > window && ago(window).least == least && now - least <= close_ && fallen(0) <= close_;
  }

  /// After the first half J falls less and less.
  bool is_hopeless() const {
    auto const [now, least] = ago(0);
    if (2 * done() < steps_ || now - least <= far_) return false;
    Weight const fell = fallen(0);
    auto const may_fall = static_cast<__int128>(fell) * (steps_ - done()) / window;
    return fell >= 0 && fell <= fallen(window) && now - least > may_fall;
  }

  int steps_;  // 0: it is short, and not ended
  Weight close_, far_;
  std::vector<Step> steps_done_;
};

}  // namespace procmap
