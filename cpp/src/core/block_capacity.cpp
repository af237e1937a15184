// SPDX-License-Identifier: MIT
#include "core/block_capacity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>

#include "procmap/procmap.hpp"

namespace procmap {
namespace {

struct Share {
  __int128 whole;
  bool more;  // and a fraction
};

// imbalance * weight. The imbalance is the shortest decimal number that reads back as the double, so that 10 %
// of 10 is 1 and not a little more.
Share share_of(Weight weight, double imbalance) {
  char text[32];  // d.ddde+xx
  auto const end = std::to_chars(text, std::end(text), imbalance, std::chars_format::scientific).ptr;
  auto const* const e = std::find(text, end, 'e');
  __int128 product = 0;
  for (auto const* c = text; c != e; ++c)
    if (*c != '.') product = 10 * product + (*c - '0');
  product *= weight;  // below 10^17 * 2^62

  int exponent = 0;
  std::from_chars(e + (e[1] == '+' ? 2 : 1), end, exponent);
  if (e - text > 2) exponent -= static_cast<int>(e - text) - 2;  // digits behind the point
  for (; exponent > 0; --exponent) product *= 10;
  bool more = false;
  for (; exponent < 0 && product > 0; ++exponent) {
    more = more || product % 10 != 0;
    product /= 10;
  }
  return {product, more};
}

}  // namespace

void check_imbalance(double imbalance) {
  if (!std::isfinite(imbalance) || imbalance < 0)
    throw ConfigError("imbalance = " + std::to_string(imbalance) + " is not a finite number >= 0");
}

Weight block_capacity(Weight total_weight, Block num_blocks, double imbalance) {
  check_imbalance(imbalance);
  if (num_blocks < 1) throw ConfigError("the number of blocks must be at least 1, got " + std::to_string(num_blocks));
  constexpr auto limit = Weight{1} << 62;
  auto const estimate = (1 + static_cast<long double>(imbalance)) * static_cast<long double>(total_weight) / num_blocks;
  if (estimate >= 2 * static_cast<long double>(limit)) return limit;
  auto const [slack, more] = share_of(total_weight, std::abs(imbalance));  // -0.0 has a sign to print
  auto const filled = total_weight + slack;
  auto const capacity = filled / num_blocks + (more || filled % num_blocks != 0 ? 1 : 0);
  return capacity < limit ? static_cast<Weight>(capacity) : limit;
}

}  // namespace procmap
