// SPDX-License-Identifier: MIT
#include "multilevel/adaptive_imbalance.hpp"

#include <algorithm>
#include <cmath>

namespace procmap {

Weight child_capacity(Weight weight, Block parts, Block num_pes, Weight pe_capacity, int depth) {
  constexpr Weight unbounded = Weight{1} << 62;  // above every total weight
  Weight const pes = num_pes / parts;
  Weight const largest = pe_capacity > unbounded / pes ? unbounded : pes * pe_capacity;
  if (depth <= 1) return largest;
  Weight const average = weight / parts + (weight % parts != 0 ? 1 : 0);
  auto const room = static_cast<double>(num_pes) * static_cast<double>(pe_capacity);
  double const factor = std::pow(room / static_cast<double>(std::max<Weight>(weight, 1)), 1.0 / depth);
  auto const adaptive = static_cast<Weight>(factor * static_cast<double>(weight) / parts);
  return std::min(largest, std::max(average, adaptive));
}

}  // namespace procmap
