// SPDX-License-Identifier: MIT
#include "placement/replica_annealing.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/index.hpp"
#include "core/random.hpp"
#include "core/seats.hpp"

namespace procmap {
namespace {

constexpr std::int64_t tries = 512;               // per replica
constexpr std::int64_t most_tries = 1 << 20;      // in all
constexpr auto most_work = std::int64_t{1} << 34;    // tries times prices, few of which change by a try
constexpr double coldest = 0.02, cooling = 0.94;  // the last temperature, and what one is of that before
constexpr double dearest = 20;                    // as much load above the bound as a GPU has on average, in J
constexpr double most_per_load = 0x1p21;          // with that no sum is above 2^62
constexpr std::size_t most_friends = 8;           // others a replica talks to most

std::int64_t affordable(std::int64_t replicas, std::int64_t gpus) {
  return std::min({tries * replicas, most_tries, most_work / (replicas * gpus)});
}

class ReplicaAnnealer {
 public:
  ReplicaAnnealer(Replicas const& replicas, std::span<std::int64_t> gpu)
      : search_(replicas, gpu), gpu_(gpu), place_(gpu.begin(), gpu.end()), seats_(index(replicas.num_gpus), place_) {
    find_friends();
    auto const load = std::accumulate(replicas.load.begin(), replicas.load.end(), 1.0);
    auto const per_load = dearest * static_cast<double>(search_.traffic()) * static_cast<double>(gpus()) / load;
    per_load_ = std::clamp(per_load, 1.0, most_per_load);
  }

  ReplicaGain run(double heat) {
    auto temperature = heat * mean_change();
    auto const end = temperature * (coldest / heat);
    std::int64_t steps = 1;
    for (double t = temperature; t > end; t *= cooling) ++steps;
    auto const count = affordable(size(), gpus()) / steps;
    Weight const excess = search_.excess();
    ReplicaGain now{excess, 0}, best = now;
    std::vector<std::int64_t> places(gpu_.begin(), gpu_.end());
    for (std::int64_t step = 0; step < steps; ++step, temperature *= cooling)
      for (std::int64_t i = 0; i < count; ++i) {
        if (!try_one(hash(index(step), index(i)), temperature, now) || best <= now) continue;
        best = now;
        std::ranges::copy(gpu_, places.begin());
      }
    std::ranges::copy(places, gpu_.begin());
    best.excess -= excess;
    return best;
  }

 private:
  struct Pair {
    std::size_t i, j;
  };

  std::int64_t size() const { return static_cast<std::int64_t>(gpu_.size()); }
  std::int64_t gpus() const { return static_cast<std::int64_t>(seats_.places()); }

  void find_friends() {
    auto const n = gpu_.size();
    num_friends_ = std::min(most_friends, n - 1);
    std::vector<std::size_t> others(n - 1);
    for (std::size_t i = 0; i < n; ++i) {
      auto const* const talk = &search_.given().traffic[i * n];
      std::iota(others.begin(), others.end(), std::size_t{0});
      for (auto j = i; j < n - 1; ++j) ++others[j];
      auto const more = [&](std::size_t a, std::size_t b) { return talk[a] != talk[b] ? talk[a] > talk[b] : a < b; };
      auto const end = others.begin() + static_cast<std::ptrdiff_t>(num_friends_);
      std::partial_sort(others.begin(), end, others.end(), more);
      friends_.insert(friends_.end(), others.begin(), end);
    }
  }

  Pair propose(std::uint64_t random) const {
    auto const i = choose(random, gpu_.size());
    if ((random & 1) != 0) return {i, choose(random << 20, gpu_.size())};
    auto const partner = friends_[i * num_friends_ + choose(random << 20, num_friends_)];
    Block const g = place_[partner];
    return {i, index(seats_.block(g, choose(random << 40, seats_.count(g))))};
  }

  /// Of traffic alone: moves that are dear would make it so hot that traffic does not matter.
  double mean_change() const {
    auto const samples = 4 * gpu_.size();
    double total = 0;
    std::size_t count = 0;
    for (std::size_t s = 0; s < samples; ++s) {
      auto const [i, j] = propose(hash(~std::uint64_t{0}, s));
      if (search_.gpu(i) == search_.gpu(j)) continue;
      total += static_cast<double>(std::abs(search_.traffic_of(i, j)));
      ++count;
    }
    return total / static_cast<double>(std::max<std::size_t>(count, 1));
  }

  /// Whether the replicas of a proposal have changed places.
  bool try_one(std::uint64_t random, double temperature, ReplicaGain& now) {
    auto const [i, j] = propose(random);
    if (!search_.may_exchange(i, j)) return false;
    ReplicaGain const rise{search_.excess_of(i, j), search_.price_of(i, j)};
    auto const paid = rise.price + static_cast<Weight>(per_load_ * static_cast<double>(rise.excess));
    if (paid > 0 && static_cast<double>(paid) >= temperature * exponential(mix(~random))) return false;
    search_.exchange(i, j);
    seats_.exchange(static_cast<Block>(i), static_cast<Block>(j));
    now += rise;
    return true;
  }

  ReplicaSearch search_;
  std::span<std::int64_t> gpu_;
  std::vector<Block> place_;          // GPU of every replica
  Seats seats_;                       // of replicas on GPUs
  std::vector<std::size_t> friends_;  // [i * num_friends + f]
  std::size_t num_friends_ = 0;
  double per_load_ = 1;  // what a unit of load above the bound costs
};

}  // namespace

bool worth_annealing(Replicas const& replicas, std::size_t num_replicas) {
  constexpr std::int64_t fewest = 64;
  auto const n = static_cast<std::int64_t>(num_replicas);
  return !replicas.traffic.empty() && replicas.num_gpus > 1 && n > 1 && affordable(n, replicas.num_gpus) >= fewest * n;
}

ReplicaGain anneal_replicas(Replicas const& replicas, std::span<std::int64_t> gpu, double heat) {
  return ReplicaAnnealer(replicas, gpu).run(heat);
}

}  // namespace procmap
