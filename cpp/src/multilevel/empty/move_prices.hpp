// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <vector>

#include "exec/executor.hpp"
#include "graph/degrees.hpp"
#include "multilevel/empty/cheapest_first.hpp"
#include "multilevel/task.hpp"

namespace procmap {

/// Rules: what it costs to move single vertices, as edges counted once.
template <class Objective>
struct MovePrices {
  CsrView graph;
  Objective objective;
  Block const* block = nullptr;
  Block const* fixed = nullptr;
  GivenMapping given;
  // Of every vertex, if distances keep the triangle inequality: its arcs, and what they cost now. Else null.
  Weight const* traffic = nullptr;
  Weight const* paid = nullptr;

  /// Does it cost more than `most` to move v to `pe`, where it is not, as it is so far away?
  PROCMAP_HD bool is_too_far(Vertex v, Block pe, Weight most) const {
    if (!traffic) return false;
    Block const here = block[v];
    return traffic[v] * objective.distance(here, pe) - 2 * paid[v] - away_from(v, here) > most;
  }

  PROCMAP_HD bool is_free(Vertex v) const { return !fixed || fixed[v] == no_block; }
  PROCMAP_HD Weight away_from(Vertex v, Block pe) const { return !given.pull || given.pe[v] == pe ? 0 : given.pull[v]; }

  /// To any PE whose distance to the PE of a neighbour is there(PE); migration to it is not included.
  template <class Group, class There>
  PROCMAP_HD Weight of_leaving(Vertex v, Group group, There there) const {
    Block const here = block[v];
    Weight total = 0;
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
      Block const other = block[graph.heads[e]];
      Weight const now = other == here ? 0 : objective.distance(here, other);
      total += graph.arc_weight(e) * (there(other) - now);
    }
    return group.sum(total) - away_from(v, here);
  }
  template <class Group>
  PROCMAP_HD Weight paid_by(Vertex v, Group group) const {
    return -away_from(v, block[v]) - of_leaving(v, group, [](Block) { return Weight{0}; });
  }
};

/// What the host asks about a vertex that may go to an empty PE.
struct MovePrice {
  Weight cost = 0;
  Edge degree = 0;
  Block from = no_block;
  int fits = 0;
};

/// What the arcs of every vertex weigh, and what they cost now.
template <HostExecutor Exec>
struct ArcsOfAll {
  Buffer<Exec, Weight> traffic, paid;
};

template <HostExecutor Exec, class Objective>
ArcsOfAll<Exec> arcs_of_all(Exec& ex, MovePrices<Objective> const& prices) {
  auto const graph = prices.graph;
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  ArcsOfAll<Exec> all{ex.template buffer<Weight>(n), ex.template buffer<Weight>(n)};
  auto* const traffic = all.traffic.data();
  auto* const paid = all.paid.data();
  ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    Weight weight = 0;
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) weight += graph.arc_weight(e);
    weight = group.sum(weight);
    Weight const cost = prices.paid_by(v, group);
    if (group.rank() != 0) return;
    traffic[i] = weight;
    paid[i] = cost;
  });
  return all;
}

/// Looks again at what the arcs of `vertices` cost.
template <HostExecutor Exec, class Objective>
void renew_paid(Exec& ex, MovePrices<Objective> const& prices, std::vector<Vertex> const& vertices, Weight* paid) {
  auto const count = static_cast<Edge>(vertices.size());
  auto const buffer = ex.template buffer<Vertex>(vertices.size());
  auto* const vertex = buffer.data();
  ex.upload(vertices.data(), count, vertex);
  ex.for_each_in_group(count, DegreeOfListed{prices.graph, vertex}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Weight const cost = prices.paid_by(vertex[i], group);
    if (group.rank() == 0) paid[vertex[i]] = cost;
  });
}

/// Lower bounds of the prices, by the distance from every PE to the nearest empty one. Vertices that are fixed cost the
/// most.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Weight> least_prices(Exec& ex, MovePrices<Objective> const& prices, Weight const* nearest) {
  auto const n = prices.graph.num_vertices;
  auto buffer = ex.template buffer<Weight>(static_cast<std::size_t>(n));
  auto* const least = buffer.data();
  ex.for_each_in_group(n, DegreeOf{prices.graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    Weight const cost = prices.of_leaving(v, group, [&](Block b) { return nearest[b]; });
    if (group.rank() == 0) least[i] = prices.is_free(v) ? cost : std::numeric_limits<Weight>::max();
  });
  return buffer;
}

/// The same of `vertices`, which are free, as they stand now.
template <HostExecutor Exec, class Objective>
std::vector<Candidate> least_prices(Exec& ex, MovePrices<Objective> const& prices, Weight const* nearest,
                                    std::vector<Vertex> const& vertices) {
  auto const count = static_cast<Edge>(vertices.size());
  auto const vertex_buffer = ex.template buffer<Vertex>(vertices.size());
  auto const least_buffer = ex.template buffer<Candidate>(vertices.size());
  auto* const vertex = vertex_buffer.data();
  auto* const least = least_buffer.data();
  ex.upload(vertices.data(), count, vertex_buffer.data());
  ex.for_each_in_group(count, DegreeOfListed{prices.graph, vertex}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Weight const cost = prices.of_leaving(vertex[i], group, [&](Block b) { return nearest[b]; });
    if (group.rank() == 0) least[i] = {cost, vertex[i]};
  });
  std::vector<Candidate> found(vertices.size());
  ex.download(least, count, found.data());
  return found;
}

/// An empty PE, and what it may hold: of the one weight, or of each of several.
struct EmptyPe {
  Block pe = no_block;
  Weight const* limit = nullptr;
};

/// The prices of moving each of `vertices` there, or something above `most` of those that cost more.
template <HostExecutor Exec, class Objective>
std::vector<MovePrice> prices_of(Exec& ex, MovePrices<Objective> const& prices, EmptyPe to,
                                 std::vector<Vertex> const& vertices, Weight most) {
  auto const count = static_cast<Edge>(vertices.size());
  auto const vertex_buffer = ex.template buffer<Vertex>(vertices.size());
  auto const price_buffer = ex.template buffer<MovePrice>(vertices.size());
  auto* const vertex = vertex_buffer.data();
  auto* const price = price_buffer.data();
  ex.upload(vertices.data(), count, vertex_buffer.data());
  auto const graph = prices.graph;
  ex.for_each_in_group(count, DegreeOfListed{graph, vertex}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Vertex const v = vertex[i];
    bool const is_too_far = prices.is_too_far(v, to.pe, most);
    Weight const cost = is_too_far
                            ? std::numeric_limits<Weight>::max() - prices.away_from(v, to.pe)
                            : prices.of_leaving(v, group, [&](Block b) { return prices.objective.distance(to.pe, b); });
    if (group.rank() != 0) return;
    bool fits = graph.num_loads > 0 || graph.vertex_weight(v) <= to.limit[0];
    for (int j = 0; j < graph.num_loads; ++j) fits = fits && graph.load(v, j) <= to.limit[j];
    price[i] = {cost + prices.away_from(v, to.pe), graph.degree(v), prices.block[v], fits ? 1 : 0};
  });
  std::vector<MovePrice> found(vertices.size());
  ex.download(price, count, found.data());
  return found;
}

/// The neighbours of v that are not fixed.
template <HostExecutor Exec, class Objective>
std::vector<Vertex> free_neighbours(Exec& ex, MovePrices<Objective> const& prices, Vertex v, Edge degree) {
  auto const buffer = ex.template buffer<Vertex>(static_cast<std::size_t>(degree));
  auto* const out = buffer.data();
  ex.for_each(degree, [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const u = prices.graph.heads[prices.graph.begin(v) + i];
    out[i] = prices.is_free(u) ? u : no_vertex;
  });
  std::vector<Vertex> neighbours(static_cast<std::size_t>(degree));
  ex.download(out, degree, neighbours.data());
  std::erase(neighbours, no_vertex);
  return neighbours;
}

}  // namespace procmap
