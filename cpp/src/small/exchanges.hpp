// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "small/small_problem.hpp"

namespace procmap {

/// Moves single vertices and lets two change places as long as that makes the mapping better. Returns whether it did.
bool exchange_vertices(SmallProblem const& problem, std::span<Block> blocks);

/// Moves and exchanges vertices at random, then does the same again, and keeps what came out better: as often as a
/// millisecond or so allows. Returns whether the mapping is another one.
bool kick_vertices(SmallProblem const& problem, std::uint64_t seed, std::span<Block> blocks);

}  // namespace procmap
