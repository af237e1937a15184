// SPDX-License-Identifier: MIT
#include "refinement/places/least_cost.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "core/index.hpp"

namespace procmap {
namespace {

/// A machine that looks the same from every PE, and no farther from one to another than `machine`. Of a part of a
/// grid that is the torus around it, unless that is much larger.
std::optional<Topology> uniform_machine(Topology const& machine) {
  if (machine.is_hierarchy()) return machine;
  auto const* const grid = machine.as_grid();
  if (!grid) return std::nullopt;
  constexpr Block most_per_pe = 16;
  auto torus = Topology::torus(grid->sizes, grid->costs);
  if (torus.num_pes() / most_per_pe > machine.num_pes()) return std::nullopt;
  return torus;
}

/// The distances from a PE to the others, so many of the shortest.
std::vector<Weight> nearest_distances(Topology const& machine, std::size_t count) {
  std::vector<Weight> distances;
  distances.reserve(index(machine.num_pes()));
  for (Block pe = 1; pe < machine.num_pes(); ++pe) distances.push_back(machine.distance(0, pe));
  count = std::min(count, distances.size());
  std::ranges::partial_sort(distances, distances.begin() + static_cast<std::ptrdiff_t>(count));
  distances.resize(count);
  return distances;
}

std::size_t largest_degree(CsrView graph) {
  Edge largest = 0;
  for (Vertex v = 0; v < graph.num_vertices; ++v) largest = std::max(largest, graph.degree(v));
  return static_cast<std::size_t>(largest);
}

}  // namespace

Weight least_cost_of_places(HostGraph const& traffic, Topology const& machine) {
  auto const uniform = uniform_machine(machine);
  if (!uniform) return 0;
  auto const graph = traffic.view();
  auto const nearest = nearest_distances(*uniform, largest_degree(graph));
  Weight least = 0;
  std::vector<Weight> weights;
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    weights.assign(graph.arc_weights + graph.begin(v), graph.arc_weights + graph.end(v));
    std::ranges::sort(weights, std::greater{});
    auto const others = std::min(weights.size(), nearest.size());
    for (std::size_t i = 0; i < others; ++i) least += weights[i] * nearest[i];
  }
  return least;
}

}  // namespace procmap
