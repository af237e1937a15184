// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "multilevel/few_tasks.hpp"
#include "multilevel/methods/hierarchy.hpp"
#include "multilevel/methods/slot_machine.hpp"
#include "refinement/places/deal_out.hpp"
#include "refinement/places/exchange.hpp"

namespace procmap {

template <HostExecutor Exec>
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
template <HostExecutor Exec>
std::vector<Block> balanced_places(Exec& ex, CsrView graph, MappingTask const& slots) {
  auto const block = map_onto_hierarchy(ex, graph, slots);
  std::vector<Block> place(block.size());
  ex.download(block.data(), graph.num_vertices, place.data());
  deal_out_excess(machine_targets(slots).capacity, place);
  return place;
}

/// The same, of few tasks on as few PEs, of a machine too large to compare.
template <HostExecutor Exec>
std::vector<Block> closest_places(Exec& ex, CsrView graph, MappingTask const& slots) {
  auto const rooms = rooms_for(slots.capacities, slots.topology, graph.num_vertices);
  auto const& room = rooms[std::min<std::size_t>(1, rooms.size() - 1)];
  return balanced_places(ex, graph, {slots.topology, room, slots.total_weight, slots.config, slots.seed});
}

/// Several mappings of the slots, each improved by exchanges of tasks; the best goes through random exchanges too.
/// Every other one does without starts from clusters: of stencils these cut as little, but parts that divide less well.
/// With few tasks they take turns with where these may go.
template <HostExecutor Exec>
std::vector<Block> exchange_best_start(Exec& ex, CsrView graph, MappingTask const& slots, SlotMachine const& machine) {
  auto const& config = slots.config.machine;
  auto const seed = slots.seed;
  auto plain = slots.config;
  plain.initial.clustered_starts = 0;
  Block const k = slots.topology.num_pes();
  auto const traffic = with_empty_blocks(download_graph(ex, graph), k);
  auto const capacity = machine_targets(slots).capacity;
  Places const places{machine.distance, capacity, machine.guide.sizes, host_team(ex)};
  std::vector<Block> best;
  Weight best_cost = 0;
  auto const rooms = rooms_for(slots.capacities, slots.topology, graph.num_vertices);
  int const starts = std::max(static_cast<int>(rooms.size()), affordable(config.starts, graph.num_arcs * k));
  for (int start = 0; start < starts; ++start) {
    auto const start_seed = start == 0 ? seed : hash(seed, Salt::one_per_pe_start, static_cast<std::uint64_t>(start));
    auto const& start_config = start % 2 == 0 ? plain : slots.config;
    auto const& room = rooms[static_cast<std::size_t>(start) % rooms.size()];
    MappingTask const attempt{slots.topology, room, slots.total_weight, start_config, start_seed};
    auto place = fill_places(balanced_places(ex, graph, attempt), k);
    Phase phase(ex.run(), "exchange tasks");
    exchange_places(traffic, places, {}, place);
    if (Weight const cost = cost_of_places(traffic, machine.distance, place); best.empty() || cost < best_cost) {
      best_cost = cost;
      best = std::move(place);
    }
  }
  Phase phase(ex.run(), "exchange tasks");
  int const kicks = affordable(config.kicks, 24 * graph.num_arcs);  // some ten exchanges each
  exchange_places(traffic, places, {kicks, 3, hash(seed, Salt::exchange)}, best);
  return best;
}

/// One task per PE (rank reordering). Every PE gets at most one task, whatever the graph looks like.
template <HostExecutor Exec>
Buffer<Exec, Block> map_one_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const machine = make_slot_machine(ex, task.topology, task.config.machine);
  auto const config = one_per_pe_config(task.config);
  auto const capacities = task.capacities.reordered(machine.guide.pe_of_slot);
  MappingTask const slots{machine.hierarchy, capacities, task.total_weight, config, task.seed};
  auto const place =
      machine.distance.empty() ? closest_places(ex, graph, slots) : exchange_best_start(ex, graph, slots, machine);
  auto block = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  ex.upload(place.data(), graph.num_vertices, block.data());
  rename_blocks(ex, machine.guide.pe_of_slot, graph.num_vertices, block.data());
  return block;
}

/// May no PE hold two tasks?
template <HostExecutor Exec>
bool is_one_per_pe(Exec& ex, CsrView graph, MappingTask const& task) {
  if (!task.several.empty() || task.fixed || task.given.pe || graph.num_vertices < 2) return false;
  Block const pes_to_ask = task.capacities.alike() ? 1 : task.capacities.num_pes();
  for (Block pe = 0; pe < pes_to_ask; ++pe)
    if (task.capacities.of(pe) > 1) return false;
  return has_unit_weights(ex, graph);
}

}  // namespace procmap
