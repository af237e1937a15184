// SPDX-License-Identifier: MIT
#include "distributed/rank_clusters.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "coarsening/rating.hpp"

namespace procmap {
namespace {

using GlobalFavourite = BasicFavourite<GlobalVertex>;

bool alike(RankClusters const& clusters, Vertex u, Vertex v) {
  return clusters.fixed.empty() || clusters.fixed[index(u)] == clusters.fixed[index(v)];
}

struct Tables {
  WeightTable traffic, weight, least;  // by cluster
};

struct Wish {
  RankRows const& rows;
  CsrView graph;
  RankClusters const& clusters;
  SubRound const& subround;

  GlobalVertex operator()(Vertex v, Tables& tables) const {
    add_up(v, tables);
    Weight const load = graph.vertex_weight(v);
    GlobalVertex const own = clusters.leader[index(v)];
    auto const seed = hash(hash(subround.round_seed, subround.part), static_cast<std::uint64_t>(rows.id(v)));
    GlobalFavourite best;
    tables.traffic.for_each([&](GlobalVertex cluster, Weight weight) {
      if (cluster == own || tables.weight.get(cluster) + load > subround.max_weight) return;
      if (!clusters.least.empty() && weight < tables.least.get(cluster)) return;
      GlobalFavourite const other{pair_rating(weight, tables.weight.get(cluster), load),
                                  hash(seed, static_cast<std::uint64_t>(cluster)), cluster};
      if (other.better_than(best)) best = other;
    });
    bool const in_company = own != rows.id(v);
    if (best.id != no_global_vertex && in_company &&
        pair_rating(tables.traffic.get(own), clusters.weight[index(v)], load) >= best.rating)
      return no_global_vertex;
    return best.id;
  }

  void add_up(Vertex v, Tables& tables) const {
    bool const any_will_do = clusters.least.empty();
    tables.traffic.reset(graph.degree(v) + 1);
    tables.weight.reset(graph.degree(v) + 1);
    if (!any_will_do) tables.least.reset(graph.degree(v) + 1);
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Vertex const u = graph.heads[e];
      if (!alike(clusters, u, v)) continue;
      GlobalVertex const cluster = clusters.leader[index(u)];
      tables.traffic.add(cluster, graph.arc_weight(e));
      if (tables.weight.get(cluster) == 0) tables.weight.add(cluster, clusters.weight[index(u)]);
      if (!any_will_do && tables.least.get(cluster) == 0) tables.least.add(cluster, clusters.least[index(u)]);
    }
  }
};

}  // namespace

std::vector<Weight> heaviest_arcs(RankRows const& rows) {
  auto const graph = rows.view();
  std::vector<Weight> heaviest(index(rows.num_rows()), 0);
  for (Vertex v = 0; v < rows.num_rows(); ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e)
      heaviest[index(v)] = std::max(heaviest[index(v)], graph.arc_weight(e));
  return heaviest;
}

Weight weight_of_arcs_above(RankRows const& rows, Weight limit) {
  auto const graph = rows.view();
  Weight sum = 0;
  for (Edge e = 0; e < graph.num_arcs; ++e) sum += graph.arc_weight(e) > limit ? graph.arc_weight(e) : 0;
  return sum;
}

Edge num_arcs_below(RankRows const& rows, Weight limit) {
  auto const graph = rows.view();
  Edge count = 0;
  for (Edge e = 0; e < graph.num_arcs; ++e) count += graph.arc_weight(e) > 0 && graph.arc_weight(e) < limit ? 1 : 0;
  return count;
}

Wishes cluster_wishes(RankRows const& rows, RankClusters const& clusters, SubRound const& subround) {
  Wishes wishes;
  Tables tables;
  Wish const wish{rows, rows.view(), clusters, subround};
  for (Vertex v = 0; v < rows.num_rows(); ++v) {
    bool const mine =
        hash(subround.round_seed, static_cast<std::uint64_t>(rows.id(v))) % subround.parts == subround.part;
    bool const leads_others = clusters.leader[index(v)] == rows.id(v) && clusters.size[index(v)] > 1;
    GlobalVertex const target = mine && !leads_others ? wish(v, tables) : no_global_vertex;
    if (target == no_global_vertex) continue;
    wishes.row.push_back(v);
    wishes.target.push_back(target);
  }
  return wishes;
}

namespace {

// Rule: as matchmaker().
GlobalVertex matchmaker_of(RankRows const& rows, Vertex v, TwoHopSearch const& search, IntegerView degree) {
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
bool find_key(RankRows const& rows, Vertex v, TwoHopSearch const& search, IntegerView degree, std::uint64_t& key) {
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
                        IntegerView degree) {
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

std::vector<std::uint8_t> admitted(Applicants const& applicants, IntegerView weight, GlobalVertex first,
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

Contraction::Contraction(RankRows const& rows, IntegerView coarse_of, OwnRows here)
    : rows_(rows), coarse_of_(coarse_of), here_(here), start_(index(here.count) + 1) {
  for (Vertex v = 0; v < rows.num_rows(); ++v) {
    GlobalVertex const to = coarse_of[index(v)];
    if (here.has(to)) {
      ++start_[index(to - here.first) + 1];
    } else {
      leaving_.push_back(v);
    }
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  order_.resize(index(start_.back()));
  for (Vertex v = rows.num_rows(); v-- > 0;)  // backwards: start_ ends as what it was, members in order
    if (auto const to = coarse_of[index(v)]; here.has(to)) order_[index(--start_[index(to - here.first) + 1])] = v;
  std::rotate(start_.begin(), start_.begin() + 1, start_.end());
  start_.back() = static_cast<Edge>(order_.size());
  std::ranges::stable_sort(leaving_, {}, [&](Vertex v) { return coarse_of[index(v)]; });
}

void Contraction::add(Vertex v, GlobalVertex tail, WeightTable& table) const {
  auto const graph = rows_.view();
  for (Edge e = graph.begin(v); e < graph.end(v); ++e)
    if (auto const head = coarse_of_[index(graph.heads[e])]; head != tail) table.add(head, graph.arc_weight(e));
}

namespace {

// What a table holds, in order.
void sorted_row(WeightTable const& table, std::vector<std::pair<GlobalVertex, Weight>>& row) {
  row.clear();
  table.for_each([&](GlobalVertex head, Weight weight) { row.emplace_back(head, weight); });
  std::ranges::sort(row);
}

}  // namespace

ArcList Contraction::elsewhere() const {
  auto const graph = rows_.view();
  ArcList arcs;
  std::vector<std::pair<GlobalVertex, Weight>> row;
  WeightTable table;
  for (std::size_t begin = 0, end = 0; begin < leaving_.size(); begin = end) {
    GlobalVertex const tail = coarse_of_[index(leaving_[begin])];
    Edge room = 1;
    for (end = begin; end < leaving_.size() && coarse_of_[index(leaving_[end])] == tail; ++end)
      room += graph.degree(leaving_[end]);
    table.reset(room);
    for (std::size_t i = begin; i < end; ++i) add(leaving_[i], tail, table);
    sorted_row(table, row);
    for (auto const& [head, weight] : row) {
      arcs.tails.push_back(tail);
      arcs.heads.push_back(head);
      arcs.weights.push_back(weight);
    }
  }
  return arcs;
}

GlobalRows Contraction::rows(GlobalVertex begin, Arcs const& came, std::size_t enough) const {
  auto const graph = rows_.view();
  GlobalRows rows;
  rows.offsets.push_back(0);
  std::vector<std::pair<GlobalVertex, Weight>> row;
  WeightTable table;
  auto next = index(std::ranges::lower_bound(came.tails, here_.first + begin) - came.tails.begin());
  for (GlobalVertex i = begin; i < here_.count && rows.heads.size() < enough; ++i) {
    GlobalVertex const tail = here_.first + i;
    auto const members =
        std::span(order_).subspan(index(start_[index(i)]), index(start_[index(i) + 1] - start_[index(i)]));
    auto last = next;
    while (last < came.tails.size() && came.tails[last] == tail) ++last;
    Edge room = 1 + static_cast<Edge>(last - next);
    for (Vertex const v : members) room += graph.degree(v);
    table.reset(room);
    for (Vertex const v : members) add(v, tail, table);
    for (; next < last; ++next) table.add(came.heads[next], came.weights[next]);
    sorted_row(table, row);
    for (auto const& [head, weight] : row) {
      rows.heads.push_back(head);
      rows.arc_weights.push_back(weight);
    }
    rows.offsets.push_back(static_cast<Edge>(rows.heads.size()));
  }
  return rows;
}

}  // namespace procmap
