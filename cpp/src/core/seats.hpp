// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Who is where: a seat for every block, the seats of a place side by side. Numbers of four bytes, as the random ones
/// that are asked for stay near at hand then.
class Seats {
 public:
  Seats(std::size_t num_places, std::vector<Block>& place)
      : place_(place), first_(num_places + 1, 0), seat_(place.size()), block_(place.size()) {
    for (Block const p : place) ++first_[index(p) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    auto next = first_;
    for (std::size_t b = 0; b < place.size(); ++b) {
      auto const seat = next[index(place[b])]++;
      seat_[b] = seat;
      block_[seat] = static_cast<Block>(b);
    }
  }

  std::size_t blocks() const { return block_.size(); }
  std::size_t places() const { return first_.size() - 1; }
  bool one_each() const {
    return blocks() == places() && std::ranges::adjacent_find(first_, std::ranges::greater_equal()) == first_.end();
  }

  std::size_t count(Block p) const { return first_[index(p) + 1] - first_[index(p)]; }
  Block block(Block p, std::size_t i) const { return block_[first_[index(p)] + i]; }
  Block place(Block b) const { return place_[index(b)]; }

  void exchange(Block a, Block b) {
    std::swap(place_[index(a)], place_[index(b)]);
    std::swap(seat_[index(a)], seat_[index(b)]);
    block_[seat_[index(a)]] = a;
    block_[seat_[index(b)]] = b;
  }

 private:
  using Seat = std::uint32_t;

  std::vector<Block>& place_;  // of every block
  std::vector<Seat> first_;    // of every place
  std::vector<Seat> seat_;     // of every block
  std::vector<Block> block_;   // on every seat
};

}  // namespace procmap
