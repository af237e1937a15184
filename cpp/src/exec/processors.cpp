// SPDX-License-Identifier: MIT
#include "exec/processors.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "exec/cpu_quota.hpp"
#include "exec/next_number.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

namespace procmap {
namespace {

/// The first number of OMP_NUM_THREADS, which is a list of levels; 0 if there is none above 0.
int wanted_threads() {
  char const* const set = std::getenv("OMP_NUM_THREADS");
  std::string_view text = set ? set : "";
  return std::max(next_number<int>(text), 0);
}

/// Processors that the system puts threads of this process on.
int allowed_processors() {
#if defined(__linux__)
  cpu_set_t mine;  // of 1024 processors; a larger machine is refused, and all of it counted
  if (::sched_getaffinity(0, sizeof mine, &mine) == 0) return std::max(CPU_COUNT(&mine), 1);
#endif
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

}  // namespace

int num_processors() {
  static int const quota = processors_of_quota();
  int const allowed = allowed_processors();
  return quota > 0 ? std::min(quota, allowed) : allowed;
}

int default_threads() {
  static int const wanted = wanted_threads();
  return wanted > 0 ? wanted : num_processors();
}

}  // namespace procmap
