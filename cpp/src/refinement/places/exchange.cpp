// SPDX-License-Identifier: MIT
#include "refinement/places/exchange.hpp"

#include <algorithm>
#include <tuple>

#include "core/hash.hpp"

namespace procmap {
namespace {

constexpr Edge rows_per_job = 16;
constexpr Edge serial_below = 1 << 17;  // pairs of places: less is not worth waking a second thread
constexpr Edge enough_arcs = Edge{1} << 28;  // that exchanges of groups of one size may look at, some seconds

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
      table_.resize(static_cast<std::size_t>(traffic_.num_vertices), 0);
      for (Edge e = traffic_.begin(block_); e < traffic_.end(block_); ++e)
        table_[static_cast<std::size_t>(traffic_.heads[e])] = traffic_.arc_weight(e);
    }
    return table_[static_cast<std::size_t>(other)];
  }

  CsrView traffic_;
  Block block_;
  std::vector<Weight> table_;  // of every block; empty at first
};

/// Who is where, and what everybody would pay anywhere.
class Exchange {
 public:
  Exchange(HostGraph const& traffic, Places const& places, std::vector<Block>& place)
      : traffic_(traffic.view()),
        places_(places),
        count_(static_cast<Block>(place.size())),
        place_(place),
        block_(place.size()),
        group_(place.size()),
        price_(place.size() * place.size()) {
    for (Block b = 0; b < count_; ++b) block_[at(place_[at(b)])] = b;
  }

  void compute_prices() {
    in_parallel(count_, [&](Block b) {
      for (Edge e = traffic_.begin(b); e < traffic_.end(b); ++e)
        add_price(b, distance_row(place_[at(traffic_.heads[e])]), traffic_.arc_weight(e));
    });
  }

  /// Exchanges groups of `size` consecutive places; returns whether any did. In every round each group looks at all
  /// others, so where traffic is dense there are few rounds.
  bool exchange_groups(Block size) {
    bool any = false;
    Block const groups = count_ / size;
    for (Block p = 0; p < count_; ++p) group_[at(p)] = p / size;
    Edge looked_at = 0;
    for (bool again = true; again && goes_on() && looked_at < enough_arcs; looked_at += groups * traffic_.num_arcs) {
      again = false;
      std::vector<Partner> best(at(groups));
      in_parallel(groups, [&](Block g) { best[at(g)] = best_partner_group(g, size); });
      std::ranges::sort(best);
      for (auto const& [gain, g, partner] : best) {
        if (gain >= 0) break;
        if (!groups_fit(g, partner, size) || group_gain(g, partner, size) <= 0) continue;
        for (Block i = 0; i < size; ++i) trade(g * size + i, partner * size + i);
        again = any = true;
      }
    }
    return any;
  }

  /// Exchanges pairs until none helps. Only places in `open`, whose surroundings changed, are looked at.
  /// Returns what J falls (every edge once).
  Weight exchange_pairs(std::vector<Block> open) {
    Weight saved = 0;
    std::vector<char> is_open(at(count_));
    while (!open.empty() && goes_on()) {
      std::vector<Partner> best(open.size());
      in_parallel(static_cast<Block>(open.size()), [&](Block i) { best[at(i)] = best_partner(open[at(i)]); });
      std::ranges::sort(best);
      std::ranges::fill(is_open, char{0});
      std::vector<Block> next;
      for (auto const& [negated, p, q] : best) {
        if (negated >= 0) break;
        Weight const gain = fits(p, q) ? pair_gain(p, q) : 0;
        if (gain <= 0) {
          if (!is_open[at(p)]) next.push_back(p);
          is_open[at(p)] = 1;
          continue;
        }
        saved += gain;
        trade(p, q);
        for (Block const moved : {p, q}) open_around(moved, is_open, next);
      }
      open = std::move(next);
    }
    return saved;
  }

  /// Random exchanges, and what follows from them; undone unless J falls.
  bool kick(int exchanges, std::uint64_t seed) {
    log_.clear();
    logging_ = true;
    Weight saved = 0;
    std::vector<char> is_open(at(count_));
    std::vector<Block> open;
    Block p = static_cast<Block>(hash(seed, 0) % at(count_));
    for (int i = 0; i < exchanges; ++i) {
      Block const q = near(p, hash(seed, 1, static_cast<std::uint64_t>(i)));
      if (p == q || !fits(p, q)) continue;
      saved += pair_gain(p, q);
      trade(p, q);
      for (Block const moved : {p, q}) open_around(moved, is_open, open);
      p = q;
    }
    saved += exchange_pairs(std::move(open));
    logging_ = false;
    if (saved > 0) return true;
    for (auto step = log_.rbegin(); step != log_.rend(); ++step) trade(step->first, step->second);
    return false;
  }

  std::vector<Block> all_places() const {
    std::vector<Block> places(at(count_));
    for (Block p = 0; p < count_; ++p) places[at(p)] = p;
    return places;
  }

 private:
  /// Gain with its sign changed, so that the best comes first; then the places.
  using Partner = std::tuple<Weight, Block, Block>;

  static std::size_t at(Block i) { return static_cast<std::size_t>(i); }
  std::size_t row(Block i) const { return at(i) * at(count_); }
  Weight const* distance_row(Block p) const { return places_.distance.row(p); }
  Weight distance(Block p, Block q) const { return distance_row(p)[at(q)]; }
  Weight price(Block b, Block p) const { return price_[row(b) + at(p)]; }

  bool goes_on() const { return !places_.team.in_hurry(); }

  template <class Job>
  void in_parallel(Block count, Job job) {
    if (Edge{count} * count_ < serial_below) {
      for (Block i = 0; i < count; ++i) job(i);
      return;
    }
    places_.team.for_each_job((count + rows_per_job - 1) / rows_per_job, [&](Edge chunk) {
      auto const end = std::min<Edge>(count, (chunk + 1) * rows_per_job);
      for (Edge i = chunk * rows_per_job; i < end; ++i) job(static_cast<Block>(i));
    });
  }

  bool fits(Block p, Block q) const { return may_exchange(places_, traffic_, p, block_[at(p)], q, block_[at(q)]); }

  /// A place that is rather near than far: every scale up to the whole machine is as likely as any other.
  Block near(Block p, std::uint64_t random) const {
    Block reach = 2;
    for (; reach < count_ && (random & 1) != 0; random >>= 1) reach *= 2;
    auto const offset = static_cast<Block>(random % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
    return std::clamp<Block>(p + offset, 0, count_ - 1);
  }

  void add_price(Block b, Weight const* distances, Weight weight) {
    Weight* const prices = price_.data() + row(b);
    for (Block p = 0; p < count_; ++p) prices[p] += weight * distances[p];
  }

  void open_around(Block p, std::vector<char>& is_open, std::vector<Block>& open) const {
    auto const add = [&](Block place) {
      if (!is_open[at(place)]) open.push_back(place);
      is_open[at(place)] = 1;
    };
    add(p);
    Block const b = block_[at(p)];
    for (Edge e = traffic_.begin(b); e < traffic_.end(b); ++e) add(place_[at(traffic_.heads[e])]);
  }

  /// What J falls if the blocks on p and q exchange their places (every edge once). Both prices count the other
  /// block as if it stayed; the traffic between the two does not change.
  Weight pair_gain(Block p, Block q) const {
    return pair_gain(p, q, TrafficOf(traffic_, block_[at(p)])(block_[at(q)]));
  }
  Weight pair_gain(Block p, Block q, Weight between) const {
    Block const x = block_[at(p)], y = block_[at(q)];
    return price(x, p) - price(x, q) + price(y, q) - price(y, p) - 2 * between * distance(p, q);
  }

  Partner best_partner(Block p) const {
    Partner best{0, p, p};
    TrafficOf traffic_with(traffic_, block_[at(p)]);
    for (Block q = 0; q < count_; ++q) {
      // Without their traffic a gain comes out too large, so only what would be the best is looked at.
      if (-pair_gain(p, q, 0) >= std::get<0>(best) || q == p || !fits(p, q)) continue;
      best = std::min(best, Partner{-pair_gain(p, q, traffic_with(block_[at(q)])), p, q});
    }
    return best;
  }

  /// What J falls if two groups exchange their places (every edge once). Prices count partners as if they stayed, which
  /// is put right for edges within the two.
  Weight group_gain(Block g, Block h, Block size) const {
    Block const shift = (h - g) * size;
    Weight gain = 0, twice = 0;
    for (Block p = g * size; p < (g + 1) * size; ++p) {
      gain += pair_gain(p, p + shift, 0);
      twice += moved_together(p, shift, g, h) + moved_together(p + shift, -shift, g, h);
    }
    return gain + twice / 2;
  }

  /// What the block on p, which goes to p + shift, has been charged too much for partners that move, too; an edge of
  /// two such blocks is met from both ends.
  Weight moved_together(Block p, Block shift, Block g, Block h) const {
    Block const b = block_[at(p)], to = p + shift;
    Weight twice = 0;
    for (Edge e = traffic_.begin(b); e < traffic_.end(b); ++e) {
      Block const q = place_[at(traffic_.heads[e])], group = group_[at(q)];
      if (group != g && group != h) continue;
      Block const then = group == group_[at(p)] ? q + shift : q - shift;
      twice += traffic_.arc_weight(e) * (distance(to, q) + distance(p, then) - distance(p, q) - distance(to, then));
    }
    return twice;
  }

  bool groups_fit(Block g, Block h, Block size) const {
    for (Block i = 0; i < size; ++i)
      if (!fits(g * size + i, h * size + i)) return false;
    return true;
  }

  Partner best_partner_group(Block g, Block size) const {
    Partner best{0, g, g};
    for (Block h = g + 1; h < count_ / size; ++h)
      if (groups_fit(g, h, size)) best = std::min(best, Partner{-group_gain(g, h, size), g, h});
    return best;
  }

  void trade(Block p, Block q) {
    if (logging_) log_.emplace_back(p, q);
    Block const x = block_[at(p)], y = block_[at(q)];
    std::swap(block_[at(p)], block_[at(q)]);
    std::swap(place_[at(x)], place_[at(y)]);
    for (auto const& [block, from, to] : {std::tuple{x, p, q}, {y, q, p}})
      for (Edge e = traffic_.begin(block); e < traffic_.end(block); ++e)
        move_price(traffic_.heads[e], distance_row(from), distance_row(to), traffic_.arc_weight(e));
  }
  void move_price(Block b, Weight const* from, Weight const* to, Weight weight) {
    Weight* const prices = price_.data() + row(b);
    for (Block p = 0; p < count_; ++p) prices[p] += weight * (to[p] - from[p]);
  }

  CsrView traffic_;
  Places const& places_;
  Block count_;
  std::vector<Block>& place_;  // of every block
  std::vector<Block> block_;   // on every place
  std::vector<Block> group_;   // of every place
  std::vector<Weight> price_;  // [b * count + p]: what the traffic of block b costs if it alone moves to p
  bool logging_ = false;
  std::vector<std::pair<Block, Block>> log_;  // exchanges since the last kick
};

}  // namespace

bool exchange_places(HostGraph const& traffic, Places const& places, Kicks kicks, std::vector<Block>& place) {
  auto const count = static_cast<Block>(place.size());
  if (count < 2) return false;
  Exchange exchange(traffic, places, place);
  exchange.compute_prices();
  bool any = false;
  Block size = count;
  for (auto parts = places.sizes.rbegin(); parts + 1 != places.sizes.rend(); ++parts) {
    size /= *parts;
    any = exchange.exchange_groups(size) || any;
  }
  any = exchange.exchange_pairs(exchange.all_places()) > 0 || any;
  for (int i = 0; i < kicks.count && !places.team.in_hurry(); ++i) {
    auto const seed = hash(kicks.seed, static_cast<std::uint64_t>(i));
    any = exchange.kick(kicks.exchanges, seed) || any;
  }
  return any;
}

}  // namespace procmap
