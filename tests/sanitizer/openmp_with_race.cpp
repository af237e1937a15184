// SPDX-License-Identifier: MIT
// A lost update that ThreadSanitizer must report.
#include <cstdio>

int main() {
  int const n = 20'000;
  long count = 0;
#pragma omp parallel for num_threads(4) schedule(static)
  for (int i = 0; i < n; ++i)
    if (i % 100 == 0) count = count + 1;
  std::printf("%ld\n", count);
}
