// SPDX-License-Identifier: MIT
#include "placement/replica_exchange.hpp"

#include <algorithm>
#include <vector>

#include "placement/replica_annealing.hpp"
#include "placement/replica_search.hpp"

namespace procmap {
namespace {

constexpr int most_sweeps = 30;  // five to ten are usual

/// Leaves no exchange that is better, and returns what all of them change.
ReplicaGain settle(Replicas const& replicas, std::span<std::int64_t> gpu) {
  ReplicaSearch search(replicas, gpu);
  ReplicaGain sum;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    ReplicaGain found;
    for (auto const i : search.hopeful()) found += search.improve(i);
    if (found == ReplicaGain{}) break;
    sum += found;
  }
  return sum;
}

}  // namespace

void exchange_replicas(Replicas const& replicas, std::span<std::int64_t> gpu, double heat) {
  if (gpu.empty()) return;
  std::vector<std::int64_t> annealed(gpu.begin(), gpu.end());
  auto const gain = settle(replicas, gpu);
  if (heat == 0 || !worth_annealing(replicas, gpu.size())) return;
  auto other = anneal_replicas(replicas, annealed, heat);
  other += settle(replicas, annealed);
  if (other < gain) std::ranges::copy(annealed, gpu.begin());
}

}  // namespace procmap
