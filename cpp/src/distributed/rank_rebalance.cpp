// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <tuple>

#include "distributed/rank_refinement.hpp"
#include "exec/cpu_executor.hpp"
#include "objective/with_distances.hpp"
#include "procmap/monitor.hpp"
#include "refinement/rebalance/rules.hpp"

namespace procmap {
namespace {

Weight room_of(BlockLoads const& loads, Block b) { return loads.capacity[index(b)] - loads.weight[index(b)]; }

/// The block with the most room of blocks first ... last - 1, the first of equals.
Block roomiest(BlockLoads const& loads, BlockRange range) {
  Block best = range.first;
  for (Block b = range.first; b < range.last; ++b)
    if (room_of(loads, b) > room_of(loads, best)) best = b;
  return best;
}

/// Everything that the exit of one row needs.
template <class Objective>
struct Exit {
  RankRows const& rows;
  RankRound const& round;
  BlockLoads const& loads;
  Objective const& objective;
  std::vector<Block> of_group;  // the roomiest block of every group of the objective
  Block of_all;

  template <class Group, class Table>
  Destination operator()(Vertex v, std::uint64_t seed, Group group, Table& table) const {
    auto const graph = rows.view();
    Block const own = round.block[index(v)];
    Weight const load = graph.vertex_weight(v);
    gather_blocks(graph, round.block.data(), v, group, table);
    objective.aggregate(group, table);
    auto const admits = [&](Block b) { return load <= room_of(loads, b); };
    auto const anchors = round.anchors_of(v);
    auto best = best_adjacent(objective, anchors, table, group, Mover{0, own, seed}, admits);
    auto const consider = [&](Block b) {
      if (b == own || !admits(b)) return;
      Destination const other{objective.affinity(table, b) + anchors.affinity(0, b) - objective.affinity(table, own) -
                                  anchors.affinity(0, own),
                              0, b};
      if (other.better_than(best)) best = other;
    };
    for (int i = 0; i < objective.groups_of_block(); ++i) consider(of_group[index(objective.group_of(own, i))]);
    consider(of_all);
    return best;
  }
};

template <class Objective>
Exit<Objective> make_exit(RankRows const& rows, RankRound const& round, BlockLoads const& loads,
                          Objective const& objective) {
  std::vector<Block> of_group(index(objective.num_groups()));
  for (Vertex j = 0; j < objective.num_groups(); ++j) of_group[index(j)] = roomiest(loads, objective.group(j));
  Block const of_all = roomiest(loads, {0, objective.num_blocks});
  return {rows, round, loads, objective, std::move(of_group), of_all};
}

bool may_leave(RankRound const& round, BlockLoads const& loads, ExitRules rules, Vertex v, Weight load) {
  Weight const excess = -room_of(loads, round.block[index(v)]);
  if (load == 0 || excess <= 0) return false;
  return rules.heavy_too || static_cast<double>(load) <= rules.heavy_vertex * static_cast<double>(excess);
}

void append(ExitList& to, ExitList const& from, std::size_t i) {
  to.loss.push_back(from.loss[i]);
  to.noise.push_back(from.noise[i]);
  to.vertex.push_back(from.vertex[i]);
  to.weight.push_back(from.weight[i]);
  to.source.push_back(from.source[i]);
  to.target.push_back(from.target[i]);
}

/// The exits in order of block (source or target), then of loss.
std::vector<std::size_t> in_order(ExitList const& exits, std::vector<Block> const& block) {
  std::vector<std::size_t> order(exits.vertex.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const key = [&](std::size_t i) { return std::tuple(block[i], exits.loss[i], exits.noise[i], exits.vertex[i]); };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

/// Of every source the cheapest, as many as it takes to weigh what is too much.
std::vector<std::size_t> first_of_sources(ExitList const& exits, BlockLoads const& loads) {
  std::vector<std::size_t> chosen;
  Weight sum = 0;
  Block source = no_block;
  for (std::size_t const i : in_order(exits, exits.source)) {
    if (exits.source[i] != source) {
      source = exits.source[i];
      sum = 0;
    }
    if (sum >= -room_of(loads, source)) continue;
    sum += exits.weight[i];
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace

ExitList cheapest_exits(RankRows const& rows, RankRound const& round, BlockLoads const& loads, ExitRules rules,
                        std::span<std::uint8_t const> held) {
  Monitor const silent;
  Run run(silent);
  CpuExecutor ex(round.threads, run);
  std::vector<Destination> best(index(rows.num_rows()));
  auto const graph = rows.view();
  with_distances(ex, round.topology, [&](auto objective) {
    auto const exit = make_exit(rows, round, loads, objective);
    auto const leaves = [&](Vertex v) {
      return !held[index(v)] && may_leave(round, loads, rules, v, graph.vertex_weight(v));
    };
    ex.for_each_with_table(
        graph.num_vertices,
        [&](Edge i) {
          auto const v = static_cast<Vertex>(i);
          return leaves(v) ? connectivity_needs(graph, objective, objective.num_blocks, v) : TableNeeds(0);
        },
        objective.num_keys(),
        [&](Edge i, auto group, auto& table) {
          auto const v = static_cast<Vertex>(i);
          auto const seed = hash(round.seed, static_cast<std::uint64_t>(rows.id(v)));
          if (leaves(v)) best[index(v)] = exit(v, seed, group, table);
        });
  });
  ExitList exits;
  for (Vertex v = 0; v < rows.num_rows(); ++v) {
    if (best[index(v)].block == no_block) continue;
    exits.loss.push_back(exact_loss_key(-best[index(v)].gain, graph.vertex_weight(v)));
    exits.noise.push_back(hash(round.seed, static_cast<std::uint64_t>(rows.id(v)), 1));
    exits.vertex.push_back(rows.id(v));
    exits.weight.push_back(graph.vertex_weight(v));
    exits.source.push_back(round.block[index(v)]);
    exits.target.push_back(best[index(v)].block);
  }
  ExitList cheapest;
  for (std::size_t const i : first_of_sources(exits, loads)) append(cheapest, exits, i);
  return cheapest;
}

std::vector<std::uint8_t> admitted_exits(ExitList const& exits, BlockLoads const& loads) {
  std::vector<std::uint8_t> happens(exits.vertex.size());
  ExitList leaving;
  auto const chosen = first_of_sources(exits, loads);
  for (std::size_t const i : chosen) append(leaving, exits, i);
  Block target = no_block;
  Weight room = 0;
  for (std::size_t const i : in_order(leaving, leaving.target)) {
    if (leaving.target[i] != target) {
      target = leaving.target[i];
      room = room_of(loads, target);
    }
    room -= leaving.weight[i];
    if (room >= 0) happens[chosen[i]] = 1;
  }
  return happens;
}

}  // namespace procmap
