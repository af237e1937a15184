// SPDX-License-Identifier: MIT
#include "graph/empty_blocks.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace procmap {
namespace {

/// PEs that are not forbidden and that nobody is fixed to.
std::vector<Block> pes_to_fill(PeCapacities const& pes, std::span<Block const> fixed) {
  std::vector<char> taken(static_cast<std::size_t>(pes.num_pes()), 0);
  for (Block const pe : fixed)
    if (pe != no_block) taken[static_cast<std::size_t>(pe)] = 1;
  std::vector<Block> open;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (!taken[static_cast<std::size_t>(pe)] && !pes.forbidden(pe)) open.push_back(pe);
  return open;
}

/// Does an empty PE hold v, which has several weights?
bool holds(Graph const& graph, SeveralWeights const& several, Block pe, Vertex v) {
  for (int i = 0; i < graph.num_weights(); ++i)
    if (graph.weight_of(v, i) > several.capacities(i).of(pe)) return false;
  return true;
}

/// can_fill_all of several weights. They are no order, so only vertices count that fit into every PE.
bool can_fill_all_of_several(Graph const& graph, Constraints const& constraints, std::span<Block const> fixed) {
  auto const open = pes_to_fill(constraints.pes, fixed);
  auto needed = open.size();
  std::span<Block const> const different(open.data(),
                                         constraints.pes.alike() ? std::min<std::size_t>(1, needed) : needed);
  for (Vertex v = 0; v < graph.num_vertices() && needed > 0; ++v) {
    if (!fixed.empty() && fixed[static_cast<std::size_t>(v)] != no_block) continue;
    if (std::ranges::all_of(different, [&](Block pe) { return holds(graph, constraints.several, pe, v); })) --needed;
  }
  return needed == 0;
}

/// The least weights of vertices that are not fixed. Increasing.
std::vector<Weight> lightest(Graph const& graph, std::span<Block const> fixed, std::size_t count) {
  std::vector<Weight> loads;
  auto const weights = graph.vertex_weights();
  for (std::size_t v = 0; v < weights.size(); ++v)
    if (fixed.empty() || fixed[v] == no_block) loads.push_back(weights[v]);
  if (weights.empty()) loads.assign(count, 1);
  std::ranges::partial_sort(loads, loads.begin() + static_cast<std::ptrdiff_t>(count));
  loads.resize(count);
  return loads;
}

}  // namespace

std::vector<Block> pes_without(std::span<Weight const> loads, PeCapacities const& pes) {
  std::vector<Block> found;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (loads[static_cast<std::size_t>(pe)] == 0 && !pes.forbidden(pe)) found.push_back(pe);
  return found;
}

std::vector<Block> empty_blocks(std::span<Block const> blocks, PeCapacities const& pes) {
  std::vector<Weight> count(static_cast<std::size_t>(pes.num_pes()), 0);
  for (Block const b : blocks) ++count[static_cast<std::size_t>(b)];
  return pes_without(count, pes);
}

bool can_fill_all(Graph const& graph, Constraints const& constraints, std::span<Block const> fixed) {
  return constraints.several.empty() ? can_fill_all(graph, constraints.pes, fixed)
                                     : can_fill_all_of_several(graph, constraints, fixed);
}

bool can_fill_all(Graph const& graph, PeCapacities const& pes, std::span<Block const> fixed) {
  std::vector<Weight> rooms;
  for (Block const pe : pes_to_fill(pes, fixed)) rooms.push_back(pes.of(pe));
  std::ranges::sort(rooms);
  auto const num_fixed = std::ranges::count_if(fixed, [](Block pe) { return pe != no_block; });
  if (static_cast<std::size_t>(graph.num_vertices() - num_fixed) < rooms.size()) return false;
  bool const any_fits = rooms.empty() || graph.max_vertex_weight() <= rooms.front();
  return any_fits || std::ranges::equal(rooms, lightest(graph, fixed, rooms.size()), std::greater_equal<>());
}

}  // namespace procmap
