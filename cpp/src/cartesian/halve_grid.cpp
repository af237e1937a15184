// SPDX-License-Identifier: MIT
#include "cartesian/halve_grid.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "core/index.hpp"

namespace procmap {
namespace {

class Halving {
 public:
  Halving(Layout const& points, std::vector<Weight> const& weight, Grid const& grid,
          std::vector<Weight> const& capacity)
      : points_(points), weight_(weight), grid_(grid), dimensions_(used_dimensions(grid)), capacity_(capacity) {}

  std::vector<Block> run() {
    std::vector<Vertex> tasks(weight_.size());
    std::vector<Block> pes(capacity_.size());
    std::iota(tasks.begin(), tasks.end(), 0);
    std::iota(pes.begin(), pes.end(), 0);
    pe_of_.resize(tasks.size());
    place(tasks, pes);
    return std::move(pe_of_);
  }

 private:
  struct Extent {
    std::size_t axis = 0;
    Block first = 0, length = 0;
  };

  void place(std::span<Vertex> tasks, std::span<Block> pes) {
    if (tasks.empty()) return;
    if (pes.size() == 1) {
      for (Vertex const task : tasks) pe_of_[index(task)] = pes[0];
      return;
    }
    auto const widest = longest(pes);
    Block const middle = widest.first + widest.length / 2;
    auto const second = std::partition(pes.begin(), pes.end(), [&](Block pe) { return at(pe, widest.axis) < middle; });
    auto const count = static_cast<std::size_t>(second - pes.begin());
    auto const share = share_of(pes.first(count), pes.subspan(count), tasks);
    auto const lower = lightest(tasks, widest.axis, share);
    place(tasks.first(lower), pes.first(count));
    place(tasks.subspan(lower), pes.subspan(count));
  }

  Block at(Block pe, std::size_t axis) const {
    return grid_.coordinates[index(pe) * grid_.sizes.size() + dimensions_[axis]];
  }

  /// Where the PEs reach farthest, of those along which there are several.
  Extent longest(std::span<Block const> pes) const {
    Extent found;
    Weight reach = -1;
    for (std::size_t axis = 0; axis < dimensions_.size(); ++axis) {
      auto const by_place = [&](Block a, Block b) { return at(a, axis) < at(b, axis); };
      auto const [least, most] = std::minmax_element(pes.begin(), pes.end(), by_place);
      Block const length = at(*most, axis) - at(*least, axis) + 1;
      Weight const distance = length * grid_.costs[dimensions_[axis]];
      if (length == 1 || distance <= reach) continue;
      found = {axis, at(*least, axis), length};
      reach = distance;
    }
    return found;
  }

  /// How much of the weight of the tasks the first half of the PEs is to get.
  Weight share_of(std::span<Block const> half, std::span<Block const> other, std::span<Vertex const> tasks) const {
    auto const capacity = [&](std::span<Block const> pes) {
      __int128 sum = 0;
      for (Block const pe : pes) sum += capacity_[index(pe)];
      return static_cast<double>(sum);
    };
    double const ours = capacity(half), all = ours + capacity(other);
    return all > 0 ? static_cast<Weight>(static_cast<double>(weight_of(tasks)) * (ours / all)) : 0;
  }

  Weight weight_of(std::span<Vertex const> tasks) const {
    Weight sum = 0;
    for (Vertex const task : tasks) sum += weight_[index(task)];
    return sum;
  }

  /// Brings the first tasks along an axis to the front, as many as weigh `share` or hardly more; returns how many.
  std::size_t lightest(std::span<Vertex> tasks, std::size_t axis, Weight share) const {
    auto const before = [&](Vertex a, Vertex b) {
      return std::pair(points_.of(a, axis), a) < std::pair(points_.of(b, axis), b);
    };
    std::size_t first = 0, last = tasks.size();  // all before `first` belong to the front, none from `last` on
    while (first < last) {
      auto const middle = first + (last - first) / 2;
      std::nth_element(tasks.begin() + signed_of(first), tasks.begin() + signed_of(middle),
                       tasks.begin() + signed_of(last), before);
      Weight const front = weight_of(tasks.subspan(first, middle + 1 - first));
      if (2 * (share - front) + weight_[index(tasks[middle])] >= 0) {  // more than half of the middle one fits
        share -= front;
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }

  static std::ptrdiff_t signed_of(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  Layout const& points_;
  std::vector<Weight> const& weight_;
  Grid const& grid_;
  std::vector<std::size_t> dimensions_;
  std::vector<Weight> const& capacity_;
  std::vector<Block> pe_of_;
};

}  // namespace

Block num_pes(Grid const& grid) { return static_cast<Block>(grid.coordinates.size() / grid.sizes.size()); }

std::vector<std::size_t> used_dimensions(Grid const& grid) {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < grid.sizes.size(); ++i)
    if (grid.sizes[i] > 1) used.push_back(i);
  std::ranges::stable_sort(used, std::greater{}, [&](std::size_t i) { return grid.sizes[i] * grid.costs[i]; });
  return used;
}

std::vector<Block> halve_grid(Layout const& points, std::vector<Weight> const& weight, Grid const& grid,
                              std::vector<Weight> const& capacity) {
  return Halving(points, weight, grid, capacity).run();
}

}  // namespace procmap
