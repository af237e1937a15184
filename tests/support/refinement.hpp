// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "instances/instances.hpp"
#include "objective/edge_cut.hpp"
#include "objective/with_distances.hpp"
#include "support/backend.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"
#include "support/traced.hpp"
#include "support/view.hpp"

// What refinement works on and what it must agree with: problems, and definitions without any cache.

// The library's instances, instead of compiling refinement once more in every test.
#if !defined(PROCMAP_TEST_CUDA)
namespace procmap {
PROCMAP_COARSENING_INSTANCE(extern, CpuExecutor)
#define PROCMAP_OBJECTIVE(objective, header) PROCMAP_REFINEMENT_INSTANCE(extern, CpuExecutor, objective)
#include "instances/objectives.def"
#undef PROCMAP_OBJECTIVE
}  // namespace procmap
#endif

namespace procmap::test {

/// EdgeCut with k blocks: the definition, and how to place it on a machine.
struct CutCase {
  Block k;

  Block num_blocks() const { return k; }
  std::string name() const { return "cut of " + std::to_string(k); }
  Weight distance(Block a, Block b) const { return a == b ? 0 : 1; }
  struct Placed {
    EdgeCut view;
  };
  template <class Exec>
  Placed place(Exec&) const {
    return {EdgeCut{k}};
  }
};

struct HierarchyCase {
  Topology topology;

  Block num_blocks() const { return topology.num_pes(); }
  std::string name() const { return topology.describe(); }
  Weight distance(Block a, Block b) const { return topology.distance(a, b); }
  template <class Exec>
  HierarchyTables<Exec> place(Exec& ex) const {
    return make_hierarchy_distance(ex, topology);
  }
};

/// A machine that is no hierarchy, of blocks that are its PEs.
struct GridCase {
  Topology topology;

  Block num_blocks() const { return topology.num_pes(); }
  std::string name() const { return topology.describe(); }
  Weight distance(Block a, Block b) const { return topology.distance(a, b); }
  template <class Exec>
  PairwiseTables<Exec> place(Exec& ex) const {
    return make_grid_distance(ex, *topology.as_grid(), as_numbered(topology.num_pes()).pe_of_slot);
  }
};

struct TableCase {
  Topology topology;

  Block num_blocks() const { return topology.num_pes(); }
  std::string name() const { return topology.describe(); }
  Weight distance(Block a, Block b) const { return topology.distance(a, b); }
  template <class Exec>
  PairwiseTables<Exec> place(Exec& ex) const {
    return make_matrix_distance(ex, *topology.as_table(), as_numbered(topology.num_pes()).pe_of_slot);
  }
};

inline HierarchyCase machine(std::string_view sizes, std::string_view distances) {
  return {Topology::hierarchy(sizes, distances)};
}

template <class F, class Case>
void call_traced(F& f, Case const& objective, std::source_location where) {
  Trace const trace(where, objective.name());
  f(objective);
}

/// f(objective) for all kinds of objectives, on several machines.
template <class F>
void for_each_objective(F f, std::source_location where = std::source_location::current()) {
  call_traced(f, CutCase{1}, where);
  call_traced(f, CutCase{5}, where);
  call_traced(f, machine("2:3:2", "1:10:100"), where);
  call_traced(f, machine("1:3:1:2", "1:2:2:7"), where);
  call_traced(f, machine("4:2", "0:3"), where);
  call_traced(f, GridCase{Topology::torus({4, 3}, {2, 5})}, where);
  call_traced(f, TableCase{Topology::dragonfly(3, 2, 2)}, where);
}

/// A graph whose arcs do not leave their scope, with a mapping to start from.
struct Problem {
  Graph graph;
  Block per_scope = 1;
  Block num_scopes = 1;
  std::vector<Block> block;
  std::vector<Weight> capacity, share;

  Block num_blocks() const { return per_scope * num_scopes; }
};

inline std::vector<Weight> loads_of(Graph const& graph, std::vector<Block> const& block, Block k) {
  std::vector<Weight> load(at(k), 0);
  for (Vertex v = 0; v < graph.num_vertices(); ++v)
    load.at(at(block[at(v)])) += graph.vertex_weights().empty() ? 1 : graph.vertex_weights()[at(v)];
  return load;
}

/// The graphs side by side, as one graph. All weights are written out.
inline Graph side_by_side(std::vector<Graph> const& graphs) {
  Csr all;
  for (auto const& graph : graphs) {
    auto const part = view_of(graph);
    Vertex const first = all.num_vertices();
    for (Vertex v = 0; v < part.num_vertices; ++v) {
      for (Edge e = part.begin(v); e < part.end(v); ++e) {
        all.heads.push_back(first + part.heads[e]);
        all.arc_weights.push_back(part.arc_weight(e));
      }
      all.offsets.push_back(static_cast<Edge>(all.heads.size()));
      all.vertex_weights.push_back(part.vertex_weight(v));
    }
  }
  return all.graph();
}

/// Every graph is a scope of `per_scope` blocks; its vertices lie in random ones. Capacities are
/// (100 + slack) % of the average load, rounded up.
inline Problem random_problem(std::vector<Graph> const& scopes, Block per_scope, Weight slack, std::uint64_t seed) {
  Problem problem{
      scopes.size() == 1 ? scopes[0] : side_by_side(scopes), per_scope, static_cast<Block>(scopes.size()), {}, {}, {}};
  for (std::size_t s = 0; s < scopes.size(); ++s) {
    for (Block const b : random_blocks(scopes[s].num_vertices(), per_scope, hash(seed, s)))
      problem.block.push_back(static_cast<Block>(s) * per_scope + b);
    auto const total = scopes[s].total_vertex_weight();
    auto const capacity = total / 100 * (100 + slack) / per_scope + (total % 100 * (100 + slack)) / 100 / per_scope + 1;
    problem.capacity.insert(problem.capacity.end(), at(per_scope), capacity);
    problem.share.insert(problem.share.end(), at(per_scope), total / per_scope);
  }
  return problem;
}

inline Block scope_of(Problem const& problem, Block b) { return b / problem.per_scope; }

/// Cost of every scope (every edge twice), by definition.
template <class Case>
std::vector<Weight> costs_of(Problem const& problem, Case const& objective, std::vector<Block> const& block) {
  auto const graph = view_of(problem.graph);
  std::vector<Weight> cost(at(problem.num_scopes), 0);
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      cost.at(at(scope_of(problem, block[at(v)]))) +=
          graph.arc_weight(e) * objective.distance(block[at(v)], block[at(graph.heads[e])]);
  return cost;
}

/// Largest excess over a capacity in every scope, by definition.
inline std::vector<Weight> overloads_of(Problem const& problem, std::vector<Block> const& block) {
  auto const load = loads_of(problem.graph, block, problem.num_blocks());
  std::vector<Weight> overload(at(problem.num_scopes), 0);
  for (Block b = 0; b < problem.num_blocks(); ++b) {
    auto& worst = overload[at(scope_of(problem, b))];
    worst = std::max(worst, load[at(b)] - problem.capacity[at(b)]);
  }
  return overload;
}

/// What moving v to `to` saves in the given mapping (every edge once).
template <class Case>
Weight move_gain(CsrView graph, Case const& objective, std::vector<Block> const& block, Vertex v, Block to) {
  Weight gain = 0;
  for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
    Block const other = block[at(graph.heads[e])];
    gain += graph.arc_weight(e) * (objective.distance(block[at(v)], other) - objective.distance(to, other));
  }
  return gain;
}

/// A problem placed on the machine, ready for the phases of refinement.
template <class Case, class Backend = test::Backend>
class Stage {
 public:
  using Exec = typename Backend::Exec;

  Stage(Backend& backend, Problem const& problem, Case const& definition)
      : backend_(backend),
        graph_(backend.put(problem.graph)),
        placed_(definition.place(backend.ex)),
        capacity_(backend.put(problem.capacity)),
        share_(backend.put(problem.share)),
        block_(backend.put(problem.block)),
        scratch(backend.ex, problem.block.size(), problem.capacity.size()),
        blocks{problem.num_blocks(), problem.per_scope, capacity_.data(), share_.data()},
        graph(graph_.view()),
        objective(placed_.view),
        state(scratch.view(block_.data())) {}

  /// f(executor) where the passes of refinement run.
  template <class F>
  void run(F const& f) {
    backend_.ex.resident({graph.num_vertices, 2 * rebalance_bytes<Exec>(whole_part(graph, blocks), blocks, objective),
                          objective.num_keys()},
                         f);
  }

  /// What the phases get.
  Refinement refinement(double filter = 0) const {
    return {graph, blocks, state, {{}, filter}, whole_part(graph, blocks)};
  }
  /// What refine() gets.
  auto problem(AnchorsView anchors = {}) const {
    return RefinementProblem<std::remove_cvref_t<decltype(objective)>>{graph, objective, blocks, anchors};
  }

  void start() {
    run([refinement = refinement(), objective = objective] PROCMAP_LAMBDA(auto& ex) {
      start_refinement(ex, refinement, objective);
    });
  }
  /// Makes every vertex active and proposes.
  void propose(double filter, std::uint64_t seed) {
    std::vector<Vertex> all(at(graph.num_vertices));
    std::iota(all.begin(), all.end(), 0);
    write(all, scratch.active.data());
    VertexList const active{scratch.active.data(), graph.num_vertices};
    run([refinement = refinement(filter), objective = objective, active, seed] PROCMAP_LAMBDA(auto& ex) {
      propose_moves(ex, refinement, objective, seed, active);
    });
  }

  template <class T>
  std::vector<T> per_vertex(T const* values) const {
    return read(values, graph.num_vertices);
  }
  std::vector<Weight> loads() const { return read(state.block_weight, blocks.num_blocks); }
  std::vector<ScopeState> scopes() const { return read(state.scope, blocks.num_scopes()); }
  template <class T>
  std::vector<T> read(T const* from, Edge n) const {
    std::vector<T> values(at(n));
    backend_.ex.download(from, n, values.data());
    return values;
  }
  template <class T>
  void write(std::vector<T> const& values, T* to) {
    backend_.ex.upload(values.data(), static_cast<Edge>(values.size()), to);
  }
  void set_modes(ScopeMode mode) {
    auto states = scopes();
    for (auto& scope : states) scope.mode = mode;
    write(states, state.scope);
  }

 private:
  Backend& backend_;
  OwnedGraph<Exec> graph_;
  decltype(std::declval<Case const&>().place(std::declval<Exec&>())) placed_;
  procmap::Buffer<Exec, Weight> capacity_, share_;
  procmap::Buffer<Exec, Block> block_;

 public:
  RefinementScratch<Exec> scratch;
  BlocksView blocks;
  CsrView graph;
  decltype(placed_.view) objective;
  RefinementView state;
};

}  // namespace procmap::test
