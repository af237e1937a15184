// SPDX-License-Identifier: MIT
#include "distributed/rank_refinement.hpp"

#include "core/hash.hpp"
#include "exec/cpu_executor.hpp"
#include "objective/cost.hpp"
#include "objective/edge_cut.hpp"
#include "objective/with_distances.hpp"
#include "procmap/procmap.hpp"
#include "refinement/jet/afterburner.hpp"
#include "refinement/state/destinations.hpp"
#include "report/traffic.hpp"

namespace procmap {
namespace {

/// Calls f(executor, objective).
template <class F>
auto on_machine(RankRound const& round, F f) {
  Monitor const silent;
  Run run(silent);
  CpuExecutor ex(round.threads, run);
  return with_distances(ex, round.topology, [&](auto objective) { return f(ex, objective); });
}

/// Rule: what random numbers of a row start from, wherever it lies.
std::uint64_t seed_of_row(RankRows const& rows, RankRound const& round, Vertex v) {
  return hash(round.seed, static_cast<std::uint64_t>(rows.id(v)));
}

}  // namespace

void propose_rank_moves(RankRows const& rows, RankRound const& round, std::span<std::uint8_t const> outdated,
                        Proposals const& cached, std::span<Weight const> room) {
  auto const graph = rows.view();
  auto const* const block = round.block.data();
  on_machine(round, [&](auto& ex, auto const& objective) {
    ex.for_each_with_table(
        graph.num_vertices,
        [&](Edge i) {
          auto const v = static_cast<Vertex>(i);
          return outdated[index(v)] ? connectivity_needs(graph, objective, objective.num_blocks, v) : TableNeeds(0);
        },
        objective.num_keys(),
        [&](Edge i, auto group, auto& table) {
          auto const v = static_cast<Vertex>(i);
          if (!outdated[index(v)]) return;
          cached.target[index(v)] = no_block;
          auto const anchors = round.anchors_of(v);
          Block const home = anchors.home_of(0);
          bool const borders = gather_blocks(graph, block, v, group, table);
          if (!borders && (home == no_block || home == block[v])) return;
          objective.aggregate(group, table);
          // A row's number says where it lies, so ties are broken by a seed of its id.
          Mover const mover{0, block[v], seed_of_row(rows, round, v)};
          Weight const load = graph.vertex_weight(v);
          auto const admits = [&](Block b) { return room.empty() || load <= room[index(b)]; };
          auto const best = best_adjacent(objective, anchors, table, group, mover, admits);
          if (best.block == no_block) return;
          bool const passes =
              best.gain >= 0 || (round.filter > 0 && passes_filter(best.gain,
                                                                   objective.attachment(table, block[v], best.block) +
                                                                       anchors.affinity(0, block[v]),
                                                                   round.filter));
          if (!passes) return;
          cached.target[index(v)] = best.block;
          cached.gain[index(v)] = best.gain;
        });
  });
}

namespace {

template <class Objective>
Weight gain_change(RankRows const& rows, Objective const& objective, std::span<Block const> block,
                   Proposals const& proposals, Vertex v) {
  auto const graph = rows.view();
  Move const mine{block[index(v)], proposals.target[index(v)]};
  Weight const gain = proposals.gain[index(v)];
  Weight change = 0;
  for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
    Vertex const u = graph.heads[e];
    Block const next = proposals.target[index(u)];
    if (next == no_block || !moves_before(proposals.gain[index(u)], rows.id(u), gain, rows.id(v))) continue;
    change += graph.arc_weight(e) * change_by(objective, mine, {block[index(u)], next});
  }
  return change;
}

}  // namespace

std::vector<std::uint8_t> accepted_rank_moves(RankRows const& rows, RankRound const& round,
                                              Proposals const& proposals) {
  std::vector<std::uint8_t> accepted(index(rows.num_rows()));
  on_machine(round, [&](auto& ex, auto const& objective) {
    ex.for_each(rows.num_rows(), [&](Edge i) {
      auto const v = static_cast<Vertex>(i);
      if (proposals.target[index(v)] == no_block) return;
      accepted[index(v)] =
          proposals.gain[index(v)] + gain_change(rows, objective, round.block, proposals, v) >= 0 ? 1 : 0;
    });
  });
  return accepted;
}

std::vector<std::uint8_t> outdated_rows(RankRows const& rows, std::span<std::uint8_t const> changed) {
  auto const graph = rows.view();
  std::vector<std::uint8_t> outdated(index(rows.num_rows()));
  for (Vertex v = 0; v < rows.num_rows(); ++v) {
    std::uint8_t any = changed[index(v)];
    for (Edge e = graph.begin(v); e < graph.end(v) && any == 0; ++e) any = changed[index(graph.heads[e])];
    outdated[index(v)] = any;
  }
  return outdated;
}

std::vector<std::uint8_t> border_rows(RankRows const& rows, std::span<Block const> block) {
  auto const graph = rows.view();
  std::vector<std::uint8_t> crosses(index(rows.num_rows()));
  for (Vertex v = 0; v < rows.num_rows(); ++v)
    for (Edge e = graph.begin(v); e < graph.end(v) && crosses[index(v)] == 0; ++e)
      crosses[index(v)] = block[index(graph.heads[e])] != block[index(v)] ? 1 : 0;
  return crosses;
}

std::vector<Weight> block_sums(std::span<Block const> block, IntegerView loads, Block num_blocks) {
  std::vector<Weight> sums(2 * index(num_blocks));
  for (std::size_t v = 0; v < block.size(); ++v) {
    sums[index(block[v])] += loads.empty() ? 1 : loads[v];
    ++sums[index(num_blocks) + index(block[v])];
  }
  return sums;
}

Weight rank_cost(RankRows const& rows, RankRound const& round) {
  return on_machine(round, [&](auto& ex, auto const& objective) {
    return total_cost(ex, rows.view(), objective, round.block.data());
  });
}

namespace {

template <class Exec>
std::vector<Weight> traffic_of(Exec& ex, RankRows const& rows, HierarchyDistance const& objective,
                               RankRound const& round, std::vector<Weight>& distances) {
  distances = round.topology.distances();
  return traffic_by_level(ex, rows.view(), objective, round.block.data());
}

template <class Exec, class Objective>
std::vector<Weight> traffic_of(Exec& ex, RankRows const& rows, Objective const& objective, RankRound const& round,
                               std::vector<Weight>& distances) {
  distances = round.topology.distinct_distances(Report::max_distances);
  if (!distances.empty() || round.topology.num_pes() == 1)
    return traffic_by_distance(ex, rows.view(), objective, round.block.data(), distances);
  Weight const cut = total_cost(ex, rows.view(), EdgeCut{round.topology.num_pes()}, round.block.data());
  auto const graph = rows.view();
  return {ex.sum(graph.num_arcs, [=](Edge e) { return graph.arc_weight(e); }) - cut};
}

}  // namespace

RankTraffic rank_traffic(RankRows const& rows, RankRound const& round) {
  RankTraffic traffic;
  on_machine(round, [&](auto& ex, auto const& objective) {
    auto const* const block = round.block.data();
    traffic.level_traffic = traffic_of(ex, rows, objective, round, traffic.level_distances);
    traffic.cost = total_cost(ex, rows.view(), objective, block);
    traffic.cut = total_cost(ex, rows.view(), EdgeCut{round.topology.num_pes()}, block);
  });
  return traffic;
}

}  // namespace procmap
