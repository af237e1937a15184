// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "refinement/places/alike_rows.hpp"
#include "refinement/places/exchange.hpp"

namespace procmap {

/// What a block exchanges with others, for many questions.
class TrafficOf {
 public:
  TrafficOf(CsrView traffic, Block block) : traffic_(traffic), block_(block) {}

  Weight operator()(Block other) {
    if (traffic_.degree(block_) > few_arcs) return in_table(other);
    Weight weight = 0;
    for (Edge e = traffic_.begin(block_); e < traffic_.end(block_); ++e)
      if (traffic_.heads[e] == other) weight = traffic_.arc_weight(e);
    return weight;
  }

 private:
  static constexpr Edge few_arcs = 16;

  /// Most blocks are never asked about: the table is made for the first question.
  Weight in_table(Block other) {
    if (table_.empty()) {
      table_.resize(index(traffic_.num_vertices), 0);
      for (Edge e = traffic_.begin(block_); e < traffic_.end(block_); ++e)
        table_[index(traffic_.heads[e])] = traffic_.arc_weight(e);
    }
    return table_[index(other)];
  }

  CsrView traffic_;
  Block block_;
  std::vector<Weight> table_;  // of every block; empty at first
};

/// Who is where, and what everybody would pay anywhere.
class PlacePrices {
 public:
  PlacePrices(HostGraph const& traffic, Places const& places, std::vector<Block>& place)
      : traffic_(traffic.view()),
        places_(places),
        alike_(places, traffic_),
        count_(static_cast<Block>(place.size())),
        place_(place),
        block_(place.size()),
        could_save_(place.size()),
        price_(place.size() * place.size()),
        farther_(place.size()),
        traffic_of_partner_(place.size(), 0) {
    for (Block b = 0; b < count_; ++b) block_[index(place_[index(b)])] = b;
  }

  CsrView traffic() const { return traffic_; }
  Block count() const { return count_; }
  Block block(Block p) const { return block_[index(p)]; }
  Block place(Block b) const { return place_[index(b)]; }
  Weight const* distance_row(Block p) const { return places_.distance.row(p); }
  Weight distance(Block p, Block q) const { return distance_row(p)[index(q)]; }
  /// What the traffic of block b costs on every place if it alone moves there.
  Weight const* prices_of(Block b) const { return price_.data() + row(b); }
  Weight price(Block b, Block p) const { return prices_of(b)[index(p)]; }
  bool fits(Block p, Block q) const { return may_exchange(places_, traffic_, p, block(p), q, block(q)); }

  /// Of one block; to be called for each of them before anything is asked.
  void compute(Block b) {
    Weight* const prices = price_.data() + row(b);
    alike_.add_prices(traffic_, b, place_, prices);
    note_least(b, *std::min_element(prices, prices + count_));
  }

  /// What J falls if the blocks on p and q exchange their places (every edge once). Both prices count the other
  /// block as if it stayed; the traffic between the two does not change.
  Weight pair_gain(Block p, Block q) const { return pair_gain(p, q, TrafficOf(traffic_, block(p))(block(q))); }
  Weight pair_gain(Block p, Block q, Weight between) const {
    Block const x = block(p), y = block(q);
    return price(x, p) - price(x, q) + price(y, q) - price(y, p) - 2 * between * distance(p, q);
  }
  /// No exchange of p with q is worth more. It is read off the prices of one block, which lie side by side.
  Weight most_gain(Weight const* prices_on_p, Block p, Block q) const {
    return prices_on_p[index(p)] - prices_on_p[index(q)] + could_save_[index(q)];
  }

  /// What an edge between p and q has been charged too much in all if both its ends move: the price of each counts the
  /// other one as if it stayed.
  Weight charged_too_much(Block p, Block p_then, Block q, Block q_then) const {
    return distance(p_then, q) + distance(p, q_then) - distance(p, q) - distance(p_then, q_then);
  }

  void trade(Block p, Block q) {
    Block const x = block(p), y = block(q);
    Weight const least_x = least_of(x), least_y = least_of(y);
    std::swap(block_[index(p)], block_[index(q)]);
    std::swap(place_[index(x)], place_[index(y)]);
    note_least(x, least_x);
    note_least(y, least_y);
    for (Block place = 0; place < count_; ++place)
      farther_[index(place)] = distance_row(q)[place] - distance_row(p)[place];
    add_partners(x, 1);
    add_partners(y, -1);
    change_prices();
  }

 private:
  std::size_t row(Block b) const { return index(b) * index(count_); }

  /// `block` has moved as far as farther_ says, times `sign`.
  void add_partners(Block block, int sign) {
    for (Edge e = traffic_.begin(block); e < traffic_.end(block); ++e) {
      partners_.push_back(traffic_.heads[e]);
      traffic_of_partner_[index(traffic_.heads[e])] += sign * traffic_.arc_weight(e);
    }
  }

  /// Of partners of the two that have moved. Of many of them only a bound of the least price is kept up: with every
  /// exchange it falls, but no price is below 0.
  void change_prices() {
    constexpr std::size_t few = 8;
    bool const are_few = few * partners_.size() <= index(count_);
    auto const [nearest, farthest] = std::ranges::minmax(farther_);
    for (Block const b : partners_) {
      Weight const weight = std::exchange(traffic_of_partner_[index(b)], 0);
      if (weight == 0) continue;  // or it has been here before
      Weight const at_least = std::max<Weight>(0, least_of(b) + weight * (weight > 0 ? nearest : farthest));
      Weight* const prices = price_.data() + row(b);
      if (!are_few) change(prices, weight);
      note_least(b, are_few ? change_and_find_least(prices, weight) : at_least);
    }
    partners_.clear();
  }

  void change(Weight* prices, Weight weight) const {
    for (std::size_t p = 0; p < farther_.size(); ++p) prices[p] += weight * farther_[p];
  }
  Weight change_and_find_least(Weight* prices, Weight weight) const {
    Weight least = std::numeric_limits<Weight>::max();
    for (std::size_t p = 0; p < farther_.size(); ++p) {
      Weight const price = prices[p] + weight * farther_[p];
      prices[p] = price;
      least = std::min(least, price);
    }
    return least;
  }

  Weight least_of(Block b) const { return price(b, place(b)) - could_save_[index(place(b))]; }
  void note_least(Block b, Weight least) { could_save_[index(place(b))] = price(b, place(b)) - least; }

  CsrView traffic_;
  Places const& places_;
  AlikeRows alike_;
  Block count_;
  std::vector<Block>& place_;       // of every block
  std::vector<Block> block_;        // on every place
  std::vector<Weight> could_save_;  // per place: the block there, on the place that is cheapest for it, or more
  std::vector<Weight> price_;       // [b * count + p]
  // Of an exchange: distances of all places from the new place of the first block less those from its old one, who has
  // traffic with either, and how much more with the first.
  std::vector<Weight> farther_;
  std::vector<Block> partners_;
  std::vector<Weight> traffic_of_partner_;
};

}  // namespace procmap
