// SPDX-License-Identifier: MIT
#include "refinement/places/deal_out.hpp"

#include <cstddef>

namespace procmap {

void deal_out_excess(std::vector<Weight> const& capacity, std::vector<Block>& block) {
  auto room = capacity;
  std::vector<std::size_t> excess;
  for (std::size_t v = 0; v < block.size(); ++v)
    if (--room[static_cast<std::size_t>(block[v])] < 0) excess.push_back(v);
  auto const last = static_cast<Block>(room.size()) - 1;
  auto const has_room = [&](Block b) { return b >= 0 && b <= last && room[static_cast<std::size_t>(b)] > 0; };
  for (auto const v : excess) {
    Block const from = block[v];
    Block away = 1;
    while (!has_room(from - away) && !has_room(from + away)) ++away;
    block[v] = has_room(from - away) ? from - away : from + away;
    ++room[static_cast<std::size_t>(from)];
    --room[static_cast<std::size_t>(block[v])];
  }
}

}  // namespace procmap
