// SPDX-License-Identifier: MIT
#include "initial/small_components.hpp"

#include "core/disjoint_sets.hpp"
#include "core/index.hpp"

namespace procmap {

namespace {

DisjointSets connected(CsrView graph) {
  DisjointSets sets(graph.num_vertices);
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      if (graph.heads[e] < v) sets.join(graph.heads[e], v);
  return sets;
}

/// Of every root, what its component weighs, if that is small.
std::vector<std::optional<Weight>> small_weights(CsrView graph, std::vector<Vertex> const& root, Weight most,
                                                 std::span<Block const> fixed) {
  std::vector<std::optional<Weight>> weight(root.size(), 0);
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    auto& sum = weight[index(root[index(v)])];
    bool const is_fixed = !fixed.empty() && fixed[index(v)] != no_block;
    if (is_fixed || (sum && *sum + graph.vertex_weight(v) > most)) sum.reset();
    if (sum) *sum += graph.vertex_weight(v);
  }
  return weight;
}

/// Appends the row of v, whose neighbours have their numbers already.
void append_row(SmallComponents& small, CsrView graph, Vertex v) {
  for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
    small.graph.heads.push_back(small.vertex_of[index(graph.heads[e])]);
    small.graph.arc_weights.push_back(graph.arc_weight(e));
  }
  small.graph.offsets.push_back(static_cast<Edge>(small.graph.heads.size()));
  small.graph.vertex_weights.push_back(graph.vertex_weight(v));
}

}  // namespace

std::optional<SmallComponents> small_components(CsrView graph, Weight most, std::span<Block const> fixed) {
  auto sets = connected(graph);
  std::vector<Vertex> root(index(graph.num_vertices));
  for (Vertex v = 0; v < graph.num_vertices; ++v) root[index(v)] = sets.root(v);
  auto const weight = small_weights(graph, root, most, fixed);

  SmallComponents small;
  small.vertex_of.resize(root.size());
  Weight in_small = 0, in_others = 0;
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    auto const& of_component = weight[index(root[index(v)])];
    (of_component ? in_small : in_others) += graph.vertex_weight(v);
    if (!of_component || root[index(v)] != v) continue;
    small.vertex_of[index(v)] = small.count++;
    small.graph.offsets.push_back(0);
    small.graph.vertex_weights.push_back(*of_component);
  }
  if (in_small == 0 || in_small < in_others) return {};
  Vertex next = small.count;
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    Vertex const r = root[index(v)];
    small.vertex_of[index(v)] = weight[index(r)] ? small.vertex_of[index(r)] : next++;
  }
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    if (!weight[index(root[index(v)])]) append_row(small, graph, v);
  return small;
}

}  // namespace procmap
