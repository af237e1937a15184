// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "exec/executor.hpp"

namespace procmap {

/// A vertex and what it costs to move it, or a lower bound of that.
struct Candidate {
  Weight cost = std::numeric_limits<Weight>::max();
  Vertex vertex = no_vertex;
  auto operator<=>(Candidate const&) const = default;
};

/// A list whose items come in order, but only as far as somebody asks.
template <class T>
class SortedAsNeeded {
 public:
  std::size_t size() const { return items_.size() - first_; }
  /// Appends items that come behind all others.
  void append(std::vector<T> const& items) { items_.insert(items_.end(), items.begin(), items.end()); }

  /// `count` items from the i-th on, or as many as there are.
  std::vector<T> from(std::size_t i, std::size_t count) {
    i += first_;
    auto const end = std::min(i + count, items_.size());
    if (end > sorted_) sort_up_to(std::min(std::max(end, 4 * sorted_), items_.size()));
    return i < end ? std::vector<T>(items_.begin() + static_cast<std::ptrdiff_t>(i),
                                    items_.begin() + static_cast<std::ptrdiff_t>(end))
                   : std::vector<T>();
  }

  /// Forgets the i-th item if gone[i]. Of these somebody has asked for all.
  void drop(std::vector<char> const& gone) {
    auto to = first_ + gone.size();
    for (std::size_t i = gone.size(); i-- > 0;)
      if (!gone[i]) items_[--to] = items_[first_ + i];
    first_ = to;
  }

 private:
  void sort_up_to(std::size_t end) {
    auto const first = items_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    auto const last = items_.begin() + static_cast<std::ptrdiff_t>(end);
    if (last != items_.end()) std::nth_element(first, last, items_.end());
    std::sort(first, last);
    sorted_ = end;
  }

  std::vector<T> items_;
  std::size_t first_ = 0;  // what lies before has been dropped
  std::size_t sorted_ = 0;
};

/// Some costs out of `cost`, evenly spread, sorted.
template <HostExecutor Exec>
std::vector<Weight> sampled_costs(Exec& ex, Weight const* cost, Vertex n) {
  constexpr Vertex enough = 4096;
  Vertex const size = std::min(n, enough);
  auto const buffer = ex.template buffer<Weight>(static_cast<std::size_t>(size));
  auto* const out = buffer.data();
  ex.for_each(size, [=] PROCMAP_LAMBDA(Edge i) { out[i] = cost[i * n / size]; });
  std::vector<Weight> sample(static_cast<std::size_t>(size));
  ex.download(out, size, sample.data());
  std::ranges::sort(sample);
  return sample;
}

/// The vertices that cost above `above` and up to `most`.
template <HostExecutor Exec>
std::vector<Candidate> candidates_between(Exec& ex, Weight const* cost, Vertex n, Weight above, Weight most) {
  auto const wanted = [=] PROCMAP_LAMBDA(Edge v) { return cost[v] > above && cost[v] <= most; };
  auto const candidate = [=] PROCMAP_LAMBDA(Edge v) { return Candidate{cost[v], static_cast<Vertex>(v)}; };
  Edge const count = ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return wanted(v) ? 1 : 0; });
  auto const buffer = ex.template buffer<Candidate>(static_cast<std::size_t>(count));
  ex.select(n, wanted, candidate, buffer.data());
  std::vector<Candidate> found(static_cast<std::size_t>(count));
  ex.download(buffer.data(), count, found.data());
  return found;
}

/// Vertices by what they cost, the cheapest first. Only as many leave the machine as somebody asks for: few of
/// millions.
template <HostExecutor Exec>
class CheapestFirst {
 public:
  /// `cost` of every vertex where Exec runs, as long as the list is in use. Vertices of the highest cost there is are
  /// not in it.
  CheapestFirst(Exec& ex, Weight const* cost, Vertex n)
      : ex_(ex), cost_(cost), num_vertices_(n), sample_(sampled_costs(ex, cost, n)) {}

  /// `count` of them from the i-th on, or as many as there are.
  std::vector<Candidate> from(std::size_t i, std::size_t count) {
    while (i + count > found_.size() && up_to_ < highest) fetch();
    return found_.from(i, count);
  }

  /// Nobody is to see the i-th again if gone[i]. Of these somebody has asked for all.
  void drop(std::vector<char> const& gone) { found_.drop(gone); }

 private:
  static constexpr Weight highest = std::numeric_limits<Weight>::max() - 1;

  /// Of n vertices about as many cost up to a value as of the sample, in proportion.
  void fetch() {
    constexpr double at_once = 1024;
    auto const in_sample = static_cast<double>(sample_.size()) / static_cast<double>(num_vertices_);
    Weight const above = up_to_;
    for (; up_to_ == above; share_ *= 4) {
      auto const place = static_cast<std::size_t>(at_once * share_ * in_sample);
      up_to_ = place < sample_.size() ? std::min(sample_[place], highest) : highest;
    }
    found_.append(candidates_between(ex_, cost_, num_vertices_, above, up_to_));
  }

  Exec& ex_;
  Weight const* cost_;
  Vertex num_vertices_;
  std::vector<Weight> sample_;
  SortedAsNeeded<Candidate> found_;
  double share_ = 1;
  Weight up_to_ = std::numeric_limits<Weight>::min();
};

}  // namespace procmap
