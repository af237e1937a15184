// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "exec/copies.hpp"
#include "graph/host_graph.hpp"
#include "graph/scopes.hpp"
#include "multilevel/methods/anneal_tasks.hpp"
#include "multilevel/methods/given_up.hpp"
#include "multilevel/tight_seats.hpp"
#include "refinement/chains/exact_balance.hpp"

// PEs that are to be full up. Refinement moves one vertex at a time and finds next to nothing that fits, so that it
// ends early: an imbalance of 0 instead of 0.03 took a fifth more J on some meshes. With a little more room it does its
// work, and chains of moves, which leave every PE as full as it is, bring the balance back for less than that.

namespace procmap {

/// What vertices of one weight find on PEs that are all but full; nothing if there is more room, or no such weight.
template <HostExecutor Exec>
std::optional<TightSeats> tight_seats_of(Exec& ex, CsrView graph, MappingTask const& task) {
  constexpr Edge most_arcs = Edge{1} << 24;  // the host looks at all of them
  bool const is_published = task.config.machine.task_annealing == 0;
  bool const is_free = !task.given.pe && task.several.empty() && !is_published && !ex.run().in_hurry();
  if (!is_free || graph.num_arcs > most_arcs) return std::nullopt;
  auto seats = tight_seats(task.capacities, graph.num_vertices, task.total_weight);
  return seats && all_weigh(ex, graph, seats->weight) ? seats : std::nullopt;
}

/// The same task with the capacities and the mapping to start with.
inline MappingTask with_room(MappingTask const& task, PeCapacities const& room, GivenMapping const& given) {
  return {.topology = task.topology,
          .capacities = room,
          .total_weight = task.total_weight,
          .config = task.config,
          .seed = given.pe ? hash(task.seed, Salt::more_room) : task.seed,
          .fixed = task.fixed,
          .given = given,
          .several = task.several,
          .none_empty = task.none_empty,
          .skew = task.skew};
}

/// Mappings of PEs that are all but full.
template <HostExecutor Exec, class Map>
class TightMapping {
 public:
  TightMapping(Exec& ex, CsrView graph, MappingTask const& task, TightSeats const& seats, Map const& map)
      : ex_(ex),
        graph_(graph),
        task_(task),
        room_(seats),
        map_(map),
        seats_{seats.most, download_labels(ex, task.fixed, graph.num_vertices)},
        distances_(distances_of_pes(ex, task)) {}

  /// With many vertices per PE all of it has more room, if chains of moves bring the balance back for little J. Else,
  /// as where whole nodes have come to hold too many, without; the better one of both.
  Buffer<Exec, Block> first() {
    if (!room_.some_more) return map_(task_);
    auto block = map_(with_room(task_, *room_.some_more, {}));
    constexpr Weight little = 32;  // one part of J in so many (measured)
    Weight const cost = standing(block).second;
    bool const fits = balance(block);
    auto const balanced = standing(block);
    is_close_ = fits && balanced.second - cost <= cost / little;
    if (is_close_) return block;
    auto exact = map_(task_);
    return standing(exact) < balanced ? std::move(exact) : std::move(block);
  }

  /// The better one of a mapping and what more room and chains make of it.
  Buffer<Exec, Block> improved(Buffer<Exec, Block> block) {
    auto const refuge = put(ex_, std::span<Block const>(as_numbered(task_.topology.num_pes()).pe_of_slot));
    auto const& room = is_close_ ? *room_.some_more : room_.one_more;
    auto other = map_(with_room(task_, room, {.pe = block.data(), .refuge = refuge.data()}));
    return balance(other) && standing(other) < standing(block) ? std::move(other) : std::move(block);
  }

 private:
  /// On the host, which has its copy of the graph no longer than that.
  bool balance(Buffer<Exec, Block>& block) {
    Phase phase(ex_.run(), "chains of moves");
    auto pe = download_labels(ex_, block.data(), graph_.num_vertices);
    bool const fits = balance_by_chains(download_graph(ex_, graph_), distances_, seats_, host_team(ex_), pe);
    ex_.upload(pe.data(), graph_.num_vertices, block.data());
    return fits;
  }

  Standing standing(Buffer<Exec, Block> const& block) {
    return standing_after_migration(ex_, graph_, task_, block.data());
  }

  Exec& ex_;
  CsrView graph_;
  MappingTask const& task_;
  TightSeats const& room_;
  Map const& map_;
  BlockSeats seats_;
  PlaceDistances distances_;
  bool is_close_ = false;  // did the balance cost little?
};

/// map(task), and where its PEs are all but full, the best of that and what more room and chains of moves make of it.
template <HostExecutor Exec, class Map>
Buffer<Exec, Block> map_tightly(Exec& ex, CsrView graph, MappingTask const& task, Map const& map) {
  auto const seats = tight_seats_of(ex, graph, task);
  if (!seats) return map(task);
  TightMapping mapping(ex, graph, task, *seats, map);
  return mapping.improved(mapping.first());
}

}  // namespace procmap
