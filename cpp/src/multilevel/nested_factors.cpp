// SPDX-License-Identifier: MIT
#include "multilevel/nested_factors.hpp"

#include <algorithm>
#include <functional>

namespace procmap {
namespace {

/// Exactly `count` factors of `size` in decreasing order, none above `largest`, as even as possible; empty if
/// there are none.
std::vector<Block> even_factors(Block size, Block largest, int count) {
  if (count == 1) return size <= largest ? std::vector{size} : std::vector<Block>{};
  for (Block factor = 2; factor <= largest && factor <= size; ++factor) {
    if (size % factor != 0) continue;
    auto rest = even_factors(size / factor, factor, count - 1);
    if (rest.empty()) continue;
    rest.insert(rest.begin(), factor);
    return rest;
  }
  return {};
}

/// Takes the prime factors above `largest` out of `size`.
std::vector<Block> take_large_primes(Block& size, Block largest) {
  std::vector<Block> primes;
  Block rest = size;
  for (Block p = 2; p <= rest / p; ++p)
    for (; rest % p == 0; rest /= p)
      if (p > largest) primes.push_back(p);
  if (rest > largest) primes.push_back(rest);
  for (Block const p : primes) size /= p;
  return primes;
}

}  // namespace

std::vector<Block> nested_factors(Block size, Block max_factor) {
  auto factors = take_large_primes(size, max_factor);
  if (size > 1 || factors.empty()) {
    std::vector<Block> small;
    for (int count = 1; small.empty(); ++count) small = even_factors(size, max_factor, count);
    factors.insert(factors.end(), small.begin(), small.end());
  }
  std::sort(factors.begin(), factors.end(), std::greater<>());
  return factors;
}

}  // namespace procmap
