// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exec/host_team.hpp"
#include "initial/small_components.hpp"
#include "procmap/config.hpp"

namespace procmap {

/// A scope that is to be split.
struct ScopeProblem {
  CsrView graph;
  std::span<Weight const> capacity;         // per block
  std::span<Weight const> finest_capacity;  // the same on the finest level, where components are still whole
  std::vector<Block> fixed;          // as in recursive_bisection()
  std::optional<SmallComponents> small;
  bool has_much_slack = false;  // which some starts are to use at once
};

/// The blocks of start number `member`, by recursive bisection. Every other start keeps small components whole where
/// that is possible; the first one among them, since of equal starts it wins, and leaves all blocks about as full.
/// Where there is much slack, one start of four uses it at once.
std::vector<Block> split_scope(ScopeProblem const& problem, std::size_t member, InitialConfig const& config,
                               std::uint64_t seed, HostTeam const& team);

}  // namespace procmap
