// SPDX-License-Identifier: MIT
#include "refinement/places/annealing.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "core/hash.hpp"

namespace procmap {
namespace {

constexpr int steps = 64;         // of equal temperature
constexpr double hottest = 0.15;  // of what an exchange changes on average (measured)
constexpr double cooling = 0.96;  // per step (measured)
constexpr Block max_near = 8;     // places around a partner that are tried (measured)

/// The upper half of a random number as one of 0 .. count - 1.
std::size_t choose(std::uint64_t random, std::size_t count) { return ((random >> 32) * count) >> 32; }

/// Exponentially distributed with mean 1, linear between powers of two: additions and one product, so the same on every
/// machine.
double exponential(std::uint64_t random) {
  int const zeros = std::countl_zero(random | 1);
  auto const fraction = static_cast<double>(random << zeros << 1) * 0x1p-64;
  return (zeros + 1 - fraction) * 0.6931471805599453;
}

class Annealer {
 public:
  Annealer(HostGraph const& traffic, Places const& places, std::vector<Block>& place)
      : traffic_(traffic.view()), places_(places), place_(place), block_(place.size()) {
    for (std::size_t b = 0; b < place.size(); ++b) block_[at(place[b])] = static_cast<Block>(b);
    find_near();
  }

  /// Returns whether J fell.
  bool run(Annealing annealing) {
    double temperature = hottest * mean_change(annealing.seed);
    Weight now = 0, least = 0;  // against the start, every edge once
    auto best = place_;
    for (int step = 0; step < steps; ++step, temperature *= cooling) {
      auto const seed = hash(annealing.seed, static_cast<std::uint64_t>(step));
      for (std::int64_t i = 0; i < annealing.proposals / steps; ++i) {
        auto const random = hash(seed, static_cast<std::uint64_t>(i));
        auto const [p, q] = propose(random);
        if (p == q || !may_exchange(places_, traffic_, p, block_[at(p)], q, block_[at(q)])) continue;
        Weight const rise = change(p, q);
        if (rise > 0 && static_cast<double>(rise) >= temperature * exponential(mix(~random))) continue;
        exchange(p, q);
        now += rise;
      }
      if (now >= least) continue;
      least = now;
      best = place_;
    }
    place_ = std::move(best);
    return least < 0;
  }

 private:
  struct Proposal {
    Block p, q;
  };

  static std::size_t at(Block i) { return static_cast<std::size_t>(i); }
  Weight const* distances_from(Block p) const { return places_.distance.data() + at(p) * block_.size(); }

  /// The nearest other places of every place.
  void find_near() {
    auto const count = block_.size();
    near_count_ = std::min<std::size_t>(max_near, count - 1);
    near_.resize(count * near_count_);
    places_.team.for_each_job(static_cast<Edge>(count), [&](Edge job) {
      auto const p = static_cast<Block>(job);
      auto const* const distance = distances_from(p);
      std::vector<Block> order(count);
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[0], order[at(p)]);
      auto const closer = [=](Block a, Block b) {
        return distance[a] != distance[b] ? distance[a] < distance[b] : a < b;
      };
      auto const end = order.begin() + 1 + static_cast<std::ptrdiff_t>(near_count_);
      std::partial_sort(order.begin() + 1, end, order.end(), closer);
      std::copy(order.begin() + 1, end, near_.begin() + static_cast<std::ptrdiff_t>(at(p) * near_count_));
    });
  }

  /// A random block's place, and one near a random partner of it.
  Proposal propose(std::uint64_t random) const {
    auto const b = static_cast<Block>(choose(random, block_.size()));
    Block const p = place_[at(b)];
    Edge const degree = traffic_.degree(b);
    if (degree == 0) return {p, p};
    auto const arc = traffic_.begin(b) + static_cast<Edge>(choose(random << 16, static_cast<std::size_t>(degree)));
    auto const partner = at(place_[at(traffic_.heads[arc])]);
    return {p, near_[partner * near_count_ + choose(random << 32, near_count_)]};
  }

  /// What J rises if the blocks on p and q exchange their places (every edge once); between the two nothing changes.
  Weight change(Block p, Block q) const {
    Block const x = block_[at(p)], y = block_[at(q)];
    return move_change(x, y, distances_from(p), distances_from(q)) +
           move_change(y, x, distances_from(q), distances_from(p));
  }
  Weight move_change(Block b, Block other, Weight const* from, Weight const* to) const {
    Weight rise = 0;
    for (Edge e = traffic_.begin(b); e < traffic_.end(b); ++e) {
      Block const partner = traffic_.heads[e];
      auto const there = at(place_[at(partner)]);
      if (partner != other) rise += traffic_.arc_weight(e) * (to[there] - from[there]);
    }
    return rise;
  }

  void exchange(Block p, Block q) {
    std::swap(block_[at(p)], block_[at(q)]);
    place_[at(block_[at(p)])] = p;
    place_[at(block_[at(q)])] = q;
  }

  double mean_change(std::uint64_t seed) const {
    auto const samples = static_cast<int>(4 * block_.size());
    double total = 0;
    for (int i = 0; i < samples; ++i) {
      auto const [p, q] = propose(hash(seed, Salt::annealing_samples, static_cast<std::uint64_t>(i)));
      if (p != q) total += static_cast<double>(std::abs(change(p, q)));
    }
    return total / samples;
  }

  CsrView traffic_;
  Places const& places_;
  std::vector<Block>& place_;  // of every block
  std::vector<Block> block_;   // on every place
  std::vector<Block> near_;    // [p * near_count + i]
  std::size_t near_count_ = 0;
};

}  // namespace

bool anneal_places(HostGraph const& traffic, Places const& places, Annealing annealing, std::vector<Block>& place) {
  if (annealing.proposals == 0 || place.size() < 3 || traffic.heads.empty()) return false;
  auto const sorted = with_sorted_rows(traffic);  // a random arc of a block is the same one on every machine
  return Annealer(sorted, places, place).run(annealing);
}

}  // namespace procmap
