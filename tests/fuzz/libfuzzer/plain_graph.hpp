// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "opinion.hpp"
#include "procmap/graph.hpp"

namespace procmap::fuzz {

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Arrays that somebody takes for a graph.
struct PlainGraph {
  std::vector<Edge> offsets{0};
  std::vector<Vertex> heads;
  std::vector<Weight> arc_weights;     // empty: all 1
  std::vector<Weight> vertex_weights;  // empty: all 1
  std::size_t num_weights = 1;         // of a vertex, one behind the other

  CsrArrays arrays() const { return {offsets, heads, arc_weights, vertex_weights}; }
};

/// What a graph is, in no order and of no particular size.
struct Meaning {
  std::map<std::pair<Vertex, Vertex>, __int128> arcs;  // no self-loops, parallel ones added up
  std::vector<Weight> loads;
  bool operator==(Meaning const&) const = default;
};

/// Nothing if these arrays are no graph: the definition, slowly.
inline std::optional<Meaning> meaning_of(PlainGraph const& plain) {
  constexpr auto limit = static_cast<__int128>(1) << 62;
  auto const& [offsets, heads, weights, loads, num_weights] = plain;
  if (offsets.empty() || offsets[0] != 0 || offsets.back() != static_cast<Edge>(heads.size())) return {};
  auto const n = static_cast<Vertex>(offsets.size()) - 1;
  if (!weights.empty() && weights.size() != heads.size()) return {};
  if (!loads.empty() && loads.size() != at(n) * num_weights) return {};
  for (std::size_t v = 0; v < at(n); ++v)
    if (offsets[v + 1] < offsets[v]) return {};

  Meaning meaning{{}, std::vector<Weight>(at(n), 1)};
  if (!loads.empty()) meaning.loads = loads;
  __int128 traffic = 0;
  std::vector<__int128> load(num_weights, 0);
  for (std::size_t i = 0; i < meaning.loads.size(); ++i) {
    if (meaning.loads[i] < 0) return {};
    load[i % num_weights] += meaning.loads[i];
  }
  auto const most = num_weights == 1 ? limit : static_cast<__int128>(1) << 58;
  for (Vertex u = 0; u < n; ++u)
    for (Edge e = offsets[at(u)]; e < offsets[at(u) + 1]; ++e) {
      auto const v = heads[at(e)];
      auto const weight = weights.empty() ? 1 : weights[at(e)];
      if (v < 0 || v >= n || weight < 0) return {};
      if (v == u) continue;
      traffic += weight;
      meaning.arcs[{u, v}] += weight;
    }
  if (traffic >= limit || *std::max_element(load.begin(), load.end()) >= most) return {};
  for (auto const& [ends, weight] : meaning.arcs) {
    auto const reverse = meaning.arcs.find({ends.second, ends.first});
    if (reverse == meaning.arcs.end() || reverse->second != weight) return {};
  }
  return meaning;
}

/// Arrays of a Graph; what it promises of them holds.
inline PlainGraph plain(Graph const& graph) {
  auto const copy = [](auto span) { return std::vector(span.begin(), span.end()); };
  PlainGraph arrays{copy(graph.offsets()), copy(graph.heads()), copy(graph.arc_weights()),
                    copy(graph.vertex_weights())};
  if (graph.num_weights() > 1) {
    arrays.num_weights = at(graph.num_weights());
    arrays.vertex_weights.clear();
    for (Vertex v = 0; v < graph.num_vertices(); ++v)
      for (int i = 0; i < graph.num_weights(); ++i) arrays.vertex_weights.push_back(graph.weight_of(v, i));
  }
  auto const meaning = meaning_of(arrays);
  expect(meaning.has_value(), "a Graph that is none");
  expect(meaning->arcs.size() == arrays.heads.size(), "a Graph with self-loops or parallel arcs");
  return arrays;
}

}  // namespace procmap::fuzz
