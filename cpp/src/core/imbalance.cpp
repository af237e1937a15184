// SPDX-License-Identifier: MIT
#include "core/imbalance.hpp"

#include <algorithm>
#include <cmath>

namespace procmap {
namespace {

using Wide = unsigned __int128;

/// x^exponent, or something above `bound` if it is above that.
Wide bounded_power(Wide x, int exponent, Wide bound) {
  Wide power = slack_one;
  for (int i = 0; i < exponent && power <= bound; ++i) power = (power * x) >> slack_bits;
  return power;
}

/// The square root, rounded down. The floating-point one is only where the search begins.
std::uint64_t integer_root(Wide value) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
  while (Wide{root} * root > value) --root;
  while ((Wide{root} + 1) * (Wide{root} + 1) <= value) ++root;
  return root;
}

}  // namespace

Weight proportion(Weight value, Weight part, Weight whole) {
  return static_cast<Weight>(static_cast<__int128>(value) * part / whole);
}

Weight slack_ratio(Weight room, Weight weight) {
  auto const ratio = static_cast<__int128>(room) * slack_one / std::max<Weight>(weight, 1);
  return static_cast<Weight>(std::clamp<__int128>(ratio, slack_one, max_slack));
}

Weight slack_root(Weight ratio, int depth) {
  auto const bound = static_cast<Wide>(ratio);
  Weight low = slack_one, high = ratio;
  while (low < high) {
    Weight const middle = low + (high - low + 1) / 2;
    if (bounded_power(static_cast<Wide>(middle), depth, bound) <= bound)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

Weight slack_power(Weight ratio, double share) {
  if (share >= 1) return ratio;
  // The product of the 2nd, 4th, 8th, ... roots for which the binary digits of the share are 1, with more bits than
  // the result keeps.
  constexpr int bits = 47;  // max_slack * max_slack fits into 128
  auto digits = static_cast<std::uint64_t>(share * static_cast<double>(slack_one));
  auto root = static_cast<std::uint64_t>(ratio) << (bits - slack_bits);
  Wide power = Wide{1} << bits;
  for (auto digit = static_cast<std::uint64_t>(slack_one) / 2; digit > 0; digit /= 2) {
    root = integer_root(Wide{root} << bits);
    if (digits & digit) power = (power * root) >> bits;
  }
  return static_cast<Weight>(power >> (bits - slack_bits));
}

Weight child_slack(Weight weight, Weight room, int depth, double least_share) {
  auto const ratio = slack_ratio(room, weight);
  return least_share * depth > 1 ? slack_power(ratio, least_share) : slack_root(ratio, depth);
}

Weight child_capacity(Weight weight, Weight child_room, Weight room, int depth, double least_share) {
  if (depth <= 1 || least_share >= 1 || child_room == 0) return child_room;
  Weight const share = proportion(weight, child_room, room);
  Weight const average = share + (static_cast<__int128>(share) * room < static_cast<__int128>(weight) * child_room);
  auto const filled = static_cast<__int128>(weight) * child_slack(weight, room, depth, least_share);
  // filled * child_room / room without overflow
  auto const adaptive = (filled / room * child_room + filled % room * child_room / room) >> slack_bits;
  return std::min(child_room, std::max(average, static_cast<Weight>(std::min<__int128>(adaptive, child_room))));
}

bool has_much_slack(BlockTargets const& targets, Weight weight) {
  constexpr int much = 8;  // one part in so many
  __int128 room = -static_cast<__int128>(targets.num_blocks()) * targets.pes_per_block;  // capacities are rounded up
  for (Weight const of_block : targets.finest_capacity.empty() ? targets.capacity : targets.finest_capacity)
    room += of_block;
  return much * room >= __int128{much + 1} * weight;
}

}  // namespace procmap
