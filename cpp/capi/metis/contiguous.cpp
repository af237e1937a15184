// SPDX-License-Identifier: MIT
#include "metis/contiguous.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace procmap_metis {
namespace {

struct Pieces {
  std::vector<std::int32_t> of_vertex;
  std::vector<std::int32_t> part;
  std::vector<std::int64_t> weight;
};

/// Of several weights their sum, which says what is the larger piece well enough.
std::int64_t weight_of(TaskGraph const& graph, std::int32_t vertex) {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < graph.columns.size(); ++c) sum += graph.vertex_weight(vertex, c);
  return sum;
}

/// Calls visit(u, v) in both directions of every arc, because arcs may lack their reverse.
class Neighbours {
 public:
  explicit Neighbours(TaskGraph const& graph) : graph_(graph), offsets_(graph.offsets.size(), 0) {
    for (auto const head : graph.heads) ++offsets_[static_cast<std::size_t>(head) + 1];
    for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
    tails_.resize(graph.heads.size());
    auto next = offsets_;
    for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v)
      for (auto a = graph.offsets[v]; a < graph.offsets[v + 1]; ++a)
        tails_[next[static_cast<std::size_t>(graph.heads[static_cast<std::size_t>(a)])]++] = {
            static_cast<std::int32_t>(v), a};
  }

  template <class Visit>
  void each(std::int32_t vertex, Visit const& visit) const {
    auto const v = static_cast<std::size_t>(vertex);
    for (auto a = graph_.offsets[v]; a < graph_.offsets[v + 1]; ++a)
      visit(graph_.heads[static_cast<std::size_t>(a)], graph_.edge_weight(a));
    for (auto i = offsets_[v]; i < offsets_[v + 1]; ++i) visit(tails_[i].first, graph_.edge_weight(tails_[i].second));
  }

 private:
  TaskGraph const& graph_;
  std::vector<std::size_t> offsets_;
  std::vector<std::pair<std::int32_t, std::int64_t>> tails_;  // of the arcs that end here, and their number
};

Pieces find_pieces(TaskGraph const& graph, Neighbours const& neighbours, std::vector<std::int32_t> const& part) {
  Pieces pieces;
  pieces.of_vertex.assign(part.size(), -1);
  std::vector<std::int32_t> stack;
  for (std::size_t root = 0; root < part.size(); ++root) {
    if (pieces.of_vertex[root] >= 0) continue;
    auto const piece = static_cast<std::int32_t>(pieces.part.size());
    pieces.part.push_back(part[root]);
    pieces.weight.push_back(0);
    pieces.of_vertex[root] = piece;
    stack.push_back(static_cast<std::int32_t>(root));
    while (!stack.empty()) {
      auto const v = stack.back();
      stack.pop_back();
      pieces.weight.back() += weight_of(graph, v);
      neighbours.each(v, [&](std::int32_t u, std::int64_t) {
        auto& of_u = pieces.of_vertex[static_cast<std::size_t>(u)];
        if (of_u >= 0 || part[static_cast<std::size_t>(u)] != part[root]) return;
        of_u = piece;
        stack.push_back(u);
      });
    }
  }
  return pieces;
}

/// Whether each piece is the one that its part keeps: the heaviest, the first of equals.
std::vector<char> kept_pieces(Pieces const& pieces, std::int64_t parts) {
  std::vector<std::int32_t> best(static_cast<std::size_t>(parts), -1);
  for (std::size_t i = 0; i < pieces.part.size(); ++i) {
    auto& kept = best[static_cast<std::size_t>(pieces.part[i])];
    if (kept < 0 || pieces.weight[i] > pieces.weight[static_cast<std::size_t>(kept)])
      kept = static_cast<std::int32_t>(i);
  }
  std::vector<char> keeps(pieces.part.size(), 0);
  for (auto const piece : best)
    if (piece >= 0) keeps[static_cast<std::size_t>(piece)] = 1;
  return keeps;
}

/// The part of a kept neighbour with which the vertices have most traffic; -1 if no neighbour is kept.
std::int32_t best_home(std::vector<std::int32_t> const& vertices, Pieces const& pieces, std::vector<char> const& keeps,
                       Neighbours const& neighbours) {
  std::map<std::int32_t, std::int64_t> traffic;  // ordered: ties go to the first part
  for (auto const v : vertices)
    neighbours.each(v, [&](std::int32_t u, std::int64_t weight) {
      auto const piece = static_cast<std::size_t>(pieces.of_vertex[static_cast<std::size_t>(u)]);
      if (keeps[piece]) traffic[pieces.part[piece]] += weight;
    });
  auto const best =
      std::ranges::max_element(traffic, {}, [](auto const& part_and_weight) { return part_and_weight.second; });
  return best == traffic.end() ? -1 : best->first;
}

}  // namespace

bool is_connected(TaskGraph const& graph) {
  std::vector<std::int32_t> const one(static_cast<std::size_t>(graph.vertices()), 0);
  return find_pieces(graph, Neighbours(graph), one).part.size() <= 1;
}

void make_contiguous(TaskGraph const& graph, std::int64_t parts, std::vector<std::int32_t>& part) {
  Neighbours const neighbours(graph);
  // A piece whose neighbours all move themselves waits for the next turn. In every turn one has a kept neighbour.
  for (;;) {
    auto const pieces = find_pieces(graph, neighbours, part);
    auto const keeps = kept_pieces(pieces, parts);
    if (std::ranges::all_of(keeps, [](char kept) { return kept != 0; })) return;
    std::vector<std::vector<std::int32_t>> vertices(keeps.size());
    for (std::size_t v = 0; v < part.size(); ++v) {
      auto const piece = static_cast<std::size_t>(pieces.of_vertex[v]);
      if (!keeps[piece]) vertices[piece].push_back(static_cast<std::int32_t>(v));
    }
    for (auto const& moved : vertices) {
      auto const home = best_home(moved, pieces, keeps, neighbours);
      if (home < 0) continue;
      for (auto const v : moved) part[static_cast<std::size_t>(v)] = home;
    }
  }
}

}  // namespace procmap_metis
