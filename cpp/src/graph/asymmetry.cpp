// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "graph/check.hpp"

namespace procmap {

namespace {

// The arcs by head: which arcs enter a vertex, and from where.
struct IncomingArcs {
  std::vector<Edge> offsets;
  std::vector<Vertex> tails;
  std::vector<Edge> arcs;
};

IncomingArcs incoming_arcs(CsrView csr) {
  IncomingArcs in{std::vector<Edge>(index(csr.num_vertices) + 1), std::vector<Vertex>(index(csr.num_arcs)),
                  std::vector<Edge>(index(csr.num_arcs))};
  for (Edge e = 0; e < csr.num_arcs; ++e) ++in.offsets[index(csr.heads[e]) + 1];
  for (std::size_t v = 1; v < in.offsets.size(); ++v) in.offsets[v] += in.offsets[v - 1];
  auto next = in.offsets;
  for (Vertex v = 0; v < csr.num_vertices; ++v)
    for (Edge e = csr.begin(v); e < csr.end(v); ++e) {
      auto const slot = index(next[index(csr.heads[e])]++);
      in.tails[slot] = v;
      in.arcs[slot] = e;
    }
  return in;
}

std::string name(Vertex tail, Vertex head) { return std::to_string(tail) + "->" + std::to_string(head); }

[[noreturn]] void throw_missing(Vertex tail, Vertex head, Edge arc) {
  LocatedGraphError error(
      LocatedGraphError::Kind::missing_reverse, tail,
      "arc " + name(tail, head) + " (" + array_entry("heads", arc) + ") has no reverse arc " + name(head, tail));
  error.head = head;
  throw error;
}

[[noreturn]] void throw_unequal(std::pair<Vertex, Vertex> ends, Edge arc, Edge reverse,
                                std::pair<Weight, Weight> weights) {
  auto const [tail, head] = ends;
  LocatedGraphError error(LocatedGraphError::Kind::unequal_weights, tail,
                          "arc " + name(tail, head) + " (" + array_entry("heads", arc) + ") weighs " +
                              std::to_string(weights.first) + ", but its reverse arc " + name(head, tail) + " (" +
                              array_entry("heads", reverse) + ") weighs " + std::to_string(weights.second));
  error.head = head;
  error.weight = weights.first;
  error.reverse_weight = weights.second;
  throw error;
}

}  // namespace

void throw_asymmetry(CsrView csr) {
  auto const in = incoming_arcs(csr);
  // Of the row at hand: for every other vertex the weight to it, from it, and an arc from it.
  std::vector<Weight> sent(index(csr.num_vertices)), received(index(csr.num_vertices));
  std::vector<Edge> reverse(index(csr.num_vertices), -1);
  for (Vertex v = 0; v < csr.num_vertices; ++v) {
    auto const first = index(in.offsets[index(v)]), last = index(in.offsets[index(v) + 1]);
    for (auto i = last; i-- > first;) {
      if (in.tails[i] == v) continue;
      received[index(in.tails[i])] += csr.arc_weight(in.arcs[i]);
      reverse[index(in.tails[i])] = in.arcs[i];
    }
    for (Edge e = csr.begin(v); e < csr.end(v); ++e)
      if (csr.heads[e] != v) sent[index(csr.heads[e])] += csr.arc_weight(e);
    for (Edge e = csr.begin(v); e < csr.end(v); ++e) {
      auto const u = csr.heads[e];
      if (u == v) continue;
      if (reverse[index(u)] < 0) throw_missing(v, u, e);
      if (sent[index(u)] != received[index(u)])
        throw_unequal({v, u}, e, reverse[index(u)], {sent[index(u)], received[index(u)]});
    }
    for (auto i = first; i < last; ++i) reverse[index(in.tails[i])] = -1, received[index(in.tails[i])] = 0;
    for (Edge e = csr.begin(v); e < csr.end(v); ++e) sent[index(csr.heads[e])] = 0;
  }
  throw_changed();
}

}  // namespace procmap
