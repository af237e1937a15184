// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "placement/replica_exchange.hpp"

namespace procmap {

/// What an exchange adds to loads above the bound and to the price; less is better, and nothing is neutral.
struct ReplicaGain {
  Weight excess = 0, price = 0;
  auto operator<=>(ReplicaGain const&) const = default;

  ReplicaGain& operator+=(ReplicaGain const& other) {
    excess += other.excess;
    price += other.price;
    return *this;
  }
};

/// A placement, and what is kept up to date as replicas change places.
class ReplicaSearch {
 public:
  ReplicaSearch(Replicas const& replicas, std::span<std::int64_t> gpu)
      : in_(replicas),
        num_replicas_(gpu.size()),
        num_gpus_(index(replicas.num_gpus)),
        gpu_(gpu),
        gpu_load_(num_gpus_),
        held_(index(replicas.num_experts) * num_gpus_),
        price_(num_gpus_ * num_replicas_) {
    for (std::size_t i = 0; i < num_replicas_; ++i) {
      gpu_load_[index(gpu_[i])] += in_.load[i];
      ++held(i, index(gpu_[i]));
    }
    if (!in_.traffic.empty()) add_prices();
  }

  /// Whether a replica may gain: if nothing but moves counts, those that are at home cannot.
  std::vector<std::size_t> hopeful() const {
    bool const only_moves = in_.traffic.empty() && !in_.home.empty() && heaviest() <= in_.bound;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < num_replicas_; ++i)
      if (!only_moves || !is_home(i, index(gpu_[i]))) found.push_back(i);
    return found;
  }

  /// Lets a replica take the best exchange that there is for it, and returns what that changes.
  ReplicaGain improve(std::size_t i) {
    bool const too_heavy = heaviest() > in_.bound;
    ReplicaGain best;
    std::size_t other = i;
    for (std::size_t j = 0; j < num_replicas_; ++j) {
      auto const saved = price_of(i, j);
      if ((saved >= 0 && !too_heavy) || !may_exchange(i, j)) continue;
      if (ReplicaGain const gain{excess_of(i, j), saved}; gain < best) std::tie(best, other) = std::pair(gain, j);
    }
    if (other != i) exchange(i, other);
    return best;
  }

  std::size_t gpu(std::size_t i) const { return index(gpu_[i]); }
  Replicas const& given() const { return in_; }

  Weight excess() const {
    Weight sum = 0;
    for (auto const load : gpu_load_) sum += over(load);
    return sum;
  }
  /// J, both directions.
  Weight traffic() const {
    Weight sum = 0;
    for (std::size_t i = 0; i < num_replicas_; ++i) sum += price_[index(gpu_[i]) * num_replicas_ + i];
    return sum;
  }

  bool may_exchange(std::size_t i, std::size_t j) const {
    auto const here = index(gpu_[i]), there = index(gpu_[j]);
    return here != there && held(i, there) == 0 && held(j, here) == 0;
  }

  /// J and moves after an exchange less those before.
  Weight price_of(std::size_t i, std::size_t j) const {
    if (in_.home.empty()) return traffic_of(i, j);
    auto const here = index(gpu_[i]), there = index(gpu_[j]);
    auto const moves = is_home(i, here) + is_home(j, there) - is_home(i, there) - is_home(j, here);
    return traffic_of(i, j) + in_.move_cost * moves;
  }

  /// J alone.
  Weight traffic_of(std::size_t i, std::size_t j) const {
    if (in_.traffic.empty()) return 0;
    auto const here = index(gpu_[i]), there = index(gpu_[j]);
    auto const* const at_here = &price_[here * num_replicas_];
    auto const* const at_there = &price_[there * num_replicas_];
    // What the two send each other goes as far as before, which the prices of the other's place do not know.
    auto const each_other = in_.traffic[i * num_replicas_ + j] * distance(here, there);
    return 2 * (at_there[i] - at_here[i] + at_here[j] - at_there[j] + 2 * each_other);  // both directions
  }

  Weight excess_of(std::size_t i, std::size_t j) const {
    auto const here = gpu_load_[index(gpu_[i])], there = gpu_load_[index(gpu_[j])];
    auto const less = in_.load[i] - in_.load[j];
    return over(here - less) + over(there + less) - over(here) - over(there);
  }

  void exchange(std::size_t i, std::size_t j) {
    auto const here = index(gpu_[i]), there = index(gpu_[j]);
    auto const less = in_.load[i] - in_.load[j];
    gpu_load_[here] -= less;
    gpu_load_[there] += less;
    if (!in_.traffic.empty()) update_prices(i, j);
    --held(i, here), ++held(i, there);
    --held(j, there), ++held(j, here);
    std::swap(gpu_[i], gpu_[j]);
  }

 private:
  std::int64_t& held(std::size_t i, std::size_t gpu) { return held_[index(in_.expert[i]) * num_gpus_ + gpu]; }
  std::int64_t held(std::size_t i, std::size_t gpu) const { return held_[index(in_.expert[i]) * num_gpus_ + gpu]; }
  Weight distance(std::size_t g, std::size_t h) const { return in_.distance[g * num_gpus_ + h]; }
  Weight heaviest() const { return *std::ranges::max_element(gpu_load_); }
  Weight over(Weight load) const { return std::max(load - in_.bound, Weight{0}); }

  bool is_home(std::size_t i, std::size_t gpu) const { return in_.home[index(in_.expert[i]) * num_gpus_ + gpu] != 0; }

  void add_prices() {
    std::vector<Weight> sent(num_gpus_);
    for (std::size_t i = 0; i < num_replicas_; ++i) {
      std::ranges::fill(sent, 0);
      auto const* const talk = &in_.traffic[i * num_replicas_];
      for (std::size_t j = 0; j < num_replicas_; ++j) sent[index(gpu_[j])] += talk[j];
      for (std::size_t g = 0; g < num_gpus_; ++g)
        for (std::size_t h = 0; h < num_gpus_; ++h) price_[g * num_replicas_ + i] += sent[h] * distance(g, h);
    }
  }

  void update_prices(std::size_t i, std::size_t j) {
    auto const *const of_i = &in_.traffic[i * num_replicas_], *const of_j = &in_.traffic[j * num_replicas_];
    for (std::size_t g = 0; g < num_gpus_; ++g) {
      auto const farther = distance(g, index(gpu_[j])) - distance(g, index(gpu_[i]));
      if (farther == 0) continue;  // of GPUs of other nodes, mostly
      auto* const price = &price_[g * num_replicas_];
      for (std::size_t r = 0; r < num_replicas_; ++r) price[r] += (of_i[r] - of_j[r]) * farther;
    }
  }

  Replicas const& in_;
  std::size_t num_replicas_, num_gpus_;
  std::span<std::int64_t> gpu_;      // per replica
  std::vector<Weight> gpu_load_;     // per GPU
  std::vector<std::int64_t> held_;   // [expert * G + gpu]: replicas of the expert there
  std::vector<Weight> price_;        // [gpu * R + replica]: half of what the replica would pay there
};

}  // namespace procmap
