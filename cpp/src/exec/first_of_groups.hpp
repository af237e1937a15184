// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Is it sooner done to pick the first items of groups (FirstOfGroups) than to sort them all?
template <class Exec>
inline constexpr bool picks_first = false;

/// Picks the first items of every group until their weight reaches a limit: what sorting them and summing up their
/// weights would, but in linear time, as most of them need no place in the order.
///
/// Rules: less(a, b), a strict total order in which groups follow each other; group(a), a number; weight(a), none
/// negative; limit(group), what the weight before an item may be, with its own if `counts_own`.
template <class T, class Rules>
class FirstOfGroups {
 public:
  explicit FirstOfGroups(Rules rules) : rules_(rules) {}

  /// pick(item) for the first items of all groups, of those in [begin, end), which are moved about.
  template <class Pick>
  void operator()(T* begin, T* end, Pick pick) const {
    if (begin == end) return;
    auto const by_group = [this](T const& a, T const& b) { return rules_.group(a) < rules_.group(b); };
    auto const [least, largest] = std::minmax_element(begin, end, by_group);
    auto const first = rules_.group(*least);
    auto const groups = std::ptrdiff_t{rules_.group(*largest)} - first + 1;
    if (groups == 1) return pick_in_group({begin, end, 0}, pick);
    if (groups > end - begin) return pick_in_order({begin, end, 0}, pick);
    auto const ends = gather_groups(begin, end, first, static_cast<std::size_t>(groups));
    for (auto const group_end : ends) {
      pick_in_group({begin, group_end, 0}, pick);
      begin = group_end;
    }
  }

 private:
  static constexpr std::ptrdiff_t few = 24;    // are sorted
  static constexpr std::ptrdiff_t many = 512;  // are worth a look at of_range of them before they are split
  static constexpr int of_range = 16;

  /// Items that follow each other in the order; `before` is the weight of those before them in the first one's group.
  struct Range {
    T* begin;
    T* end;
    Weight before;
  };

  /// Puts items of a group next to each other, groups in order. Returns where each ends.
  std::vector<T*> gather_groups(T* begin, T* end, std::ptrdiff_t first, std::size_t groups) const {
    auto const group = [=, this](T const* item) { return static_cast<std::size_t>(rules_.group(*item) - first); };
    std::vector<std::ptrdiff_t> size(groups, 0);
    for (T const* item = begin; item != end; ++item) ++size[group(item)];
    std::vector<T*> next, ends;
    for (T* place = begin; auto const s : size) {
      next.push_back(place);
      ends.push_back(place += s);
    }
    for (std::size_t g = 0; g < groups; ++g)
      while (next[g] != ends[g])
        if (auto const own = group(next[g]); own == g)
          ++next[g];
        else
          std::swap(*next[g], *next[own]++);
    return ends;
  }

  template <class Pick>
  void pick_in_group(Range r, Pick& pick) const {
    auto splits = 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(r.end - r.begin)));  // twice the usual
    Weight weight = weight_of(r.begin, r.end);
    for (; r.end - r.begin > few && splits > 0; --splits) {
      Weight const room = rules_.limit(rules_.group(*r.begin)) - r.before;
      if (room < 0) return;
      if (weight <= room) return pick_all(r.begin, r.end, pick);
      T* const middle = split(r, static_cast<int>(room / (weight / of_range + 1)));
      Weight const left = weight_of(r.begin, middle);
      if (left > room) {
        r.end = middle;
        weight = left;
      } else {
        pick_all(r.begin, middle, pick);
        r = {middle, r.end, r.before + left};
        weight -= left;
      }
    }
    pick_in_order(r, pick);
  }

  template <class Pick>
  void pick_all(T const* begin, T const* end, Pick& pick) const {
    for (; begin != end; ++begin) pick(*begin);
  }

  template <class Pick>
  void pick_in_order(Range r, Pick& pick) const {
    std::sort(r.begin, r.end, [this](T const& a, T const& b) { return rules_.less(a, b); });
    for (T const* item = r.begin; item != r.end; ++item) {
      if (item != r.begin && rules_.group(*item) != rules_.group(item[-1])) r.before = 0;
      Weight const weight = rules_.weight(*item);
      if (r.before + (Rules::counts_own ? weight : 0) <= rules_.limit(rules_.group(*item))) pick(*item);
      r.before += weight;
    }
  }

  Weight weight_of(T const* begin, T const* end) const {
    Weight total = 0;
    for (; begin != end; ++begin) total += rules_.weight(*begin);
    return total;
  }

  /// Moves what comes before some item to its left, and returns where the right part begins: neither is empty. About
  /// `share` of of_range items are to be on the left: where few are, or most, a processor guesses right where an item
  /// belongs.
  T* split(Range const& r, int share) const {
    std::swap(*r.begin, *(r.end - r.begin < many ? item_among<3>(r, 1) : item_among<of_range>(r, share)));
    T const pivot = *r.begin;
    T* const right =
        std::partition(r.begin + 1, r.end, [this, &pivot](T const& item) { return rules_.less(item, pivot); });
    std::swap(*r.begin, *(right - 1));
    return right == r.end ? right - 1 : right;
  }

  /// The item that comes after `place` others of `count` that lie all over the range.
  template <int count>
  T* item_among(Range const& r, int place) const {
    T* sample[count];
    for (int i = 0; i < count; ++i) sample[i] = r.begin + (r.end - r.begin) / count * i;
    std::nth_element(sample, sample + place, sample + count,
                     [this](T const* a, T const* b) { return rules_.less(*a, *b); });
    return sample[place];
  }

  Rules rules_;
};

}  // namespace procmap
