// SPDX-License-Identifier: MIT
#include "refinement/weights/block_loads.hpp"

#include <algorithm>

#include "core/several_weights.hpp"

namespace procmap {

BlockLoads::BlockLoads(CsrView graph, BlocksView blocks, Block first, Block count, std::span<Vertex const> vertices,
                       Block const* block)
    : graph_(graph),
      num_(graph.num_loads),
      first_(first),
      load_(static_cast<std::size_t>(count) * static_cast<std::size_t>(num_), 0),
      limit_(blocks.limits + Edge{first} * num_, blocks.limits + (Edge{first} + count) * num_),
      asked_(limit_),
      open_(static_cast<std::size_t>(count), 0) {
  for (Vertex const v : vertices)
    for (int i = 0; i < num_; ++i) load_[row(block[v]) + static_cast<std::size_t>(i)] += graph.load(v, i);
  for (int i = 0; i < num_; ++i) {
    __int128 sum = 0;
    for (auto at = static_cast<std::size_t>(i); at < limit_.size(); at += static_cast<std::size_t>(num_))
      sum += limit_[at];
    unit_.push_back(std::max<Weight>(1, static_cast<Weight>(sum / count)));
    per_unit_.push_back(1.0 / static_cast<double>(unit_.back()));
  }
  for (std::size_t b = 0; b < open_.size(); ++b) open_[b] = blocks.capacity[first + static_cast<Block>(b)] > 0;
  if (std::ranges::count(open_, 0) == static_cast<std::ptrdiff_t>(open_.size())) std::ranges::fill(open_, 1);
}

void BlockLoads::add(Vertex v, Block b) {
  for (int i = 0; i < num_; ++i) load_[row(b) + static_cast<std::size_t>(i)] += graph_.load(v, i);
}

void BlockLoads::take_away(Vertex v, Block b) {
  for (int i = 0; i < num_; ++i) load_[row(b) + static_cast<std::size_t>(i)] -= graph_.load(v, i);
}

bool BlockLoads::fits(Vertex v, Block b) const {
  if (!is_open(b)) return false;
  for (int i = 0; i < num_; ++i) {
    Weight const weight = graph_.load(v, i);
    auto const at = row(b) + static_cast<std::size_t>(i);
    if (weight > 0 && load_[at] + weight > limit_[at]) return false;
  }
  return true;
}

bool BlockLoads::relieves(Vertex v, Block from) const {
  for (int i = 0; i < num_; ++i) {
    auto const at = row(from) + static_cast<std::size_t>(i);
    if (load_[at] > limit_[at] && graph_.load(v, i) > 0) return true;
  }
  return false;
}

Weight BlockLoads::over(std::size_t at, Weight more) const {
  return std::max<Weight>(0, load_[at] + more - limit_[at]);
}

double BlockLoads::relief(Vertex v, Block from, Block to) const {
  double sum = 0;
  for (int i = 0; i < num_; ++i) {
    Weight const weight = graph_.load(v, i);
    auto const a = row(from) + static_cast<std::size_t>(i), b = row(to) + static_cast<std::size_t>(i);
    Weight const less = over(a, 0) - over(a, -weight) + over(b, 0) - over(b, weight);
    sum += static_cast<double>(less) * per_unit_[static_cast<std::size_t>(i)];
  }
  return sum;
}

double BlockLoads::relief_of_exchange(Vertex v, Block from, Vertex u, Block to) const {
  double sum = 0;
  for (int i = 0; i < num_; ++i) {
    Weight const weight = graph_.load(v, i) - graph_.load(u, i);
    auto const a = row(from) + static_cast<std::size_t>(i), b = row(to) + static_cast<std::size_t>(i);
    Weight const less = over(a, 0) - over(a, -weight) + over(b, 0) - over(b, weight);
    sum += static_cast<double>(less) * per_unit_[static_cast<std::size_t>(i)];
  }
  return sum;
}

double BlockLoads::fill_with(Vertex v, Block b) const {
  double fill = 0;
  for (int i = 0; i < num_; ++i) {
    auto const at = row(b) + static_cast<std::size_t>(i);
    auto const limit = static_cast<double>(std::max<Weight>(1, limit_[at]));
    fill = std::max(fill, static_cast<double>(load_[at] + (v == no_vertex ? 0 : graph_.load(v, i))) / limit);
  }
  return fill;
}

double BlockLoads::fill(Block b) const { return fill_with(no_vertex, b); }

double BlockLoads::size_of(Vertex v) const {
  double size = 0;
  for (int i = 0; i < num_; ++i)
    size = std::max(size, static_cast<double>(graph_.load(v, i)) * per_unit_[static_cast<std::size_t>(i)]);
  return size;
}

void BlockLoads::loosen() {
  constexpr Weight part = 20;
  for (std::size_t at = 0; at < limit_.size(); ++at) limit_[at] = asked_[at] + asked_[at] / part;
}

Weight BlockLoads::excess() const { return total_excess(load_, limit_, unit_); }

}  // namespace procmap
