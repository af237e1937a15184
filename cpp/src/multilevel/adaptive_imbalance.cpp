// SPDX-License-Identifier: MIT
#include "multilevel/adaptive_imbalance.hpp"

#include <algorithm>
#include <cmath>

namespace procmap {

Weight proportion(Weight value, Weight part, Weight whole) {
  return static_cast<Weight>(static_cast<__int128>(value) * part / whole);
}

Weight child_capacity(Weight weight, Weight child_room, Weight room, int depth, double least_share) {
  if (depth <= 1 || child_room == 0) return child_room;
  Weight const share = proportion(weight, child_room, room);
  Weight const average = share + (static_cast<__int128>(share) * room < static_cast<__int128>(weight) * child_room);
  double const slack = static_cast<double>(room) / static_cast<double>(std::max<Weight>(weight, 1));
  double const factor = std::pow(slack, std::max(1.0 / depth, least_share));
  // Exact for children that are alike, as every quotient that is an integer.
  double const children = static_cast<double>(room) / static_cast<double>(child_room);
  auto const adaptive = static_cast<Weight>(factor * static_cast<double>(weight) / children);
  return std::min(child_room, std::max(average, adaptive));
}

}  // namespace procmap
