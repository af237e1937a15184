// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "procmap/types.hpp"

namespace procmap {

/// Replicas of the experts of a layer, each in a slot of a GPU, and what counts. R replicas, E experts, G GPUs.
struct Replicas {
  std::int64_t num_experts = 0;         // E
  std::int64_t num_gpus = 0;            // G
  std::span<std::int64_t const> expert; // per replica
  std::span<Weight const> load;         // per replica
  std::span<Weight const> traffic;      // [i * R + j], symmetric; empty: none
  std::span<Weight const> distance;     // [g * G + h], symmetric, 0 on the diagonal
  std::span<std::uint8_t const> home;   // [e * G + g]: whether GPU g has the weights of e; empty: moves do not count
  Weight move_cost = 0;                 // of a replica on a GPU that is no home of its expert
  Weight bound = 0;                     // the load that a GPU may have
};

/// Lets replicas change places as long as that helps: every replica in turn takes the exchange that brings loads
/// nearest to the bound, or else the one that saves most of J and moves without exceeding it. With `heat` and traffic
/// the same after an annealing that begins so hot (`anneal_replicas`), if that is better. No GPU gets a second replica
/// of an expert by this. Sums of traffic times distance must be below 2^60.
void exchange_replicas(Replicas const& replicas, std::span<std::int64_t> gpu, double heat = 0);

}  // namespace procmap
