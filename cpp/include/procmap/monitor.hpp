// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "procmap/export.h"

namespace procmap PROCMAP_API {

/// Others that do parts of a call: splits of large populations, as bytes for do_job(). Both functions are called from
/// the calling thread only; what they throw ends the call. The result is the same with and without.
struct Helpers {
  int share = 0;  ///< how many others there are: the call keeps one job of every share + 1; 0: nobody helps
  std::function<void(std::vector<std::string> jobs)> start;    ///< returns while others are at work
  std::function<std::vector<std::string>()> finish;  ///< waits; the answers in the order of the jobs
};

/// How a run talks to its caller. Both functions are called from the calling thread only, many
/// times a second; either may be empty.
struct Monitor {
  std::function<bool()> interrupted;                    ///< true: stop and throw Interrupted
  std::function<void(std::string const&)> progress;     ///< one line about what was just done
  Helpers helpers = {};
};

}  // namespace procmap PROCMAP_API
