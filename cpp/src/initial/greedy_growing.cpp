// SPDX-License-Identifier: MIT
#include "initial/greedy_growing.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace procmap::initial {

namespace {

/// The vertex of highest tie among those farthest from `origin`.
Vertex farthest_from(Bisection& work, Vertex origin) {
  auto& order = work.search_order;
  auto& seen = work.slot;
  std::fill_n(seen.begin(), work.graph.num_vertices, slot_none);
  order.assign(1, origin);
  seen[origin] = 0;
  std::size_t layer = 0;
  for (;;) {
    auto const end = order.size();
    for (auto i = layer; i < end; ++i)
      for (auto const& arc : work.graph.arcs(order[i]))
        if (seen[arc.head] == slot_none) {
          seen[arc.head] = 0;
          order.push_back(arc.head);
        }
    if (order.size() == end) break;
    layer = end;
  }
  return *std::max_element(order.begin() + static_cast<std::ptrdiff_t>(layer), order.end(),
                           [&](Vertex a, Vertex b) { return work.tie[a] < work.tie[b]; });
}

/// Vertices from a first one on, in cyclic order; each is asked for once.
class FreshVertices {
 public:
  FreshVertices(Vertex first, Vertex num_vertices) : next_(first), left_(num_vertices), num_vertices_(num_vertices) {}

  /// The next vertex for which accept(v), or no_vertex.
  template <class Accept>
  Vertex next(Accept&& accept) {
    for (; left_ > 0; --left_) {
      auto const v = next_;
      next_ = v + 1 == num_vertices_ ? 0 : v + 1;
      if (accept(v)) return v;
    }
    return no_vertex;
  }

 private:
  Vertex next_, left_, num_vertices_;
};

}  // namespace

void grow_side_zero(Bisection& work, Balance const& balance, Start start) {
  auto const n = work.graph.num_vertices;
  if (n == 0) return;
  auto first = static_cast<Vertex>(hash(work.seed, 0) % static_cast<std::uint64_t>(n));
  if (start == Start::peripheral) first = farthest_from(work, first);
  work.reset_slots();
  auto& frontier = work.queue[1];
  auto const open = [&](Vertex v) { return work.slot[v] != slot_locked; };
  FreshVertices fresh(first, n);
  if (!work.pinned.empty())  // side 0 may hold pinned vertices already, and grows from there
    for (Vertex v = 0; v < n; ++v)
      if (work.side[v] == 1 && work.on_boundary(v) && open(v)) work.enqueue(v);
  while (work.weight[0] < balance.target) {
    Vertex v;
    if (frontier.empty()) {
      v = fresh.next(open);
      if (v == no_vertex) break;
    } else {
      v = work.best_of(1);
      frontier.pop(work.slot);
    }
    if (work.weight[0] + work.graph.vertex_weights[v] <= balance.limit[0])
      work.flip_and_lock(v);
    else
      work.slot[v] = slot_locked;
  }
  frontier.clear();
}

}  // namespace procmap::initial
