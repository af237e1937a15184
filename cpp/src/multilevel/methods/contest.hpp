// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "multilevel/contestants.hpp"
#include "multilevel/methods/anneal_tasks.hpp"
#include "multilevel/methods/hierarchy.hpp"
#include "multilevel/methods/none_empty.hpp"
#include "multilevel/methods/standing.hpp"

namespace procmap {

template <HostExecutor Exec>
GraphShape shape_of(Exec& ex, CsrView graph) {
  return {graph.num_vertices, graph.num_arcs, largest_degree(ex, graph)};
}

/// f(i, executor) for every contestant. On small graphs at the same time; on larger ones that takes memory, wins
/// little, and nobody would hear of their progress. Helpers serve one contestant after the other.
template <HostExecutor Exec, class F>
void for_each_contestant(Exec& ex, Edge n, Edge arcs, F f) {
  constexpr Edge small = Edge{1} << 20;  // arcs of all of them
  if (n * arcs <= small && !ex.run().helpers()) return ex.for_each_part(n, n * arcs, f);
  for (Edge i = 0; i < n; ++i) f(i, ex);
}

/// Anneals few tasks, with the single moves that are left then.
template <HostExecutor Exec>
void anneal_and_settle(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (anneal_on_hierarchy(ex, graph, task, block)) settle_on_machine(ex, graph, task, block);
}

/// A mapping onto a hierarchy, few tasks annealed.
template <HostExecutor Exec>
Buffer<Exec, Block> map_and_anneal(Exec& ex, CsrView graph, MappingTask const& task) {
  auto block = map_onto_hierarchy(ex, graph, task);
  settle_on_machine(ex, graph, task, block.data());
  anneal_and_settle(ex, graph, task, block.data());
  return block;
}

/// The best mapping onto a hierarchy of all contestants, the first of equal ones. Several are compared as they come out
/// in the end, without empty PEs: to fill these may cost more than contestants differ.
template <HostExecutor Exec>
Buffer<Exec, Block> best_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const configs = contestants(task, shape_of(ex, graph));
  if (configs.size() == 1) return map_and_anneal(ex, graph, with_config(task, configs[0], task.fixed));
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  auto mappings = ex.template buffer<Block>(n * configs.size());
  std::vector<Standing> standings(configs.size());
  for_each_contestant(ex, static_cast<Edge>(configs.size()), graph.num_arcs, [&](Edge i, Exec& own_ex) {
    auto const place = static_cast<std::size_t>(i);
    auto const own = with_config(task, configs[place], task.fixed);
    auto const block = map_and_anneal(own_ex, graph, own);
    leave_none_empty(own_ex, graph, own, block.data());
    auto const distances = make_hierarchy_distance(own_ex, own.topology);
    standings[place] = standing_of(own_ex, graph, own, distances.view, block.data());
    own_ex.copy(block.data(), graph.num_vertices, mappings.data() + n * place);
  });
  auto const best = static_cast<std::size_t>(std::ranges::min_element(standings) - standings.begin());
  auto block = ex.template buffer<Block>(n);
  ex.copy(mappings.data() + n * best, graph.num_vertices, block.data());
  if (best > 0) anneal_and_settle(ex, graph, task, block.data());  // others anneal for less time
  return block;
}

}  // namespace procmap
