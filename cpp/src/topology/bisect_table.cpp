// SPDX-License-Identifier: MIT
#include "topology/bisect_table.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "topology/distance.hpp"

namespace procmap {
namespace {

/// The two sides, and what every PE would win by changing.
class TableBisection {
 public:
  TableBisection(DistanceTable const& table, std::span<Block> pes, std::size_t left)
      : table_(table), pes_(pes), left_(left), pull_(pes.size(), 0) {}

  /// Grows the left side from a PE at the rim, always by the one that is nearest to it compared with the rest: what
  /// belongs together comes in together.
  void grow_left() {
    std::swap(pes_[0], *farthest_from(pes_[0]));
    for (std::size_t i = 0; i < pes_.size(); ++i)
      for (auto const other : pes_) pull_[i] -= between(pes_[i], other);
    for (std::size_t size = 1; size < left_; ++size) {
      for (std::size_t i = size; i < pes_.size(); ++i) pull_[i] += 2 * between(pes_[i], pes_[size - 1]);
      auto const nearest = std::min_element(pull_.begin() + static_cast<std::ptrdiff_t>(size), pull_.end());
      std::swap(pes_[size], pes_[static_cast<std::size_t>(nearest - pull_.begin())]);
      std::swap(pull_[size], *nearest);
    }
  }

  /// Exchanges pairs as long as that helps, the most attracted PE of each side with each other.
  void exchange_pairs() {
    auto const n = pes_.size();
    std::ranges::fill(pull_, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) pull_[i] += toward(j, between(pes_[i], pes_[j]));
    for (std::size_t step = 0; step < n; ++step) {
      // pull_ is the distance to the left side minus that to the right one.
      auto const leaver = std::max_element(pull_.begin(), pull_.begin() + static_cast<std::ptrdiff_t>(left_));
      auto const comer = std::min_element(pull_.begin() + static_cast<std::ptrdiff_t>(left_), pull_.end());
      auto const i = static_cast<std::size_t>(leaver - pull_.begin());
      auto const j = static_cast<std::size_t>(comer - pull_.begin());
      if (pull_[i] - pull_[j] + 2 * between(pes_[i], pes_[j]) <= 0) return;
      exchange(i, j);
    }
  }

 private:
  Weight between(Block a, Block b) const { return a == b ? 0 : distance(table_, a, b); }
  Weight toward(std::size_t position, Weight length) const { return position < left_ ? length : -length; }

  std::span<Block>::iterator farthest_from(Block pe) const {
    return std::ranges::max_element(pes_, {}, [&](Block other) { return std::tuple(between(pe, other), -other); });
  }

  void exchange(std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < pes_.size(); ++k)
      pull_[k] += 2 * (between(pes_[k], pes_[j]) - between(pes_[k], pes_[i]));
    std::swap(pes_[i], pes_[j]);
    std::swap(pull_[i], pull_[j]);
  }

  DistanceTable const& table_;
  std::span<Block> pes_;
  std::size_t left_;
  std::vector<Weight> pull_;
};

}  // namespace

void bisect_table(DistanceTable const& table, std::span<Block> pes, std::size_t left) {
  if (left == 0 || left >= pes.size()) return;
  TableBisection sides(table, pes, left);
  sides.grow_left();
  sides.exchange_pairs();
}

}  // namespace procmap
