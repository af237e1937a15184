// SPDX-License-Identifier: MIT
// What a pass over many items costs beyond its work: chunks of known length on the threads of a pool, with a gap
// between two passes in which one thread works alone. Prints a table in Markdown.
//
//   pass_costs [THREADS [SECONDS PER ROW]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "exec/work_pool.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr long gap_steps = 3000;

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

void work(long steps) {
  for (long i = 0; i < steps; ++i) asm volatile("" ::: "memory");
}

double median_of(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class F>
double microseconds_of(F const& f) {
  std::vector<double> times;
  for (int i = 0; i < 201; ++i) {
    auto const begun = Clock::now();
    f();
    times.push_back(microseconds(Clock::now() - begun));
  }
  return median_of(times);
}

/// Median over groups of passes, so that a look at the clock is nothing beside them.
double microseconds_per_pass(procmap::WorkPool& pool, procmap::SharedLoop const& loop, long steps, double seconds) {
  constexpr int passes = 100;
  std::vector<double> times;
  auto const end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    auto const begun = Clock::now();
    for (int i = 0; i < passes; ++i) {
      pool.share(loop, [=](procmap::Edge, procmap::Edge) { work(steps); });
      work(gap_steps);
    }
    times.push_back(microseconds(Clock::now() - begun) / passes);
  } while (Clock::now() < end);
  return median_of(times);
}

}  // namespace

int main(int count, char** arguments) {
  int const threads = count > 1 ? std::atoi(arguments[1]) : 2;
  double const seconds = count > 2 ? std::atof(arguments[2]) : 0.3;
  procmap::WorkPool pool(threads);
  double const gap = microseconds_of([] { work(gap_steps); });
  std::printf("%d threads, a gap of %.1f us\n\n", pool.size(), gap);
  std::printf("| loop | chunks per thread | us per chunk | us beyond the work |\n|---|---:|---:|---:|\n");
  for (bool const is_local : {false, true})
    for (int const chunks : {1, 4, 16})
      for (long const steps : {1000L, 10000L}) {
        double const chunk = microseconds_of([=] { work(steps); });
        procmap::SharedLoop const loop{.n = chunks * pool.size(), .wakes = true, .is_local = is_local};
        double const pass = microseconds_per_pass(pool, loop, steps, seconds);
        std::printf("| %s | %d | %.2f | %.2f |\n", is_local ? "local" : "one counter", chunks, chunk,
                    pass - gap - chunks * chunk);
      }
  return 0;
}
