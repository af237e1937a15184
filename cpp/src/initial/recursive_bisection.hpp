// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "exec/host_team.hpp"
#include "graph/csr_view.hpp"
#include "procmap/config.hpp"

namespace procmap {

/// What a bisection may use up of the slack: an even share, as the bisections of its sides want some, too; or all of
/// it, which finds large and small blocks where these cut less than equal ones.
enum class SlackUse { even, at_once };

/// Splits `graph` into capacity.size() blocks with a small edge cut: recursive bisection, each by
/// greedy graph growing, of vertices or of clusters, and Fiduccia-Mattheyses refinement; the best of
/// `config.starts` survives.
///
/// block[v] becomes a block in [0, capacity.size()). A block receives a share of the weight
/// proportional to its capacity and stays below its capacity wherever a bisection can manage it; a
/// block without capacity stays empty. `fixed` is empty or holds the block of every fixed vertex and
/// no_block for the others.
/// Deterministic in `seed`, whatever `team` tries the starts, and may be called from many threads.
void recursive_bisection(CsrView graph, std::span<Weight const> capacity, InitialConfig const& config,
                         std::uint64_t seed, std::span<Block> block, std::span<Block const> fixed = {},
                         HostTeam const& team = {}, SlackUse slack = SlackUse::even);

}  // namespace procmap
