// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/flow_run.hpp"
#include "refinement/state/cost_change.hpp"

namespace procmap {

/// Moves the vertices of the band of a pair to where the cut puts them, and forgets their places.
template <class Group>
PROCMAP_HD void move_band(CsrView graph, FlowArrays const& arrays, FlowState const& state, BlockPair const& pair,
                          PairState& work, Group group) {
  auto const* const near_source = arrays.near_source + work.first_vertex;
  StepLoad moved;  // to b
  team_for(group, work.size, [&](Vertex i) {
    Vertex const v = arrays.band[work.first_vertex + i];
    arrays.place[v] = no_vertex;
    if (work.choice == CutChoice::none) return;
    bool const to_b = near_source[i] == 0;
    if (to_b == (state.block[v] == pair.b)) return;
    racy_store(&state.block[v], to_b ? pair.b : pair.a);
    moved += {to_b ? graph.vertex_weight(v) : -graph.vertex_weight(v), to_b ? 1 : -1};
  });
  moved = group.sum(moved);
  if (group.rank() == 0) {
    work.load_to_b = moved.weight;
    work.vertices_to_b = moved.vertices;
  }
}

/// Notes where borders may have changed.
template <class Lanes>
PROCMAP_HD void touch(CsrView graph, FlowState const& state, Vertex v, Lanes lanes) {
  racy_store(&state.changed.vertex[v], 1);
  for (Edge e = graph.begin(v) + lanes.rank(); e < graph.end(v); e += lanes.size())
    racy_store(&state.changed.vertex[graph.heads[e]], 1);
}

/// Takes the several weights of v from one block to another.
PROCMAP_HD inline void move_loads(CsrView graph, FlowState const& state, Vertex v, Block before, Block now) {
  PROCMAP_LOOP
  for (int j = 0; j < graph.num_loads; ++j) {
    atomic_add(&state.block_loads[Edge{before} * graph.num_loads + j], -graph.load(v, j));
    atomic_add(&state.block_loads[Edge{now} * graph.num_loads + j], graph.load(v, j));
  }
}

/// Notes what went to block b of a pair.
PROCMAP_HD inline void note_moved(FlowState const& state, BlockPair const& pair, Weight load, Vertex vertices) {
  state.block_weight[pair.a] -= load;
  state.block_weight[pair.b] += load;
  state.block_size[pair.a] -= vertices;
  state.block_size[pair.b] += vertices;
  state.changed.block[pair.a] = 1;
  state.changed.block[pair.b] = 1;
}

/// Settles a pair after the cost of its scope is known: keeps the moves, or takes them back.
template <class Group>
PROCMAP_HD void settle_band(CsrView graph, FlowArrays const& arrays, FlowState const& state, BlockPair const& pair,
                            PairState const& work, bool keep, Group group) {
  auto const degree = [&](Vertex i) { return graph.degree(arrays.band[work.first_vertex + i]); };
  group.for_rows(work.size, degree, [&](Vertex i, auto lanes) {
    Vertex const v = arrays.band[work.first_vertex + i];
    Block const now = state.block[v];
    Block const before = state.previous[v];
    if (now == before) return;
    if (keep) touch(graph, state, v, lanes);
    lanes.sync();  // all of them have read what the first one writes
    if (lanes.rank() != 0) return;
    if (keep) move_loads(graph, state, v, before, now);
    if (keep)
      racy_store(&state.previous[v], now);
    else
      racy_store(&state.block[v], before);
  });
  if (keep && group.rank() == 0) note_moved(state, pair, work.load_to_b, work.vertices_to_b);
}

/// move_band and settle_band in one pass, for cuts that are kept.
template <class Group>
PROCMAP_HD void move_and_settle(CsrView graph, FlowArrays const& arrays, FlowState const& state, BlockPair const& pair,
                                PairState const& work, Group group) {
  auto const* const band = arrays.band + work.first_vertex;
  auto const* const near_source = arrays.near_source + work.first_vertex;
  bool const moves = work.choice != CutChoice::none;
  Weight load = 0, count = 0;  // what goes to b
  auto const degree = [&](Vertex i) { return moves ? graph.degree(band[i]) : 1; };
  group.for_rows(work.size, degree, [&](Vertex i, auto lanes) {
    Vertex const v = band[i];
    if (lanes.rank() == 0) arrays.place[v] = no_vertex;
    if (!moves) return;
    bool const to_b = near_source[i] == 0;
    Block const before = racy_load(&state.block[v]), now = to_b ? pair.b : pair.a;
    lanes.sync();  // all of them have read what the first one writes
    if (now == before) return;
    touch(graph, state, v, lanes);
    if (lanes.rank() != 0) return;
    racy_store(&state.block[v], now);
    racy_store(&state.previous[v], now);
    load += to_b ? graph.vertex_weight(v) : -graph.vertex_weight(v);
    count += to_b ? 1 : -1;
    move_loads(graph, state, v, before, now);
  });
  if (!moves) return;
  load = group.sum(load);
  count = group.sum(count);
  if (group.rank() == 0) note_moved(state, pair, load, static_cast<Vertex>(count));
}

/// Tells the scope of a pair what its cut saves.
PROCMAP_HD inline void note_saved(FlowProblem const& problem, FlowState const& state, BlockPair const& pair,
                                  PairState const& work) {
  constexpr Weight each_edge_twice = 2;
  Block const scope = problem.blocks.scope_of(pair.a);
  racy_store(&state.changed.scope[scope], 1);
  atomic_add(&state.scope[scope].best_cost, -each_edge_twice * work.saved);
}

/// Cuts the band of a pair, which has been grown, and carries out what comes of it. Nobody else looks at what its two
/// blocks hold meanwhile. On the edge cut no cut makes a scope worse, whatever happens in other blocks, and what it
/// saves does not depend on them.
template <class Group, class Objective>
PROCMAP_HD void cut_and_settle(FlowProblem const& problem, Objective const& objective, FlowArrays const& arrays,
                               FlowState const& state, BlockPair const& pair, PairState& work, Group group) {
  cut_pair(problem, objective, pair, work, arrays, group);
  move_and_settle(problem.graph, arrays, state, pair, work, group);
  if (work.choice != CutChoice::none && group.rank() == 0) note_saved(problem, state, pair, work);
}

/// What the moves of a band changed of the cost of its scope, every edge twice; to all lanes.
template <class Group, class Objective>
PROCMAP_HD Weight band_change(FlowProblem const& problem, Objective const& objective, FlowArrays const& arrays,
                              FlowState const& state, PairState const& work, Group group) {
  auto const& graph = problem.graph;
  auto const& anchors = problem.anchors;
  Weight change = 0;
  auto const* const band = arrays.band + work.first_vertex;
  auto const degree = [&](Vertex j) { return graph.degree(band[j]); };
  group.for_rows(work.size, degree, [&](Vertex j, auto lanes) {
    Vertex const v = band[j];
    if (state.block[v] == state.previous[v]) return;
    change += cost_change(graph, objective, {state.block, state.previous}, v, lanes, [](Edge, Vertex) {});
    if (lanes.rank() == 0) change += anchors.cost(v, state.block[v]) - anchors.cost(v, state.previous[v]);
  });
  return group.sum(change);
}

/// Carries out the cuts of a colour class. On the edge cut they do not touch each other: what an edge to a third
/// block costs does not depend on which. For the mapping cost it does, so cuts of a class that cost a scope more
/// together than they save are taken back. `arcs`: of all bands.
template <HostExecutor Exec, class Objective>
void apply_cuts(Exec& ex, FlowRun<Exec> const& run, Objective objective, PairClass pairs, Edge arcs) {
  Phase phase(ex.run(), "flow: apply");
  auto const problem = run.problem;
  auto const graph = problem.graph;
  auto const blocks = problem.blocks;
  auto const arrays = run.arrays.view();
  auto const state = run.state;
  auto* const work = pairs.work;
  ex.fill(state.scope_change, blocks.num_scopes(), Weight{0});
  ex.for_each_team(pairs.count, arcs, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    move_band(graph, arrays, state, pairs.pair[i], work[i], group);
  });
  ex.for_each_team(pairs.count, arcs, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    if (work[i].choice == CutChoice::none) return;
    Weight const change = band_change(problem, objective, arrays, state, work[i], group);
    if (group.rank() == 0) atomic_add(&state.scope_change[blocks.scope_of(pairs.pair[i].a)], change);
  });
  ex.for_each_team(pairs.count, arcs, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    if (work[i].choice == CutChoice::none) return;
    Block const scope = blocks.scope_of(pairs.pair[i].a);
    bool const keep = state.scope_change[scope] <= 0;
    settle_band(graph, arrays, state, pairs.pair[i], work[i], keep, group);
    if (keep && group.rank() == 0) racy_store(&state.changed.scope[scope], 1);
  });
  ex.for_each(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) {
    if (state.scope_change[s] < 0) state.scope[s].best_cost += state.scope_change[s];
  });
}

}  // namespace procmap
