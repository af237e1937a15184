// SPDX-License-Identifier: MIT
#pragma once

#include "core/hash.hpp"
#include "refinement/state/connectivity.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

/// A block and what moving there gains; ties are broken by a seeded hash, then by id.
struct Destination {
  Weight gain = 0;
  std::uint64_t noise = 0;
  Block block = no_block;

  PROCMAP_HD bool better_than(Destination const& other) const {
    if (other.block == no_block) return block != no_block;
    if (block == no_block) return false;
    if (gain != other.gain) return gain > other.gain;
    if (noise != other.noise) return noise > other.noise;
    return block < other.block;
  }
};

struct BetterDestination {
  PROCMAP_HD bool operator()(Destination const& a, Destination const& b) const { return a.better_than(b); }
};

/// A vertex that looks for a block; the seed breaks ties.
struct Mover {
  Vertex vertex;
  Block own;
  std::uint64_t seed;
};

/// Rule: the best of the adjacent blocks of v and its home by gain alone; block == no_block if there is none that
/// `admits` allows. Expects gather_blocks and aggregate to have filled the table.
template <class Objective, class Group, class Table, class Admits>
PROCMAP_HD Destination best_adjacent(Objective const& objective, AnchorsView const& anchors, Table const& table,
                                     Group group, Mover const& mover, Admits admits) {
  Vertex const v = mover.vertex;
  Block const own = mover.own;
  auto const seed = mover.seed;
  Weight const stay = objective.affinity(table, own) + anchors.affinity(v, own);
  Destination best;
  auto const consider = [&](Block b) {
    if (b == own || !admits(b)) return;
    Weight const gain = objective.affinity(table, b) + anchors.affinity(v, b) - stay;
    if (best.block != no_block && gain < best.gain) return;
    Destination const other{gain, hash(seed, static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(b)), b};
    if (other.better_than(best)) best = other;
  };
  table.for_each(group, [&](Vertex key, Weight) {
    if (key < objective.num_blocks && objective.considers(table, seed, v, key)) consider(key);
  });
  if (Block const home = anchors.home_of(v); home != no_block) consider(home);
  return group.best(best, BetterDestination{});
}

/// Rule: Jet's first filter. A loss passes if it is below c times what holds v in its block, rounded
/// down: -G < floor(c * attachment).
PROCMAP_HD inline bool passes_filter(Weight gain, Weight attachment, double c) {
  return gain >= 0 ||
         static_cast<double>(-gain) < static_cast<double>(static_cast<Weight>(c * static_cast<double>(attachment)));
}

/// Renews destination and gain of one vertex. The gain of a vertex without a destination is that of its best
/// adjacent block or, if better, of a nearest block it does not see: rebalancing preselects by it.
template <class Objective>
struct RenewDestination {
  CsrView graph;
  Objective const& objective;
  BlocksView blocks;
  RefinementView state;
  RefinementRules const& rules;
  std::uint64_t seed;

  /// Rule: is the move worth proposing at the step at which the scope is?
  template <class Table>
  PROCMAP_HD bool passes(Destination const& best, Block own, Table const& table, Weight stay) const {
    if (best.gain >= 0) return true;
    double const filter = rules.filter_of_step(state.scope[blocks.scope_of(own)].step);
    return filter > 0 && passes_filter(best.gain, objective.attachment(table, own, best.block) + stay, filter);
  }

  template <class Group, class Table>
  PROCMAP_HD bool operator()(Vertex v, Group group, Table& table) const {
    Block const own = state.block[v];
    Block const home = state.anchors.home_of(v);
    Weight const stay = state.anchors.affinity(v, own);
    Destination best;
    bool keep = false;
    Weight gain = 0;
    bool const borders = see_blocks(graph, state, v, group, table);
    if ((borders || (home != no_block && home != own)) && !state.anchors.holds(v)) {
      objective.aggregate(group, table);
      best = best_adjacent(objective, state.anchors, table, group, {v, own, seed}, [](Block) { return true; });
      keep = passes(best, own, table, stay);
      gain = best.gain;
    }
    if (!keep) {
      Weight const elsewhere = -objective.sibling_loss(table, own) - stay;
      gain = best.block != no_block && best.gain > elsewhere ? best.gain : elsewhere;
    }
    if (group.rank() == 0) {
      state.destination[v] = keep ? best.block : no_block;
      state.gain[v] = gain;
      state.dirty[v] = 0;
    }
    return keep;
  }
};

}  // namespace procmap
