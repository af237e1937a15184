// SPDX-License-Identifier: MIT
#include "topology/natural_groups.hpp"

#include <algorithm>
#include <limits>

#include "core/disjoint_sets.hpp"

namespace procmap {
namespace {

struct Link {
  std::int32_t distance;
  Block from, to;
};

/// The minimum spanning tree of the nodes (Prim), shortest links first: single linkage.
std::vector<Link> spanning_links(DistanceTable const& table) {
  auto const nodes = static_cast<std::size_t>(table.num_nodes);
  std::vector<Link> nearest(nodes, {std::numeric_limits<std::int32_t>::max(), 0, 0});
  std::vector<char> inside(nodes, 0);
  std::vector<Link> links;
  for (std::size_t node = 0; links.size() + 1 < nodes;) {
    inside[node] = 1;
    std::size_t next = nodes;
    for (std::size_t y = 0; y < nodes; ++y) {
      if (inside[y]) continue;
      auto const distance = table.distances[node * nodes + y];
      if (distance < nearest[y].distance || nearest[y].from == nearest[y].to)
        nearest[y] = {distance, static_cast<Block>(node), static_cast<Block>(y)};
      if (next == nodes || nearest[y].distance < nearest[next].distance) next = y;
    }
    links.push_back(nearest[next]);
    node = next;
  }
  std::ranges::stable_sort(links, {}, &Link::distance);
  return links;
}

/// Disjoint sets of nodes that know how many PEs they hold.
class Components {
 public:
  explicit Components(DistanceTable const& table)
      : sets_(table.num_nodes), pes_(static_cast<std::size_t>(table.num_nodes), 0), count_(table.num_nodes) {
    for (Block const node : table.node_of_pe) largest_ = std::max(largest_, ++pes_[static_cast<std::size_t>(node)]);
  }

  /// Of nodes in different sets.
  void join(Block a, Block b) {
    Block const both = pes_of(a) + pes_of(b);
    sets_.join(a, b);
    pes_of(a) = both;
    largest_ = std::max(largest_, both);
    --count_;
  }
  Block largest() const { return largest_; }
  bool are_equal(Block num_pes) const { return std::int64_t{largest_} * count_ == num_pes; }

 private:
  Block& pes_of(Block node) { return pes_[static_cast<std::size_t>(sets_.root(node))]; }

  DisjointSets sets_;
  std::vector<Block> pes_;  // of roots
  Block count_;
  Block largest_ = 0;
};

}  // namespace

std::vector<Block> natural_group_sizes(DistanceTable const& table) {
  auto const num_pes = static_cast<Block>(table.node_of_pe.size());
  auto const links = spanning_links(table);
  Components components(table);
  std::vector<Block> sizes;
  for (std::size_t i = 0; i <= links.size(); ++i) {
    bool const complete = i == links.size() || i == 0 || links[i].distance != links[i - 1].distance;
    Block const size = components.largest();
    if (complete && size > 1 && size < num_pes && components.are_equal(num_pes)) sizes.push_back(size);
    if (i < links.size()) components.join(links[i].from, links[i].to);
  }
  return sizes;
}

}  // namespace procmap
