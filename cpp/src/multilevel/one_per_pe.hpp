// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "multilevel/machine_mapping.hpp"
#include "refinement/deal_out.hpp"

namespace procmap {

template <Executor Exec>
bool has_unit_weights(Exec& ex, CsrView graph) {
  if (!graph.vertex_weights) return true;
  return ex.sum(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return graph.vertex_weights[v] != 1; }) == 0;
}

/// The graph with isolated vertices without weight for the PEs that stay empty: a block per place.
inline HostGraph with_empty_blocks(HostGraph graph, Block num_places) {
  auto const places = static_cast<std::size_t>(num_places);
  graph.offsets.resize(places + 1, graph.offsets.back());
  graph.vertex_weights.resize(places, 0);
  return graph;
}

/// Places of all vertices, at most one each, then the free places in order.
inline std::vector<Block> fill_places(std::vector<Block> place, Block num_places) {
  std::vector<char> taken(static_cast<std::size_t>(num_places), 0);
  for (Block const p : place) taken[static_cast<std::size_t>(p)] = 1;
  for (Block p = 0; p < num_places; ++p)
    if (!taken[static_cast<std::size_t>(p)]) place.push_back(p);
  return place;
}

inline Weight cost_of_places(HostGraph const& graph, std::vector<Weight> const& distance,
                             std::vector<Block> const& place) {
  auto const view = graph.view();
  Weight cost = 0;
  for (Vertex v = 0; v < view.num_vertices; ++v)
    for (Edge e = view.begin(v); e < view.end(v); ++e) {
      auto const from = static_cast<std::size_t>(place[static_cast<std::size_t>(v)]);
      auto const to = static_cast<std::size_t>(place[static_cast<std::size_t>(view.heads[e])]);
      cost += view.arc_weight(e) * distance[from * place.size() + to];
    }
  return cost;
}

/// Of `wanted` repetitions of so much work, those that take no more than a second or so. An exchange changes what all
/// partners pay, which takes long if everybody talks to everybody; and mappings differ little then: of 512 ranks by
/// 0.04 % of J between 4 starts and 1 (measured).
inline int affordable(int wanted, Edge work) {
  constexpr Edge enough = Edge{1} << 28;
  return static_cast<int>(std::min<Edge>(wanted, enough / std::max<Edge>(work, 1)));
}

/// The slots of one mapping, dealt out to PEs with room where it put too many tasks on one. Tasks all weigh 1.
template <Executor Exec>
std::vector<Block> balanced_places(Exec& ex, CsrView graph, MappingTask const& slots) {
  auto const block = map_graph(ex, graph, slots);
  std::vector<Block> place(block.size());
  ex.download(block.data(), graph.num_vertices, place.data());
  deal_out_excess(machine_blocks(slots).capacity, place);
  return place;
}

/// How one of several mappings is made: without flow, as there is no room to move anything, and without populations,
/// whose children are no better than other starts then.
inline Config start_config(Config config) {
  config.flow.rounds = 0;
  config.multisection.final_rounds = 0;
  config.multisection.without_populations();
  return config;
}

/// One task per PE (rank reordering): several mappings, each improved by exchanges of tasks; the best goes through
/// random exchanges too. Every PE gets at most one task, whatever the graph looks like.
template <Executor Exec>
Buffer<Exec, Block> map_one_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const& config = task.config.machine;
  auto const machine = make_slot_machine(ex, task.topology, config);
  Block const k = task.topology.num_pes();
  auto const start_from = start_config(task.config);
  auto const capacities = slot_capacities(task.capacities, machine.guide.pe_of_slot);
  MappingTask slots{machine.hierarchy, capacities, task.total_weight, start_from, task.seed};
  std::vector<Block> best;
  if (machine.distance.empty()) {
    best = balanced_places(ex, graph, slots);
  } else {
    auto const traffic = with_empty_blocks(download_graph(ex, graph), k);
    auto const capacity = machine_blocks(slots).capacity;
    ExchangeTask const exchange{machine.distance, capacity, machine.guide.sizes, host_team(ex)};
    Weight best_cost = 0;
    int const starts = std::max(1, affordable(config.starts, graph.num_arcs * k));
    for (int start = 0; start < starts; ++start) {
      slots.seed = start == 0 ? task.seed : hash(task.seed, 0x0e0ull, static_cast<std::uint64_t>(start));
      auto place = fill_places(balanced_places(ex, graph, slots), k);
      Phase phase(ex.run(), "exchange tasks");
      exchange_places(traffic, exchange, {}, place);
      if (Weight const cost = cost_of_places(traffic, machine.distance, place); best.empty() || cost < best_cost) {
        best_cost = cost;
        best = std::move(place);
      }
    }
    Phase phase(ex.run(), "exchange tasks");
    int const kicks = affordable(config.kicks, 24 * graph.num_arcs);  // some ten exchanges each
    exchange_places(traffic, exchange, {kicks, 3, hash(task.seed, 0x41cull)}, best);
  }
  auto block = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  ex.upload(best.data(), graph.num_vertices, block.data());
  rename_blocks(ex, machine.guide.pe_of_slot, graph.num_vertices, block.data());
  return block;
}

/// May no PE hold two tasks?
template <Executor Exec>
bool is_one_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  if (task.fixed || task.given.pe || graph.num_vertices < 2) return false;
  Block const pes_to_ask = task.capacities.alike() ? 1 : task.capacities.num_pes();
  for (Block pe = 0; pe < pes_to_ask; ++pe)
    if (task.capacities.of(pe) > 1) return false;
  return has_unit_weights(ex, graph);
}

/// The whole method for any machine.
template <Executor Exec>
Buffer<Exec, Block> map_to_topology(Exec& ex, CsrView graph, MappingTask const& task) {
  if (is_one_per_pe(ex, graph, task)) return map_one_per_pe(ex, graph, task);
  return task.topology.is_hierarchy() ? map_graph(ex, graph, task) : map_onto_machine(ex, graph, task);
}

}  // namespace procmap
