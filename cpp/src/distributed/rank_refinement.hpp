// SPDX-License-Identifier: MIT
#pragma once

#include "distributed/rank_rows.hpp"
#include "procmap/topology.hpp"
#include "refinement/state/anchors.hpp"

namespace procmap {

/// A round of refinement as a rank sees it.
struct RankRound {
  Topology const& topology;
  std::span<Block const> block;  // of own rows and ghosts
  double filter = 0;             // Jet's c
  std::uint64_t seed = 0;        // of this round
  int threads = 1;
  std::span<Block const> home = {};   // of own rows, where they were before; empty: migration costs nothing
  std::span<Weight const> pull = {};  // of own rows, half of what it costs to be elsewhere

  /// What holds row v, which calls itself vertex 0.
  AnchorsView anchors_of(Vertex v) const {
    if (home.empty()) return {};
    return {nullptr, home.data() + v, pull.data() + v};
  }
};

/// Moves that rows propose: where to, no_block for none, and what that gains. Of own rows and ghosts, the latter to be
/// filled in by an exchange.
struct Proposals {
  std::span<Block> target;
  std::span<Weight> gain;
};

/// Rule: the best adjacent block of every row that passes Jet's filter (RenewDestination). Rows that are not `outdated`
/// keep what `cached` says. With a `room` of every block only blocks that have it for the row are looked at.
void propose_rank_moves(RankRows const& rows, RankRound const& round, std::span<std::uint8_t const> outdated,
                        Proposals const& cached, std::span<Weight const> room = {});

/// accepted[v]: the proposal of row v is no loss after the moves of better ones (afterburner), which are those of
/// higher gain and, of equals, of lower id.
std::vector<std::uint8_t> accepted_rank_moves(RankRows const& rows, RankRound const& round, Proposals const& proposals);

/// outdated[v]: row v or one of its neighbours has `changed`, which is of own rows and ghosts.
std::vector<std::uint8_t> outdated_rows(RankRows const& rows, std::span<std::uint8_t const> changed);

/// crosses[v]: row v has a neighbour in another block.
std::vector<std::uint8_t> border_rows(RankRows const& rows, std::span<Block const> block);

/// What the rows of a rank weigh in every block, and behind that how many there are; no `loads` mean 1.
std::vector<Weight> block_sums(std::span<Block const> block, IntegerView loads, Block num_blocks);

/// What blocks hold and may hold.
struct BlockLoads {
  std::span<Weight const> weight;    // per block, of all ranks
  std::span<Weight const> capacity;  // per block
};

/// Moves out of overloaded blocks, in parallel arrays.
struct ExitList {
  std::vector<Weight> loss;  // per unit of weight, as exact_loss_key
  std::vector<std::uint64_t> noise;
  std::vector<GlobalVertex> vertex;
  std::vector<Weight> weight;
  std::vector<Block> source, target;
};

/// Of every overloaded block the rows that leave it at the least loss per weight, as many as weigh what is too much:
/// those of all ranks together contain the ones that are to leave. Rows that are `held` stay; heavy ones, heavier than
/// heavy_vertex times the excess, only if `heavy_too`.
struct ExitRules {
  double heavy_vertex = 1.5;
  bool heavy_too = false;
};
ExitList cheapest_exits(RankRows const& rows, RankRound const& round, BlockLoads const& loads, ExitRules rules,
                        std::span<std::uint8_t const> held);

/// Which of the exits of all ranks happen: of every source the cheapest that weigh what is too much, and of those for
/// every target the cheapest that fit.
std::vector<std::uint8_t> admitted_exits(ExitList const& exits, BlockLoads const& loads);

/// Twice what a Report counts once: traffic of own rows by the level at which PEs meet, or by distance; cost and cut as
/// the sum over arcs.
struct RankTraffic {
  Weight cost = 0;
  Weight cut = 0;
  std::vector<Weight> level_traffic;
  std::vector<Weight> level_distances;
};
RankTraffic rank_traffic(RankRows const& rows, RankRound const& round);

/// J of own rows: the sum over their arcs.
Weight rank_cost(RankRows const& rows, RankRound const& round);

}  // namespace procmap
