// SPDX-License-Identifier: MIT
#include "refinement/places/exchange.hpp"

#include <algorithm>
#include <tuple>

#include "core/hash.hpp"
#include "core/index.hpp"
#include "refinement/places/group_gains.hpp"
#include "refinement/places/place_prices.hpp"

namespace procmap {
namespace {

constexpr Edge rows_per_job = 16;
constexpr Edge serial_below = 1 << 17;  // pairs of places: less is not worth waking a second thread
constexpr Edge enough_arcs = Edge{1} << 28;  // that exchanges of groups of one size may look at, some seconds

/// Exchanges that help, and those that may.
class Exchange {
 public:
  Exchange(HostGraph const& traffic, Places const& places, std::vector<Block>& place)
      : places_(places), prices_(traffic, places, place), count_(prices_.count()) {}

  void compute_prices() {
    in_parallel(count_, [&](Block b) { prices_.compute(b); });
  }

  /// Exchanges groups of `size` consecutive places; returns whether any did. In every round each group looks at all
  /// others, so where traffic is dense there are few rounds.
  bool exchange_groups(Block size) {
    bool any = false;
    Block const groups = count_ / size;
    Edge looked_at = 0, at_once = groups * prices_.traffic().num_arcs;
    for (bool again = true; again && goes_on() && looked_at < enough_arcs; looked_at += at_once) {
      again = false;
      GroupGains gains(prices_, size);
      in_parallel(groups, [&](Block g) { gains.compute(g); });
      std::vector<Partner> best(index(groups));
      in_parallel(groups, [&](Block g) { best[index(g)] = best_partner_group(gains, g, size); });
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
    std::vector<char> is_open(index(count_));
    while (!open.empty() && goes_on()) {
      std::vector<Partner> best(open.size());
      in_parallel(static_cast<Block>(open.size()), [&](Block i) { best[index(i)] = best_partner(open[index(i)]); });
      std::ranges::sort(best);
      std::ranges::fill(is_open, char{0});
      std::vector<Block> next;
      for (auto const& [negated, p, q] : best) {
        if (negated >= 0) break;
        Weight const gain = fits(p, q) ? pair_gain(p, q) : 0;
        if (gain <= 0) {
          if (!is_open[index(p)]) next.push_back(p);
          is_open[index(p)] = 1;
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
    std::vector<char> is_open(index(count_));
    std::vector<Block> open;
    Block p = static_cast<Block>(hash(seed, 0) % index(count_));
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
    std::vector<Block> places(index(count_));
    for (Block p = 0; p < count_; ++p) places[index(p)] = p;
    return places;
  }

 private:
  /// Gain with its sign changed, so that the best comes first; then the places.
  using Partner = std::tuple<Weight, Block, Block>;

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

  bool fits(Block p, Block q) const { return prices_.fits(p, q); }
  Weight pair_gain(Block p, Block q) const { return prices_.pair_gain(p, q); }

  /// A place that is rather near than far: every scale up to the whole machine is as likely as any other.
  Block near(Block p, std::uint64_t random) const {
    Block reach = 2;
    for (; reach < count_ && (random & 1) != 0; random >>= 1) reach *= 2;
    auto const offset = static_cast<Block>(random % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
    return std::clamp<Block>(p + offset, 0, count_ - 1);
  }

  void open_around(Block p, std::vector<char>& is_open, std::vector<Block>& open) const {
    auto const add = [&](Block place) {
      if (!is_open[index(place)]) open.push_back(place);
      is_open[index(place)] = 1;
    };
    add(p);
    Block const b = prices_.block(p);
    auto const traffic = prices_.traffic();
    for (Edge e = traffic.begin(b); e < traffic.end(b); ++e) add(prices_.place(traffic.heads[e]));
  }

  Partner best_partner(Block p) const {
    Partner best{0, p, p};
    TrafficOf traffic_with(prices_.traffic(), prices_.block(p));
    Weight const* const prices_here = prices_.prices_of(prices_.block(p));
    for (Block q = 0; q < count_; ++q) {
      // Bounds first: what comes out too large is looked at only if it would be the best.
      Weight const to_beat = -std::get<0>(best);
      if (prices_.most_gain(prices_here, p, q) <= to_beat) continue;
      if (prices_.pair_gain(p, q, 0) <= to_beat || q == p || !fits(p, q)) continue;
      best = std::min(best, Partner{-prices_.pair_gain(p, q, traffic_with(prices_.block(q))), p, q});
    }
    return best;
  }

  /// What J falls if two groups exchange their places (every edge once). Prices count partners as if they stayed, which
  /// is put right for edges within the two.
  Weight group_gain(Block g, Block h, Block size) const {
    Block const shift = (h - g) * size;
    Weight gain = 0, twice = 0;
    for (Block p = g * size; p < (g + 1) * size; ++p) {
      gain += prices_.pair_gain(p, p + shift, 0);
      twice += moved_together(p, shift, size) + moved_together(p + shift, -shift, size);
    }
    return gain + twice / 2;
  }

  /// What the block on p, which goes to p + shift, has been charged too much for partners that move, too; an edge of
  /// two such blocks is met from both ends.
  Weight moved_together(Block p, Block shift, Block size) const {
    Block const b = prices_.block(p), to = p + shift, here = p / size, there = to / size;
    auto const traffic = prices_.traffic();
    Weight twice = 0;
    for (Edge e = traffic.begin(b); e < traffic.end(b); ++e) {
      Block const q = prices_.place(traffic.heads[e]), group = q / size;
      if (group != here && group != there) continue;
      Block const then = group == here ? q + shift : q - shift;
      twice += traffic.arc_weight(e) * prices_.charged_too_much(p, to, q, then);
    }
    return twice;
  }

  bool groups_fit(Block g, Block h, Block size) const {
    for (Block i = 0; i < size; ++i)
      if (!fits(g * size + i, h * size + i)) return false;
    return true;
  }

  Partner best_partner_group(GroupGains const& gains, Block g, Block size) const {
    Partner best{0, g, g};
    gains.for_each_later(g, [&](Block h, Weight gain) {
      if (-gain < std::get<0>(best) && groups_fit(g, h, size)) best = {-gain, g, h};
    });
    return best;
  }

  void trade(Block p, Block q) {
    if (logging_) log_.emplace_back(p, q);
    prices_.trade(p, q);
  }

  Places const& places_;
  PlacePrices prices_;
  Block count_;
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
