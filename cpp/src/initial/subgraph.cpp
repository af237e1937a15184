// SPDX-License-Identifier: MIT
#include "initial/subgraph.hpp"

namespace procmap::initial {

void Level::reserve(Vertex num_vertices, Edge num_arcs) {
  auto const n = static_cast<std::size_t>(num_vertices);
  offsets_.reserve(n + 1);
  arcs_.reserve(static_cast<std::size_t>(num_arcs));
  vertex_weights_.reserve(n);
  origins_.reserve(n);
}

void Level::clear() {
  offsets_.assign(1, 0);
  arcs_.clear();
  vertex_weights_.clear();
  origins_.clear();
}

Vertex Level::append(CsrView graph) {
  auto const first = static_cast<Vertex>(origins_.size());
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      if (graph.heads[e] != v) arcs_.push_back({graph.arc_weight(e), graph.heads[e]});
    offsets_.push_back(static_cast<Edge>(arcs_.size()));
    vertex_weights_.push_back(graph.vertex_weight(v));
    origins_.push_back(v);
  }
  return first;
}

Vertex Level::append_side(Subgraph const& parent, std::span<std::uint8_t const> side, std::uint8_t chosen,
                          std::span<Vertex> new_id) {
  auto const first = static_cast<Vertex>(origins_.size());
  Vertex next = 0;
  for (Vertex v = 0; v < parent.num_vertices; ++v)
    if (side[v] == chosen) new_id[v] = next++;
  for (Vertex v = 0; v < parent.num_vertices; ++v) {
    if (side[v] != chosen) continue;
    for (auto const [weight, head] : parent.arcs(v))
      if (side[head] == chosen) arcs_.push_back({weight, new_id[head]});
    offsets_.push_back(static_cast<Edge>(arcs_.size()));
    vertex_weights_.push_back(parent.vertex_weights[v]);
    origins_.push_back(parent.origins[v]);
  }
  return first;
}

Subgraph Level::slice(Vertex first, Vertex num_vertices) const {
  return {num_vertices, offsets_.data() + first, arcs_.data(), vertex_weights_.data() + first, origins_.data() + first};
}

}  // namespace procmap::initial
