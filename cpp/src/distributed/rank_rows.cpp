// SPDX-License-Identifier: MIT
#include "distributed/rank_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "procmap/error.hpp"

namespace procmap {
namespace {

constexpr Weight weight_limit = Weight{1} << 62;

Weight weight_of(GivenRows const& rows, Edge e) { return rows.arc_weights.empty() ? 1 : rows.arc_weights[index(e)]; }

std::string name(GlobalVertex tail, GlobalVertex head) { return std::to_string(tail) + "->" + std::to_string(head); }

void check_arc(GivenRows const& rows, GlobalVertex tail, Edge e) {
  GlobalVertex const head = rows.heads[index(e)];
  if (head < 0 || head >= rows.num_vertices)
    throw GraphError("arc " + name(tail, head) + ": heads[" + std::to_string(e) + "] = " + std::to_string(head) +
                     " is not in [0, " + std::to_string(rows.num_vertices) + ")");
  if (weight_of(rows, e) < 0)
    throw GraphError("arc " + name(tail, head) + ": arc_weights[" + std::to_string(e) +
                     "] = " + std::to_string(weight_of(rows, e)) + " is negative");
}

using Arc = std::pair<GlobalVertex, Weight>;

// Rows as they grow. Weights are kept from the first that is not 1 on.
class TidyRows {
 public:
  explicit TidyRows(GivenRows const& given) : given_(given) {
    rows_.offsets.reserve(given.offsets.size());
    rows_.heads.reserve(given.num_arcs());
    rows_.offsets.push_back(0);
  }

  /// Appends a row, its arcs sorted, and checks it.
  void add(std::size_t row) {
    GlobalVertex const tail = given_.first + static_cast<GlobalVertex>(row);
    arcs_.clear();
    for (Edge e = given_.offsets[row]; e < given_.offsets[row + 1]; ++e) {
      check_arc(given_, tail, e);
      if (given_.heads[index(e)] != tail) arcs_.emplace_back(given_.heads[index(e)], weight_of(given_, e));
    }
    if (!std::ranges::is_sorted(arcs_)) std::ranges::sort(arcs_);
    for (std::size_t i = 0, next = 0; i < arcs_.size(); i = next) {
      Weight sum = 0;
      for (next = i; next < arcs_.size() && arcs_[next].first == arcs_[i].first; ++next) sum += arcs_[next].second;
      append(arcs_[i].first, sum);
    }
    rows_.offsets.push_back(static_cast<Edge>(rows_.heads.size()));
  }

  GlobalRows take() { return std::move(rows_); }

 private:
  void append(GlobalVertex head, Weight weight) {
    if (weight != 1 && !weighted_) {
      rows_.arc_weights.reserve(given_.num_arcs());
      rows_.arc_weights.assign(rows_.heads.size(), 1);
      weighted_ = true;
    }
    rows_.heads.push_back(head);
    if (weighted_) rows_.arc_weights.push_back(weight);
  }

  GivenRows const& given_;
  GlobalRows rows_;
  std::vector<Arc> arcs_;
  bool weighted_ = false;
};

// Before they are added up.
void check_total(GivenRows const& rows) {
  Weight sum = 0;
  if (rows.arc_weights.empty()) return;
  for (Edge e = rows.offsets.front(); e < rows.offsets.back(); ++e) {
    Weight const weight = weight_of(rows, e);
    if (weight > 0 && (weight >= weight_limit || (sum += weight) >= weight_limit))
      throw std::overflow_error("the arc weights of a rank add up to 2^62 or more");
  }
}

}  // namespace

GlobalRows tidy_rows(GivenRows const& given) {
  check_total(given);
  TidyRows tidy(given);
  for (std::size_t row = 0; row + 1 < given.offsets.size(); ++row) tidy.add(row);
  return tidy.take();
}

std::vector<std::uint64_t> arc_balance(GivenRows const& tidy) {
  std::vector<std::uint64_t> sums(2);
  for (std::size_t row = 0; row + 1 < tidy.offsets.size(); ++row) {
    auto const tail = static_cast<std::uint64_t>(tidy.first) + row;
    for (Edge e = tidy.offsets[row]; e < tidy.offsets[row + 1]; ++e) {
      auto const head = static_cast<std::uint64_t>(tidy.heads[index(e)]);
      auto const weight = static_cast<std::uint64_t>(weight_of(tidy, e)) + 1;  // an arc of weight 0 is one
      for (std::uint64_t i = 0; i < 2; ++i) {
        auto const term = hash(i, std::min(tail, head), std::max(tail, head)) * weight;
        sums[i] += tail < head ? term : 0 - term;
      }
    }
  }
  return sums;
}

ArcList reverse_arcs(GivenRows const& tidy) {
  ArcList arcs;
  GlobalVertex const end = tidy.first + static_cast<GlobalVertex>(tidy.offsets.size()) - 1;
  for (std::size_t row = 0; row + 1 < tidy.offsets.size(); ++row)
    for (Edge e = tidy.offsets[row]; e < tidy.offsets[row + 1]; ++e) {
      GlobalVertex const head = tidy.heads[index(e)];
      if (head >= tidy.first && head < end) continue;
      arcs.tails.push_back(head);
      arcs.heads.push_back(tidy.first + static_cast<GlobalVertex>(row));
      arcs.weights.push_back(weight_of(tidy, e));
    }
  return arcs;
}

namespace {

/// The first arc of a row, whose heads ascend, to `head` or a later vertex; the end of the row if there is none.
Edge first_arc_to(GivenRows const& tidy, std::size_t row, GlobalVertex head) {
  Edge first = tidy.offsets[row], end = tidy.offsets[row + 1];
  while (first < end) {
    Edge const middle = first + (end - first) / 2;
    if (tidy.heads[index(middle)] < head)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

void check_one(GivenRows const& tidy, GlobalVertex tail, GlobalVertex head, Weight weight) {
  auto const row = index(tail - tidy.first);
  Edge const found = first_arc_to(tidy, row, head);
  if (found == tidy.offsets[row + 1] || tidy.heads[index(found)] != head)
    throw GraphError("vertex " + std::to_string(head) + ": arc " + name(head, tail) + " has no reverse arc " +
                     name(tail, head));
  Weight const here = weight_of(tidy, found);
  if (here != weight)
    throw GraphError("vertex " + std::to_string(head) + ": arc " + name(head, tail) + " weighs " +
                     std::to_string(weight) + ", but its reverse arc " + name(tail, head) + " weighs " +
                     std::to_string(here));
}

}  // namespace

void check_reverse(GivenRows const& tidy, std::span<GlobalVertex const> tails, std::span<GlobalVertex const> heads,
                   std::span<Weight const> weights) {
  for (std::size_t i = 0; i < tails.size(); ++i) check_one(tidy, tails[i], heads[i], weights[i]);
  GlobalVertex const end = tidy.first + static_cast<GlobalVertex>(tidy.offsets.size()) - 1;
  for (std::size_t row = 0; row + 1 < tidy.offsets.size(); ++row)
    for (Edge e = tidy.offsets[row]; e < tidy.offsets[row + 1]; ++e) {
      GlobalVertex const head = tidy.heads[index(e)];
      if (head >= tidy.first && head < end)
        check_one(tidy, head, tidy.first + static_cast<GlobalVertex>(row), weight_of(tidy, e));
    }
}

std::vector<GlobalVertex> ghosts_of(OwnRows own, IntegerView heads) {
  std::vector<GlobalVertex> ghosts;
  std::size_t enough = 1 << 16;  // a ghost may have many arcs: sort now and then, to keep it once
  auto const tidy_up = [&] {
    std::ranges::sort(ghosts);
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());  // clang 14 rejects std::ranges::unique
  };
  for (std::size_t e = 0; e < heads.size(); ++e) {
    if (own.has(heads[e])) continue;
    ghosts.push_back(heads[e]);
    if (ghosts.size() < enough) continue;
    tidy_up();
    enough = std::max(enough, 2 * ghosts.size());
  }
  tidy_up();
  ghosts.shrink_to_fit();
  return ghosts;
}

std::vector<Vertex> local_heads(OwnRows own, IntegerView heads, std::span<GlobalVertex const> ghosts) {
  std::vector<Vertex> local(heads.size());
  for (std::size_t e = 0; e < heads.size(); ++e) {
    GlobalVertex const head = heads[e];
    auto const ghost = [&] { return std::ranges::lower_bound(ghosts, head) - ghosts.begin(); };
    local[e] = static_cast<Vertex>(own.has(head) ? head - own.first : own.count + ghost());
  }
  return local;
}

SelectedRows selected_rows(RankRows const& rows, std::span<std::uint8_t const> inside, IntegerView number, Vertex begin,
                           std::size_t enough) {
  auto const graph = rows.view();
  bool const weighted = graph.arc_weights || graph.narrow_arc_weights;
  SelectedRows selected;
  auto& [offsets, heads, weights] = selected.rows;
  offsets.push_back(0);
  Vertex v = begin;
  for (; v < rows.num_rows() && heads.size() < enough; ++v) {
    if (!inside[index(v)]) continue;
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      GlobalVertex const head = number[index(graph.heads[e])];
      if (head < 0) continue;
      heads.push_back(head);
      if (weighted) weights.push_back(graph.arc_weight(e));
    }
    offsets.push_back(static_cast<Edge>(heads.size()));
  }
  selected.next = v;
  return selected;
}

}  // namespace procmap
