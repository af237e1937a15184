// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "placement/replica_exchange.hpp"
#include "placement/replica_search.hpp"

namespace procmap {

/// Whether there is anything to win by it in a time that does not matter.
bool worth_annealing(Replicas const& replicas, std::size_t num_replicas);

/// Exchanges replicas by simulated annealing: a random one with another, or with one on the GPU of somebody it talks to
/// much, at first also where that costs more or takes loads above the bound. `heat` is the first temperature, of what
/// an exchange changes on average. `gpu` becomes the best met, loads first; returns what that is against the start.
ReplicaGain anneal_replicas(Replicas const& replicas, std::span<std::int64_t> gpu, double heat);

}  // namespace procmap
