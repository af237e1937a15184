// SPDX-License-Identifier: MIT
#include "graph/empty_blocks.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "graph/chunks.hpp"

namespace procmap {
namespace {

Weight load_of(Graph const& graph, std::size_t v) {
  return graph.vertex_weights().empty() ? 1 : graph.vertex_weights()[v];
}

/// Does an empty PE hold v?
bool holds(Graph const& graph, Constraints const& constraints, Block pe, Vertex v) {
  if (constraints.several.empty()) return load_of(graph, static_cast<std::size_t>(v)) <= constraints.pes.of(pe);
  for (int i = 0; i < graph.num_weights(); ++i)
    if (graph.weight_of(v, i) > constraints.several.capacities(i).of(pe)) return false;
  return true;
}

/// The same question of several weights. They are no order, so only vertices count that fit into every PE.
bool can_fill_all_of_several(Graph const& graph, Constraints const& constraints, std::span<Block const> fixed) {
  auto const& pes = constraints.pes;
  std::vector<char> taken(static_cast<std::size_t>(pes.num_pes()), 0);
  for (Block const pe : fixed)
    if (pe != no_block) taken[static_cast<std::size_t>(pe)] = 1;
  std::vector<Block> open;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (!taken[static_cast<std::size_t>(pe)] && !pes.forbidden(pe)) open.push_back(pe);
  auto needed = open.size();
  std::span<Block const> const different(open.data(), pes.alike() ? std::min<std::size_t>(1, needed) : needed);
  for (Vertex v = 0; v < graph.num_vertices() && needed > 0; ++v) {
    if (!fixed.empty() && fixed[static_cast<std::size_t>(v)] != no_block) continue;
    if (std::ranges::all_of(different, [&](Block pe) { return holds(graph, constraints, pe, v); })) --needed;
  }
  return needed == 0;
}

bool is_free(std::span<Block const> fixed, std::size_t v) { return fixed.empty() || fixed[v] == no_block; }

std::vector<Vertex> vertices_per_block(std::span<Block const> blocks, Block k) {
  std::vector<Vertex> count(static_cast<std::size_t>(k), 0);
  for (Block const b : blocks) ++count[static_cast<std::size_t>(b)];
  return count;
}

/// The distances of few PEs in a table, as a call of the topology takes as long as a dozen arcs.
class Distances {
 public:
  explicit Distances(Topology const& topology) : topology_(topology), k_(topology.num_pes()) {
    if (k_ > most_in_table) return;
    for (Block a = 0; a < k_; ++a)
      for (Block b = 0; b < k_; ++b) table_.push_back(topology.distance(a, b));
  }

  /// f(distances from a), which are a function.
  template <class F>
  auto from(Block a, F f) const {
    if (table_.empty()) return f([&](Block b) { return topology_.distance(a, b); });
    auto const* const row = table_.data() + static_cast<std::size_t>(a) * static_cast<std::size_t>(k_);
    return f([row](Block b) { return row[b]; });
  }

 private:
  static constexpr Block most_in_table = 256;  // 512 KiB

  Topology const& topology_;
  Block k_;
  std::vector<Weight> table_;
};

/// A list whose items come in order, but only as far as somebody asks.
template <class T>
class SortedAsNeeded {
 public:
  explicit SortedAsNeeded(std::vector<T> items) : items_(std::move(items)) {}
  std::size_t size() const { return items_.size(); }

  T const& operator[](std::size_t i) {
    if (i >= sorted_) sort_up_to(std::max(i + 1, 4 * sorted_));
    return items_[i];
  }

 private:
  static constexpr std::size_t least = 256;

  void sort_up_to(std::size_t end) {
    end = std::min(std::max(end, least), items_.size());
    auto const first = items_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    auto const last = items_.begin() + static_cast<std::ptrdiff_t>(end);
    if (last != items_.end()) std::nth_element(first, last, items_.end());
    std::sort(first, last);
    sorted_ = end;
  }

  std::vector<T> items_;
  std::size_t sorted_ = 0;
};

/// Moves vertices into empty PEs, the cheapest first. Costs are those of edges counted once.
class Filling {
 public:
  Filling(Graph const& graph, Topology const& topology, Constraints const& constraints, Options const& options,
          std::span<Block> blocks)
      : graph_(graph),
        distances_(topology),
        constraints_(constraints),
        options_(options),
        blocks_(blocks),
        count_(vertices_per_block(blocks, topology.num_pes())),
        least_distance_(std::max<Weight>(least_distance(topology), 0)),
        candidates_(all_candidates()) {}

  /// False if no vertex can go there.
  bool fill(Block pe) {
    distance_.resize(count_.size());
    distances_.from(pe, [&](auto distance) {
      for (std::size_t b = 0; b < distance_.size(); ++b) distance_[b] = distance(static_cast<Block>(b));
    });
    best_ = {};
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      auto const candidate = candidates_[i];
      if (candidate.cost >= best_.cost || (best_.vertex != no_vertex && work_ > enough_work)) break;
      consider(candidate.vertex, pe);
    }
    for (Vertex const v : disturbed_) consider(v, pe);
    if (best_.vertex == no_vertex) return false;
    move(static_cast<std::size_t>(best_.vertex), pe);
    return true;
  }

 private:
  /// To move a vertex, or a lower bound of that.
  struct Candidate {
    Weight cost = std::numeric_limits<Weight>::max();
    Vertex vertex = no_vertex;
    friend auto operator<=>(Candidate const&, Candidate const&) = default;
  };

  /// Every vertex; those that are fixed cost the most.
  std::vector<Candidate> all_candidates() const {
    std::vector<Candidate> all(blocks_.size());
    RowChunks const chunks(graph_.offsets());
    for_each_chunk(chunks.size(), resolve_threads(options_.threads), [&](int chunk) {
      for (auto [v, end] = chunks.rows(chunk); v < end; ++v)
        if (auto const i = static_cast<std::size_t>(v); is_free(options_.fixed, i)) all[i] = {least_cost(i), v};
    });
    return all;
  }

  static constexpr Edge enough_work = Edge{1} << 28;  // arcs that are looked at

  static Weight least_distance(Topology const& topology) {
    auto const distances = topology.distinct_distances(Report::max_distances);
    return distances.empty() ? 0 : distances.front();
  }

  /// f(block of the neighbour, weight) for all arcs of v.
  template <class F>
  void for_each_arc(std::size_t v, F f) const {
    auto const begin = static_cast<std::size_t>(graph_.offsets()[v]);
    auto const end = static_cast<std::size_t>(graph_.offsets()[v + 1]);
    auto const weights = graph_.arc_weights();
    for (auto e = begin; e < end; ++e) f(static_cast<std::size_t>(graph_.heads()[e]), weights.empty() ? 1 : weights[e]);
  }

  /// What v would cost more than where it is if there(block of a neighbour) were the distances.
  template <class F>
  Weight cost_of_move(std::size_t v, F there) const {
    return distances_.from(blocks_[v], [&](auto here) {
      Weight total = -away_from(v, blocks_[v]);
      for_each_arc(v, [&](std::size_t u, Weight w) { total += w * (there(blocks_[u]) - here(blocks_[u])); });
      return total;
    });
  }

  Weight away_from(std::size_t v, Block pe) const {
    auto const& pull = constraints_.pull;
    return pull.empty() || options_.initial[v] == pe ? 0 : pull[v];
  }

  /// A lower bound: in an empty PE every neighbour is at least the least distance away.
  Weight least_cost(std::size_t v) const {
    return cost_of_move(v, [this](Block) { return least_distance_; });
  }

  void consider(Vertex vertex, Block pe) {
    auto const v = static_cast<std::size_t>(vertex);
    if (count_[static_cast<std::size_t>(blocks_[v])] < 2 || !holds(graph_, constraints_, pe, vertex)) return;
    Weight const cost =
        away_from(v, pe) + cost_of_move(v, [this](Block b) { return distance_[static_cast<std::size_t>(b)]; });
    work_ += graph_.offsets()[v + 1] - graph_.offsets()[v];
    best_ = std::min(best_, Candidate{cost, vertex});
  }

  void move(std::size_t v, Block pe) {
    --count_[static_cast<std::size_t>(blocks_[v])];
    ++count_[static_cast<std::size_t>(pe)];
    blocks_[v] = pe;
    for_each_arc(v, [&](std::size_t u, Weight) {
      if (is_free(options_.fixed, u)) disturbed_.push_back(static_cast<Vertex>(u));
    });
  }

  Graph const& graph_;
  Distances distances_;
  Constraints const& constraints_;
  Options const& options_;
  std::span<Block> blocks_;
  std::vector<Vertex> count_;          // per PE
  Weight least_distance_;
  SortedAsNeeded<Candidate> candidates_;  // vertices with what it costs at least to move them
  std::vector<Vertex> disturbed_;      // whose bounds are out of date
  std::vector<Weight> distance_;       // from the PE that is being filled
  Candidate best_;
  Edge work_ = 0;
};

}  // namespace

std::vector<Block> empty_blocks(std::span<Block const> blocks, PeCapacities const& pes) {
  auto const count = vertices_per_block(blocks, pes.num_pes());
  std::vector<Block> empty;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (count[static_cast<std::size_t>(pe)] == 0 && !pes.forbidden(pe)) empty.push_back(pe);
  return empty;
}

bool can_fill_all(Graph const& graph, Constraints const& constraints, std::span<Block const> fixed) {
  return constraints.several.empty() ? can_fill_all(graph, constraints.pes, fixed)
                                     : can_fill_all_of_several(graph, constraints, fixed);
}

bool can_fill_all(Graph const& graph, PeCapacities const& pes, std::span<Block const> fixed) {
  std::vector<Weight> loads, rooms;
  loads.reserve(static_cast<std::size_t>(graph.num_vertices()));
  std::vector<char> taken(static_cast<std::size_t>(pes.num_pes()), 0);
  for (std::size_t v = 0; v < static_cast<std::size_t>(graph.num_vertices()); ++v)
    if (is_free(fixed, v))
      loads.push_back(load_of(graph, v));
    else
      taken[static_cast<std::size_t>(fixed[v])] = 1;
  for (Block pe = 0; pe < pes.num_pes(); ++pe)
    if (!taken[static_cast<std::size_t>(pe)] && !pes.forbidden(pe)) rooms.push_back(pes.of(pe));
  if (loads.size() < rooms.size()) return false;
  auto const lightest = loads.begin() + static_cast<std::ptrdiff_t>(rooms.size());
  std::partial_sort(loads.begin(), lightest, loads.end());
  std::sort(rooms.begin(), rooms.end());
  return std::equal(rooms.begin(), rooms.end(), loads.begin(), std::greater_equal<>());
}

Block fill_empty_blocks(Graph const& graph, Topology const& topology, Constraints const& constraints,
                        Options const& options, std::span<Block> blocks) {
  auto empty = empty_blocks(blocks, constraints.pes);
  if (empty.empty()) return 0;
  std::stable_sort(empty.begin(), empty.end(),
                   [&](Block a, Block b) { return constraints.pes.of(a) < constraints.pes.of(b); });
  Filling filling(graph, topology, constraints, options, blocks);
  return static_cast<Block>(std::count_if(empty.begin(), empty.end(), [&](Block pe) { return filling.fill(pe); }));
}

}  // namespace procmap
