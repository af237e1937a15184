// SPDX-License-Identifier: MIT
#include "initial/subgraph.hpp"

#include <numeric>

namespace procmap::initial {

namespace {

/// The vertices of every cluster, one cluster behind the other; those of c end at ends[c].
struct ClusterMembers {
  std::vector<Vertex> ends, vertices;

  ClusterMembers(std::span<Vertex const> cluster, Vertex num_clusters)
      : ends(static_cast<std::size_t>(num_clusters), 0), vertices(cluster.size()) {
    for (Vertex const c : cluster) ++ends[c];
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), Vertex{0});
    for (std::size_t v = 0; v < cluster.size(); ++v) vertices[ends[cluster[v]]++] = static_cast<Vertex>(v);
  }

  std::span<Vertex const> of(Vertex c) const {
    auto const begin = c == 0 ? 0 : ends[c - 1];
    return std::span(vertices).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(ends[c] - begin));
  }
};

}  // namespace

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

void Level::append_clusters(Subgraph const& parent, std::span<Vertex const> cluster, Vertex num_clusters) {
  ClusterMembers const members(cluster, num_clusters);
  std::vector<std::size_t> behind(static_cast<std::size_t>(num_clusters),
                                  0);  // the arc to a cluster, if any in the row
  for (Vertex c = 0; c < num_clusters; ++c) {
    auto const row = arcs_.size();
    Weight vertex_weight = 0;
    for (Vertex const v : members.of(c)) {
      vertex_weight += parent.vertex_weights[v];
      for (auto const [weight, head] : parent.arcs(v)) {
        Vertex const to = cluster[static_cast<std::size_t>(head)];
        if (to == c) continue;
        if (behind[to] > row) {
          arcs_[behind[to] - 1].weight += weight;
        } else {
          arcs_.push_back({weight, to});
          behind[to] = arcs_.size();
        }
      }
    }
    offsets_.push_back(static_cast<Edge>(arcs_.size()));
    vertex_weights_.push_back(vertex_weight);
    origins_.push_back(parent.origins[members.of(c).front()]);
  }
}

Subgraph Level::slice(Vertex first, Vertex num_vertices) const {
  return {num_vertices, offsets_.data() + first, arcs_.data(), vertex_weights_.data() + first, origins_.data() + first};
}

}  // namespace procmap::initial
