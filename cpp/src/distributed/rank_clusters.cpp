// SPDX-License-Identifier: MIT
#include "distributed/rank_clusters.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "coarsening/rating.hpp"
#include "distributed/weight_table.hpp"

namespace procmap {
namespace {

// Favourite with a wider id.
struct GlobalFavourite {
  double rating = -1;
  std::uint64_t noise = 0;
  GlobalVertex id = no_global_vertex;

  bool better_than(GlobalFavourite const& other) const {
    if (rating != other.rating) return rating > other.rating;
    if (noise != other.noise) return noise > other.noise;
    return id > other.id;
  }
};

bool alike(RankClusters const& clusters, Vertex u, Vertex v) {
  return clusters.fixed.empty() || clusters.fixed[index(u)] == clusters.fixed[index(v)];
}

struct Wish {
  RankRows const& rows;
  CsrView graph;
  RankClusters const& clusters;
  SubRound const& subround;

  GlobalVertex operator()(Vertex v, WeightTable& table, WeightTable& weights) const {
    table.reset(graph.degree(v) + 1);
    weights.reset(graph.degree(v) + 1);
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Vertex const u = graph.heads[e];
      if (!alike(clusters, u, v)) continue;
      GlobalVertex const cluster = clusters.leader[index(u)];
      table.add(cluster, graph.arc_weight(e));
      if (weights.get(cluster) == 0) weights.add(cluster, clusters.weight[index(u)]);
    }
    Weight const load = graph.vertex_weight(v);
    GlobalVertex const own = clusters.leader[index(v)];
    auto const seed = hash(hash(subround.round_seed, subround.part), static_cast<std::uint64_t>(rows.id(v)));
    GlobalFavourite best;
    table.for_each([&](GlobalVertex cluster, Weight weight) {
      if (cluster == own || weights.get(cluster) + load > subround.max_weight) return;
      GlobalFavourite const other{pair_rating(weight, weights.get(cluster), load),
                                  hash(seed, static_cast<std::uint64_t>(cluster)), cluster};
      if (other.better_than(best)) best = other;
    });
    bool const in_company = own != rows.id(v);
    if (best.id != no_global_vertex && in_company &&
        pair_rating(table.get(own), clusters.weight[index(v)], load) >= best.rating)
      return no_global_vertex;
    return best.id;
  }
};

}  // namespace

std::vector<GlobalVertex> cluster_wishes(RankRows const& rows, RankClusters const& clusters, SubRound const& subround) {
  std::vector<GlobalVertex> wishes(index(rows.num_rows()), no_global_vertex);
  WeightTable table, weights;
  Wish const wish{rows, rows.view(), clusters, subround};
  for (Vertex v = 0; v < rows.num_rows(); ++v) {
    bool const mine =
        hash(subround.round_seed, static_cast<std::uint64_t>(rows.id(v))) % subround.parts == subround.part;
    bool const leads_others = clusters.leader[index(v)] == rows.id(v) && clusters.size[index(v)] > 1;
    if (mine && !leads_others) wishes[index(v)] = wish(v, table, weights);
  }
  return wishes;
}

namespace {

// Rule: as matchmaker().
GlobalVertex matchmaker_of(RankRows const& rows, Vertex v, TwoHopSearch const& search,
                           std::span<std::int64_t const> degree) {
  auto const graph = rows.view();
  GlobalFavourite best;
  for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
    Vertex const u = graph.heads[e];
    if (degree[index(u)] > search.max_matchmaker_degree) continue;
    GlobalVertex const id = rows.id(u);
    GlobalFavourite const other{pair_rating(graph.arc_weight(e), graph.vertex_weight(u), graph.vertex_weight(v)),
                                hash(search.seed, static_cast<std::uint64_t>(id)), id};
    if (other.better_than(best)) best = other;
  }
  return best.id;
}

std::uint64_t hash_of_neighbours(RankRows const& rows, Vertex v, std::uint64_t seed) {
  auto const graph = rows.view();
  std::uint64_t sum = 0;
  for (Edge e = graph.begin(v); e < graph.end(v); ++e)
    sum += hash(seed, static_cast<std::uint64_t>(rows.id(graph.heads[e])));
  return hash(seed, static_cast<std::uint64_t>(graph.degree(v))) + sum;
}

// What v has in common with a partner; false if it looks for none.
bool find_key(RankRows const& rows, Vertex v, TwoHopSearch const& search, std::span<std::int64_t const> degree,
              std::uint64_t& key) {
  auto const graph = rows.view();
  if (graph.degree(v) == 0 || (graph.degree(v) == 1) != (search.kind == TwoHop::leaves)) return false;
  if (search.kind == TwoHop::leaves) {
    key = static_cast<std::uint64_t>(rows.id(graph.heads[graph.begin(v)]));
  } else if (search.kind == TwoHop::twins) {
    key = hash_of_neighbours(rows, v, search.seed);
  } else {
    GlobalVertex const common = matchmaker_of(rows, v, search, degree);
    if (common == no_global_vertex) return false;
    key = static_cast<std::uint64_t>(common);
  }
  return true;
}

}  // namespace

TwoHopKeys two_hop_keys(RankRows const& rows, RankClusters const& clusters, TwoHopSearch const& search,
                        std::span<std::int64_t const> degree) {
  TwoHopKeys keys;
  for (Vertex v = 0; v < rows.num_rows(); ++v) {
    bool const alone = clusters.leader[index(v)] == rows.id(v) && clusters.size[index(v)] == 1;
    std::uint64_t key = 0;
    if (!alone || !find_key(rows, v, search, degree, key)) continue;
    if (!clusters.fixed.empty()) key = hash(key, static_cast<std::uint64_t>(clusters.fixed[index(v)]));
    keys.key.push_back(key);
    keys.id.push_back(rows.id(v));
  }
  return keys;
}

std::vector<GlobalVertex> pair_lone(std::vector<Lone> const& lone, Weight max_weight) {
  std::vector<std::size_t> order(lone.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return lone[a].key != lone[b].key ? lone[a].key < lone[b].key : lone[a].id < lone[b].id;
  });
  std::vector<GlobalVertex> partner(lone.size());
  for (std::size_t i = 0; i < lone.size(); ++i) partner[i] = lone[i].id;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    auto const& u = lone[order[i]];
    auto const& v = lone[order[i + 1]];
    if (u.key != v.key) continue;
    if (u.weight + v.weight <= max_weight && u.fixed == v.fixed) {
      partner[order[i]] = v.id;
      partner[order[i + 1]] = u.id;
    }
    ++i;  // the next pair of the run, whether these two fit or not
  }
  return partner;
}

std::vector<std::uint8_t> admitted(Applicants const& applicants, std::span<Weight const> weight, GlobalVertex first,
                                   Weight max_weight, std::uint64_t round_seed) {
  std::vector<std::size_t> order(applicants.target.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const place = [&](std::size_t i) {
    return hash(round_seed, static_cast<std::uint64_t>(applicants.vertex[i]), 2);
  };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (applicants.target[a] != applicants.target[b]) return applicants.target[a] < applicants.target[b];
    if (place(a) != place(b)) return place(a) < place(b);
    return applicants.vertex[a] < applicants.vertex[b];
  });
  std::vector<std::uint8_t> may(order.size());
  Weight sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const target = applicants.target[order[i]];
    if (i == 0 || target != applicants.target[order[i - 1]]) sum = weight[index(target - first)];
    sum += applicants.weight[order[i]];
    may[order[i]] = sum <= max_weight;
  }
  return may;
}

ArcList contract_rows(RankRows const& rows, std::span<GlobalVertex const> coarse_of) {
  auto const graph = rows.view();
  std::vector<Vertex> order(index(rows.num_rows()));
  std::iota(order.begin(), order.end(), Vertex{0});
  std::ranges::stable_sort(order, {}, [&](Vertex v) { return coarse_of[index(v)]; });
  ArcList arcs;
  std::vector<std::pair<GlobalVertex, Weight>> row;
  WeightTable table;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    GlobalVertex const tail = coarse_of[index(order[begin])];
    Edge room = 1;
    for (end = begin; end < order.size() && coarse_of[index(order[end])] == tail; ++end)
      room += graph.degree(order[end]);
    table.reset(room);
    for (std::size_t i = begin; i < end; ++i)
      for (Edge e = graph.begin(order[i]); e < graph.end(order[i]); ++e)
        if (auto const head = coarse_of[index(graph.heads[e])]; head != tail) table.add(head, graph.arc_weight(e));
    row.clear();
    table.for_each([&](GlobalVertex head, Weight weight) { row.emplace_back(head, weight); });
    std::ranges::sort(row);
    for (auto const& [head, weight] : row) {
      arcs.tails.push_back(tail);
      arcs.heads.push_back(head);
      arcs.weights.push_back(weight);
    }
  }
  return arcs;
}

GlobalRows rows_of_arcs(std::span<GlobalVertex const> tails, std::span<GlobalVertex const> heads,
                        std::span<Weight const> weights, GlobalVertex first, Vertex num_rows) {
  std::vector<Edge> start(index(num_rows) + 1);
  for (GlobalVertex const tail : tails) ++start[index(tail - first) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::pair<GlobalVertex, Weight>> arcs(tails.size());
  auto next = start;
  for (std::size_t i = 0; i < tails.size(); ++i) arcs[index(next[index(tails[i] - first)]++)] = {heads[i], weights[i]};
  GlobalRows rows;
  rows.offsets.push_back(0);
  for (std::size_t row = 0; row < index(num_rows); ++row) {
    auto const begin = arcs.begin() + start[row];
    auto const end = arcs.begin() + start[row + 1];
    std::sort(begin, end);
    for (auto arc = begin; arc != end; ++arc) {
      if (arc != begin && arc->first == rows.heads.back()) {
        rows.arc_weights.back() += arc->second;
      } else {
        rows.heads.push_back(arc->first);
        rows.arc_weights.push_back(arc->second);
      }
    }
    rows.offsets.push_back(static_cast<Edge>(rows.heads.size()));
  }
  return rows;
}

}  // namespace procmap
