// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/index.hpp"
#include "refinement/places/place_prices.hpp"

namespace procmap {

/// What J falls if any two groups of consecutive places exchange what is on them, everything in its order. What a group
/// pays on the places of another one is computed once for all its exchanges, so only traffic between the two remains to
/// be looked at for each.
class GroupGains {
 public:
  GroupGains(PlacePrices const& prices, Block size)
      : prices_(prices), size_(size), groups_(prices.count() / size), paid_(index(groups_) * index(groups_)) {}

  Block groups() const { return groups_; }

  /// Fills in what group g pays anywhere; to be called for each of them before anything else.
  void compute(Block g) {
    Weight* const paid = paid_.data() + index(g) * index(groups_);
    for (Block i = 0; i < size_; ++i) {
      Weight const* const prices = prices_.prices_of(prices_.block(g * size_ + i));
      for (Block h = 0; h < groups_; ++h) paid[h] += prices[h * size_ + i];
    }
    for_each_arc(g, [&](Block p, Block q, Weight weight) {
      if (q > p && q < (g + 1) * size_) move_together(g, p, q, weight, paid);
    });
  }

  /// f(h, gain) for every later group h.
  template <class F>
  void for_each_later(Block g, F f) const {
    std::vector<Weight> between(index(groups_), 0);
    for_each_arc(g, [&](Block p, Block q, Weight weight) {
      Block const h = q / size_, shift = (h - g) * size_;
      if (h > g) between[index(h)] += weight * prices_.charged_too_much(p, p + shift, q, q - shift);
    });
    for (Block h = g + 1; h < groups_; ++h) f(h, paid(g, g) - paid(g, h) + paid(h, h) - paid(h, g) + between[index(h)]);
  }

 private:
  Weight paid(Block g, Block h) const { return paid_[index(g) * index(groups_) + index(h)]; }

  /// f(p, q, weight) for every arc of the group, from place to place.
  template <class F>
  void for_each_arc(Block g, F f) const {
    auto const traffic = prices_.traffic();
    for (Block p = g * size_; p < (g + 1) * size_; ++p) {
      Block const b = prices_.block(p);
      for (Edge e = traffic.begin(b); e < traffic.end(b); ++e)
        f(p, prices_.place(traffic.heads[e]), traffic.arc_weight(e));
    }
  }

  /// An edge within the group: both ends have been charged as if the other one stayed.
  void move_together(Block g, Block p, Block q, Weight weight, Weight* paid) const {
    Weight const* const from_p = prices_.distance_row(p);
    Weight const* const from_q = prices_.distance_row(q);
    for (Block h = 0; h < groups_; ++h) {
      Block const shift = (h - g) * size_;
      paid[h] += weight * (prices_.distance(p + shift, q + shift) - from_q[p + shift] - from_p[q + shift]);
    }
  }

  PlacePrices const& prices_;
  Block size_, groups_;
  std::vector<Weight> paid_;  // [g * groups + h]: every edge once
};

}  // namespace procmap
