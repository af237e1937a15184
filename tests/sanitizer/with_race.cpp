// SPDX-License-Identifier: MIT
// A lost update that ThreadSanitizer must report.
#include <atomic>
#include <cstdio>

#include "exec/work_pool.hpp"

int main() {
  long count = 0;
  std::atomic<int> arrived = 0;
  procmap::WorkPool pool(2);
  pool.share({.n = 2, .wakes = true}, [&](procmap::Edge, procmap::Edge) {
    ++arrived;
    while (arrived < 2) {  // or one thread might do both
    }
    count = count + 1;
  });
  std::printf("%ld\n", count);
}
