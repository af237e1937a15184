// SPDX-License-Identifier: MIT
#pragma once

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
  auto const& [offsets, heads, weights, loads] = plain;
  if (offsets.empty() || offsets[0] != 0 || offsets.back() != static_cast<Edge>(heads.size())) return {};
  auto const n = static_cast<Vertex>(offsets.size()) - 1;
  if (!weights.empty() && weights.size() != heads.size()) return {};
  if (!loads.empty() && loads.size() != at(n)) return {};
  for (std::size_t v = 0; v < at(n); ++v)
    if (offsets[v + 1] < offsets[v]) return {};

  Meaning meaning{{}, std::vector<Weight>(at(n), 1)};
  if (!loads.empty()) meaning.loads = loads;
  __int128 traffic = 0, load = 0;
  for (auto const weight : meaning.loads) {
    if (weight < 0) return {};
    load += weight;
  }
  for (Vertex u = 0; u < n; ++u)
    for (Edge e = offsets[at(u)]; e < offsets[at(u) + 1]; ++e) {
      auto const v = heads[at(e)];
      auto const weight = weights.empty() ? 1 : weights[at(e)];
      if (v < 0 || v >= n || weight < 0) return {};
      if (v == u) continue;
      traffic += weight;
      meaning.arcs[{u, v}] += weight;
    }
  if (traffic >= limit || load >= limit) return {};
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
  auto const meaning = meaning_of(arrays);
  expect(meaning.has_value(), "a Graph that is none");
  expect(meaning->arcs.size() == arrays.heads.size(), "a Graph with self-loops or parallel arcs");
  return arrays;
}

}  // namespace procmap::fuzz
