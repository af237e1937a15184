// SPDX-License-Identifier: MIT
// Loops of the pool that hand their arrays to each other: ThreadSanitizer must stay silent.
#include <stdexcept>
#include <thread>
#include <vector>

#include "exec/work_pool.hpp"

namespace {

constexpr procmap::Edge n = 50'000;

std::size_t at(procmap::Edge i) { return static_cast<std::size_t>(i); }

/// Passes whose end orders what they wrote.
void passes(procmap::WorkPool& pool) {
  std::vector<long> from(at(n)), to(at(n));
  for (int round = 0; round < 10; ++round) {
    pool.share({.n = n, .grain = 256, .wakes = true}, [&](procmap::Edge begin, procmap::Edge end) {
      for (auto i = begin; i < end; ++i) to[at(i)] = from[at((i + 7) % n)] + i;
    });
    pool.share({.n = n, .grain = 1000, .wakes = true, .is_local = true}, [&](procmap::Edge begin, procmap::Edge end) {
      for (auto i = begin; i < end; ++i) from[at(i)] = to[at(i * 13 % n)] + round;
    });
    from[0] = to[1] % 1000;
  }
}

/// Loops inside of the jobs of a loop.
void jobs() {
  procmap::WorkPool pool(4);
  pool.share({.n = 6, .wakes = true, .is_short = false}, [&](procmap::Edge begin, procmap::Edge end) {
    for (; begin < end; ++begin) passes(pool);
  });
}

bool passes_on_a_failure() {
  procmap::WorkPool pool(4);
  try {
    pool.share({.n = n, .grain = 256, .wakes = true},
               [](procmap::Edge, procmap::Edge) { throw std::runtime_error("expected"); });
  } catch (std::runtime_error const&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  std::thread first(jobs), second(jobs);  // two callers at once
  first.join();
  second.join();
  return passes_on_a_failure() ? 0 : 1;
}
