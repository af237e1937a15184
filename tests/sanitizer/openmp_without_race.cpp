// SPDX-License-Identifier: MIT
// Every OpenMP construct the library uses, without a race: ThreadSanitizer must stay silent.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

constexpr int num_threads = 4;
constexpr int n = 50'000;

std::size_t at(long i) { return static_cast<std::size_t>(i); }

// Passes that hand their arrays to the next pass: the barrier at the end of a region orders them.
void passes() {
  std::vector<long> from(at(n)), to(at(n));
  std::vector<int> histogram(64);
  for (int round = 0; round < 10; ++round) {
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int i = 0; i < n; ++i) to[at(i)] = from[at((i + 7) % n)] + i;
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 256)
    for (int i = 0; i < n; ++i) from[at(i)] = to[at(i * 13L % n)] + round;
    long sum = 0, largest = 0;
#pragma omp parallel for num_threads(num_threads) schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += from[at(i)];
#pragma omp parallel for num_threads(num_threads) schedule(static) reduction(max : largest)
    for (int i = 0; i < n; ++i) largest = std::max(largest, from[at(i)]);
    from[0] = sum % 1000 + largest % 1000;
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int i = 0; i < n; ++i) std::atomic_ref<int>(histogram[at(i % 64)]).fetch_add(1, std::memory_order_relaxed);
  }
}

// Scratch per thread, and an exception that leaves the region by hand.
bool scratch_and_failure() {
  std::vector<std::vector<int>> scratch(num_threads);
  std::exception_ptr failure;
#pragma omp parallel num_threads(num_threads)
  {
    auto& mine = scratch[at(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 256)
    for (int i = 0; i < n; ++i) {
      try {
        mine.assign(8, i);
        if (i % 1000 == 0) throw std::runtime_error("expected");
      } catch (...) {
#pragma omp critical(failure)
        failure = std::current_exception();
      }
    }
  }
  try {
    std::rethrow_exception(failure);
  } catch (std::runtime_error const&) {
    return true;
  }
}

}  // namespace

int main() {
  passes();
  std::thread first(passes), second(passes);  // two callers at once
  first.join();
  second.join();
  return scratch_and_failure() ? 0 : 1;
}
