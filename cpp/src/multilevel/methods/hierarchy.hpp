// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/methods/anneal_tasks.hpp"
#include "multilevel/methods/improve.hpp"
#include "multilevel/methods/integrated.hpp"
#include "multilevel/methods/partition.hpp"

namespace procmap {

/// A mapping by `config.method`; one by multisection is refined once more over all PEs, by V-cycles if it is a
/// partition.
template <HostExecutor Exec>
Buffer<Exec, Block> make_mapping(Exec& ex, CsrView graph, MappingTask const& task) {
  if (task.config.method == Method::integrated) return integrated_mapping(ex, graph, task);
  auto block = multisect(ex, graph, task, SplitMethod::multilevel);
  exchange_if_overloaded(ex, graph, task, block.data());
  if (is_partitioning(task.topology))
    improve_partition(ex, graph, task, block.data());
  else
    refine_mapping(ex, graph, task, block.data());
  return block;
}

/// The whole method for a hierarchy: the given mapping improved or a new one, then a last rebalancing if it came out
/// too heavy somewhere.
template <HostExecutor Exec>
Buffer<Exec, Block> map_onto_hierarchy(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const anneal = [&](Block* block) { anneal_on_hierarchy(ex, graph, task, block); };
  auto const improved = [&] {
    auto const distances = make_hierarchy_distance(ex, task.topology);
    auto const exchange = [&](AnchorsView anchors, Block* block) {
      auto const& sizes = task.topology.as_hierarchy()->sizes;
      return exchange_given(ex, graph, task, distances.view, anchors, distances_of_pes(ex, task), sizes, block);
    };
    return improve_given(ex, graph, task, distances.view, exchange, anneal);
  };
  auto block = task.given.pe ? improved() : make_mapping(ex, graph, task);
  restore_balance(ex, graph, task, block.data());
  return block;
}

}  // namespace procmap
