// SPDX-License-Identifier: MIT
#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "backends/result_room.hpp"
#include "coarsening/skewed_weights.hpp"
#include "exec/copies.hpp"
#include "graph/degrees.hpp"
#include "graph/empty_blocks.hpp"
#include "multilevel/map.hpp"
#include "report/measure.hpp"
#include "topology/joined_levels.hpp"

namespace procmap {

/// The result of a call on the host.
template <HostExecutor Exec>
std::vector<Block> downloaded(Exec& ex, Buffer<Exec, Block> const& block, ResultRoom room) {
  auto blocks = room.take();
  ex.download(block.data(), static_cast<Edge>(block.size()), blocks.data());
  return blocks;
}

/// A graph of several weights per vertex as the engine takes it, with what the view needs.
template <class Exec>
struct SeveralLoads {
  Buffer<Exec, Weight> sums, loads;
  Weight total = 0;
};

/// The loads of the call where Exec runs; empty if there is one weight.
template <HostExecutor Exec>
SeveralLoads<Exec> put_loads(Exec& ex, MapCall const& call) {
  if (call.constraints.several.empty()) return {};
  auto const sums = sums_of_loads(call.graph, call.constraints.several);
  return {put(ex, std::span<Weight const>(sums)), put(ex, std::span<Weight const>(all_loads(call.graph))),
          std::accumulate(sums.begin(), sums.end(), Weight{0})};
}

/// What every backend does with a split of a population that somebody else asks for.
template <HostExecutor Exec>
std::vector<Block> split_on(Exec& ex, MemberJob const& job) {
  auto const& host = job.graph;
  auto const offsets = put(ex, std::span(host.offsets));
  auto const heads = put(ex, std::span(host.heads));
  auto const arc_weights = put(ex, std::span(host.arc_weights));
  auto const vertex_weights = put(ex, std::span(host.vertex_weights));
  auto const loads = put(ex, std::span(host.loads));
  auto const scope = put(ex, std::span(job.scope));
  auto const fixed = put(ex, std::span(job.fixed));
  auto graph = host.view();
  graph.offsets = offsets.data();
  graph.heads = heads.data();
  graph.arc_weights = arc_weights.data();
  graph.vertex_weights = vertex_weights.data();
  if (graph.num_loads > 0) graph.loads = loads.data();
  ResultRoom room(static_cast<std::size_t>(graph.num_vertices), !Exec::has_small_teams);
  auto const block = split_scopes(ex, graph, {scope.data(), fixed.data()}, job.targets, job.plan);
  return downloaded(ex, block, std::move(room));
}

/// What PEs may hold. Where each is to have one of just as many alike tasks, none may hold more: the mapping is made as
/// one of ranks, which knows how, instead of being filled up in the end.
template <HostExecutor Exec>
PeCapacities capacities_of(Exec& ex, CsrView graph, MapCall const& call) {
  auto const& pes = call.constraints.pes;
  bool const is_free = call.options.fixed.empty() && call.options.initial.empty() && call.constraints.several.empty();
  bool const one_each = is_free && graph.num_vertices == pes.usable(0, pes.num_pes()) && has_unit_weights(ex, graph) &&
                        wants_all_filled(call);
  return one_each ? pes.at_most(1) : pes;
}

/// What every backend does with a call: `graph` is the graph of the call where Exec runs.
template <HostExecutor Exec>
Mapped map_on(Exec& ex, CsrView graph, MapCall const& call) {
  ex.run().stats().threads = ex.threads();
  ResultRoom room(static_cast<std::size_t>(graph.num_vertices), !Exec::has_small_teams);
  auto const& options = call.options;
  auto const fixed = put(ex, std::span(options.fixed));
  auto const initial = put(ex, std::span(options.initial));
  auto const refuge = put(ex, std::span(call.constraints.refuge));
  auto const pull = put(ex, std::span(call.constraints.pull));
  auto const loads = put_loads(ex, call);
  auto engine_graph = graph;
  engine_graph.max_degree = largest_degree(ex, graph);
  bool const several = !call.constraints.several.empty();
  if (several) {
    engine_graph.vertex_weights = loads.sums.data();
    engine_graph.loads = loads.loads.data();
    engine_graph.num_loads = call.constraints.several.count();
  }
  auto const capacities = capacities_of(ex, graph, call);
  Weight const total = several ? loads.total : call.graph.total_vertex_weight();
  auto const machine = joined_levels(call.topology);
  MappingTask const task{
      .topology = machine,
      .capacities = capacities,
      .total_weight = total,
      .config = options.config,
      .seed = hash(options.seed, 0),
      .fixed = fixed.data(),
      .given = {.pe = initial.data(), .refuge = refuge.data(), .pull = pull.data()},
      .several = call.constraints.several,
      .none_empty = wants_all_filled(call),
      .skew = {.of_vertices = !several && few_are_heavy(ex, graph.vertex_weights, graph.num_vertices, total),
               .of_arcs = arcs_are_skewed(ex, graph.arc_weights, graph.num_arcs, call.graph.total_arc_weight())}};
  auto block = map_to_topology(ex, engine_graph, task);
  auto report = measure(ex, graph, call.topology, block.data());
  bool const may_be_empty = !pes_without(report.block_weights, capacities).empty();
  bool const filled = may_be_empty && leave_none_empty(ex, engine_graph, task, block.data());
  if (filled) report = measure(ex, graph, call.topology, block.data());
  return {downloaded(ex, block, std::move(room)), std::move(report), filled};
}

}  // namespace procmap
