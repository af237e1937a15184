// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "exec/pass_types.hpp"
#include "exec/probes.hpp"

// What passes hand to their function beside the number of an item: groups, teams and tables. All lanes of a group call
// its verbs together.
//
// of            | verb                   | syncs | what it gives
// ------------- | ---------------------- | ----- | -------------------------------------------------------------------
// group         | rank(), size()         | no    | the lane, and how many there are: a constant
//               | sync()                 | yes   | lanes see what the others wrote before
//               | sum(x), best(x, better)| (1)   | over all lanes, known to each; only equal values tie under `better`
// row of a team | sum_below(x)           | no    | over the lanes of lower rank
// team          | for_rows(n, size, f)   | no    | f(i, lanes): some of its lanes share row i of size(i) arcs
//               | counters(own)          | no    | num_team_counters counters that its lanes reach quickly: `own`, or
//               |                        |       | memory whose values are lost with the pass
//               | fast_memory()          | no    | memory of the team alone, much faster than buffers, perhaps none;
//               |                        |       | lost with the pass
//               | item(array, i)         | no    | item i of an array that may lie there
// many lanes    | fast_memory()          | no    | ... which every block has at least 8 KiB of
//               | blocks, block()        | no    | its lanes come in so many blocks; the own one
//               | block_rank(),          | no    | the lane within its block, and how many there are
//               |   block_size()         |       |
//               | fast(array)            | no    | where the own block has an array of fast memory
//               | of_block(pointer, b)   | no    | where block b has what lies there in the own one
// table         | add(key, weight)       | no    | a sync stands between the last add and the first look
//               | fill(f)                | no    | f(sums): many sums.add(key, weight), faster than one by one
//               | get(key), size()       | no    |
//               | for_each(group, f)     | yes   | f(key, sum), shared by the lanes; keys that f adds are not visited
//               | export_to(group, k, s) | no    | writes all keys and sums; returns how many
//
// (1) They make the lanes wait for each other, but show nobody what others wrote.

namespace procmap {

/// The lanes that share an item.
template <class G>
concept LaneGroup = std::copy_constructible<G> && requires(G const group, Weight value, probe::Less better) {
  { group.rank() } -> std::same_as<int>;
  { G::size() } -> std::same_as<int>;
  group.sync();
  { group.sum(value) } -> std::same_as<Weight>;
  { group.best(value, better) } -> std::same_as<Weight>;
};

/// The lanes of a team that share a row.
template <class G>
concept RowLanes = LaneGroup<G> && requires(G const lanes, Weight value) {
  { lanes.sum_below(value) } -> std::same_as<Weight>;
};

/// The lanes of for_each_team.
template <class T>
concept LaneTeam = LaneGroup<T> && requires(T const team, Edge n, probe::Term size, probe::GroupPass f, Vertex* own) {
  team.for_rows(n, size, f);
  { team.counters(own) } -> std::same_as<Vertex*>;
  { team.fast_memory() } -> std::same_as<FastMemory>;
  { team.item(own, Vertex{}) } -> std::same_as<Vertex&>;
};

/// One that has more than one lane, in blocks each of which has its share of the fast memory.
template <class T>
concept ManyLaneTeam = LaneTeam<T> && requires(T const team, FastArray<Vertex> array, Vertex* own) {
  requires(T::size() > 1);
  { +T::blocks } -> std::same_as<int>;
  { team.block() } -> std::same_as<int>;
  { team.block_rank() } -> std::same_as<int>;
  { team.block_size() } -> std::same_as<int>;
  { team.fast(array) } -> std::same_as<Vertex*>;
  { team.of_block(own, 0) } -> std::same_as<Vertex*>;
};

/// Sums weights by key: what one item sees around it. Weights are positive; adding 0 leaves no trace.
template <class T, class Group>
concept SumTable = requires(T table, T const full, Group group, Vertex key, Weight weight, probe::Visit visit,
                            probe::Fill fill, Vertex* keys, Weight* sums) {
  table.add(key, weight);
  table.fill(fill);
  { full.get(key) } -> std::same_as<Weight>;
  { full.size() } -> std::same_as<int>;
  full.for_each(group, visit);
  { full.export_to(group, keys, sums) } -> std::same_as<Edge>;
};

}  // namespace procmap
