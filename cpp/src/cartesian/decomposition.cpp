// SPDX-License-Identifier: MIT
#include "cartesian/decomposition.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "cartesian/machine_digits.hpp"
#include "core/index.hpp"

namespace procmap {
namespace {

/// How a digit of the machine is shared out among the axes: one digit for each, smaller ones.
struct Share {
  std::vector<Block> parts;   // per axis; their product is the size of the digit
  std::vector<Block> stride;  // per axis: by how much the digit of the machine grows
};

/// f(parts) for all ways to write `size` as a product of parts.size() factors, in order.
template <class F>
void for_each_product(Block size, std::vector<Block>& parts, std::size_t i, F f) {
  if (i + 1 == parts.size()) {
    parts[i] = size;
    f(parts);
    return;
  }
  for (Block part = 1; part <= size; ++part) {
    if (size % part != 0) continue;
    parts[i] = part;
    for_each_product(size / part, parts, i + 1, f);
  }
}

/// Shares out the digits of a machine, from the most expensive one on. What the rest costs depends only on how many
/// pieces each axis has so far, so of equal pieces the cheapest shares are kept (dynamic programming).
class Sharing {
  using Cost = __int128;

 public:
  Sharing(TaskGrid const& tasks, std::vector<MachineDigit> const& digits) : tasks_(tasks), digits_(digits) {
    for (auto const& digit : digits) {
      Weight const longest = std::max(digit.distance(digit.size / 2), digit.distance(digit.size - 1));
      shift_ = std::max(shift_, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest))) - 31);
    }
    for (std::size_t i = 0; i < axes(); ++i) {
      Edge area = 1;
      for (std::size_t j = 0; j < axes(); ++j) area *= j == i ? 1 : tasks.sizes[j];
      across_.push_back(tasks.traffic[i] * area);
    }
  }

  /// Per digit. No axis has more pieces than points, if that can be. The first of two shares has no box of more than
  /// `most` tasks, if that can be.
  std::vector<std::vector<Share>> cheapest(Edge most) {
    for (bool const limited : {true, false}) {
      std::vector<States> states{{{std::vector<Block>(axes(), 1), State{}}}};
      for (auto const& digit : digits_) states.push_back(shared_out(states.back(), digit, limited));
      if (!states.back().empty()) return {trace_back(states, most), trace_back(states, tasks_in_all())};
    }
    return {};  // not reached: without limits there is a way
  }

 private:
  struct State {
    Cost cost = 0;
    std::vector<Block> before;  // pieces before the last digit was shared out
    Share share;
  };
  using States = std::map<std::vector<Block>, State>;  // by pieces per axis

  std::size_t axes() const { return tasks_.sizes.size(); }

  States shared_out(States const& states, MachineDigit const& digit, bool limited) const {
    States next;
    for (auto const& state : states) share_out(state, digit, limited, next);
    return next;
  }

  /// Adds all states that follow from one.
  void share_out(States::value_type const& from, MachineDigit const& digit, bool limited, States& next) const {
    auto const& pieces = from.first;
    std::vector<Block> parts(axes(), 1);
    for_each_product(digit.size, parts, 0, [&](std::vector<Block> const& product) {
      std::vector<Block> now(axes());
      for (std::size_t i = 0; i < axes(); ++i) now[i] = pieces[i] * product[i];
      if (limited && !fits(now)) return;
      auto const [more, share] = cheapest_strides(product, pieces, digit);
      Cost const cost = from.second.cost + more;
      auto const [at, is_new] = next.try_emplace(std::move(now));
      if (is_new || cost < at->second.cost) at->second = {cost, pieces, share};
    });
  }

  bool fits(std::vector<Block> const& pieces) const {
    for (std::size_t i = 0; i < axes(); ++i)
      if (pieces[i] > tasks_.sizes[i]) return false;
    return true;
  }

  /// The axis with most traffic between new pieces takes single steps, unless others do better on a grid.
  std::pair<Cost, Share> cheapest_strides(std::vector<Block> const& parts, std::vector<Block> const& pieces,
                                          MachineDigit const& digit) const {
    std::vector<std::size_t> order(axes());
    std::iota(order.begin(), order.end(), 0);
    auto const traffic = [&](std::size_t i) { return Cost{across_[i]} * pieces[i] * (parts[i] - 1); };
    std::ranges::stable_sort(order, std::ranges::greater{}, traffic);
    Share best{parts, strides(parts, order)};
    Cost least = cost_of(best, pieces, digit);
    if (!digit.has_steps) return {least, best};
    std::erase_if(order, [&](std::size_t i) { return parts[i] == 1; });
    std::ranges::sort(order);
    do {
      Share other{parts, strides(parts, order)};
      Cost const cost = cost_of(other, pieces, digit);
      if (cost >= least) continue;
      least = cost;
      best = std::move(other);
    } while (std::ranges::next_permutation(order).found);
    return {least, best};
  }

  /// Of axes in this order.
  std::vector<Block> strides(std::vector<Block> const& parts, std::vector<std::size_t> const& order) const {
    std::vector<Block> stride(axes(), 1);
    Block next = 1;
    for (auto const i : order) {
      stride[i] = next;
      next *= parts[i];
    }
    return stride;
  }

  Cost cost_of(Share const& share, std::vector<Block> const& pieces, MachineDigit const& digit) const {
    Cost cost = 0;
    for (std::size_t i = 0; i < axes(); ++i) {
      Block const more = share.parts[i] - 1, run = share.stride[i];
      if (more == 0) continue;
      cost += through(i, digit, run, 1) * more * pieces[i];
      if (tasks_.wraps[i] && pieces[i] == 1) cost += through(i, digit, run, more);
    }
    return cost;
  }

  /// What a plane across axis i costs between runs of values of a digit, `apart` runs from each other.
  Cost through(std::size_t i, MachineDigit const& digit, Block run, Block apart) const {
    return across_[i] * (digit.distances_between_runs(run, apart) >> shift_) / run;
  }

  Edge tasks_in_all() const { return largest_box(std::vector<Block>(axes(), 1)); }

  Edge largest_box(std::vector<Block> const& pieces) const {
    Edge tasks = 1;
    for (std::size_t i = 0; i < axes(); ++i) tasks *= (tasks_.sizes[i] - 1) / pieces[i] + 1;
    return tasks;
  }

  std::vector<Share> trace_back(std::vector<States> const& states, Edge most) const {
    auto const rank = [&](auto const& entry) { return std::pair(largest_box(entry.first) > most, entry.second.cost); };
    auto at = std::ranges::min_element(states.back(), {}, rank);
    std::vector<Share> shares;
    for (std::size_t digit = states.size() - 1; digit > 0; --digit) {
      shares.push_back(at->second.share);
      at = states[digit - 1].find(at->second.before);
    }
    std::ranges::reverse(shares);
    return shares;
  }

  TaskGrid const& tasks_;
  std::vector<MachineDigit> const& digits_;
  std::vector<Weight> across_;  // per axis: traffic through a plane across it, at most 2^51
  int shift_ = 0;               // of distances, which thus stay below 2^31
};

/// The value of a digit where each axis is in one of its parts. Where it has steps, every other part of an axis runs
/// through the axes of smaller stride backwards: so two parts of an axis lie half as far from each other on a ring.
Block value_of_digit(MachineDigit const& digit, Share const& share, std::vector<Block> const& part) {
  Block value = 0;
  if (!digit.has_steps) {
    for (std::size_t i = 0; i < part.size(); ++i) value += part[i] * share.stride[i];
    return value;
  }
  std::vector<std::size_t> order(part.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return share.stride[i]; });
  for (auto const i : order) value = value * share.parts[i] + (value % 2 == 0 ? part[i] : share.parts[i] - 1 - part[i]);
  return value;
}

/// The number of the PE of the box that is this piece of every axis. Every other piece of a digit runs through the next
/// one backwards, so that only one digit changes from piece to piece.
Block number_of_box(std::vector<Block> const& piece, std::vector<Block> rest, std::vector<Share> const& shares,
                    std::vector<MachineDigit> const& digits) {
  std::vector<Block> part(piece.size());
  Block number = 0;
  for (std::size_t j = 0; j < shares.size(); ++j) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      Block const parts = shares[j].parts[i], so_far = piece[i] / rest[i];
      rest[i] /= parts;
      part[i] = piece[i] / rest[i] % parts;
      if (so_far % 2 != 0) part[i] = parts - 1 - part[i];
    }
    number += value_of_digit(digits[j], shares[j], part) * digits[j].stride;
  }
  return number;
}

/// Numbers of all boxes, which are numbered along the last axis first.
std::vector<Block> numbers_of_boxes(std::vector<Block> const& pieces, std::vector<Share> const& shares,
                                    std::vector<MachineDigit> const& digits) {
  std::size_t boxes = 1;
  for (Block const count : pieces) boxes *= index(count);
  std::vector<Block> numbers, piece(pieces.size(), 0);
  while (numbers.size() < boxes) {
    numbers.push_back(number_of_box(piece, pieces, shares, digits));
    for (std::size_t i = pieces.size(); i-- > 0 && ++piece[i] == pieces[i];) piece[i] = 0;
  }
  return numbers;
}

/// The box of every point.
std::vector<Block> boxes_of_points(std::vector<Vertex> const& sizes, std::vector<Block> const& pieces) {
  std::vector<Block> box{0};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    std::vector<Block> longer;
    longer.reserve(box.size() * index(sizes[axis]));
    for (Block const so_far : box)
      for (Vertex x = 0; x < sizes[axis]; ++x)
        longer.push_back(so_far * pieces[axis] + static_cast<Block>(Edge{x} * pieces[axis] / sizes[axis]));
    box = std::move(longer);
  }
  return box;
}

std::vector<Block> pes_of_tasks(TaskGrid const& tasks, Topology const& machine, std::vector<MachineDigit> const& digits,
                                std::vector<Share> const& shares) {
  std::vector<Block> pieces(tasks.sizes.size(), 1);
  for (auto const& share : shares)
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] *= share.parts[i];
  auto of_point = boxes_of_points(tasks.sizes, pieces);
  auto const numbers = numbers_of_boxes(pieces, shares, digits);
  auto const pe_of_number = pes_of_numbers(machine);
  for (Block& b : of_point) b = pe_of_number[index(numbers[index(b)])];
  if (tasks.point.empty()) return of_point;
  std::vector<Block> of_task(of_point.size());
  for (std::size_t task = 0; task < of_task.size(); ++task) of_task[task] = of_point[index(tasks.point[task])];
  return of_task;
}

}  // namespace

std::vector<std::vector<Block>> decompose(TaskGrid const& tasks, Topology const& machine, Edge most) {
  auto const digits = digits_of(machine);
  std::vector<std::vector<Block>> mappings;
  for (auto const& shares : Sharing(tasks, digits).cheapest(most))
    mappings.push_back(pes_of_tasks(tasks, machine, digits, shares));
  if (mappings.front() == mappings.back()) mappings.pop_back();
  return mappings;
}

}  // namespace procmap
