// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "coarsening/level.hpp"
#include "core/atomic.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// The vertices of every coarse vertex: member[start[c]] ... member[start[c + 1] - 1]. Their order carries no
/// meaning.
template <class Exec>
struct Members {
  Buffer<Exec, Edge> start;
  Buffer<Exec, Vertex> member;
};

template <HostExecutor Exec>
Members<Exec> group_members(Exec& ex, Vertex n, Vertex num_coarse, Vertex const* coarse_of) {
  Members<Exec> members{ex.template buffer<Edge>(static_cast<std::size_t>(num_coarse) + 1),
                        ex.template buffer<Vertex>(static_cast<std::size_t>(n))};
  auto next_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(num_coarse));
  auto* const start = members.start.data();
  auto* const member = members.member.data();
  auto* const next = next_buffer.data();

  ex.fill(next, num_coarse, Edge{0});
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { atomic_add(&next[coarse_of[v]], 1); });
  ex.prefix_sums(num_coarse, [=] PROCMAP_LAMBDA(Edge c) { return next[c]; }, start);
  ex.copy(start, num_coarse, next);
  ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { member[fetch_add(&next[coarse_of[v]], 1)] = static_cast<Vertex>(v); });
  // Threads arrive in any order; ascending ids read memory forwards. Large clusters are not worth the sorting.
  constexpr Edge sorted_members = 64;
  ex.for_each(num_coarse, [=] PROCMAP_LAMBDA(Edge c) {
    if (start[c + 1] - start[c] > sorted_members) return;
    for (Edge i = start[c] + 1; i < start[c + 1]; ++i) {
      Vertex const v = member[i];
      Edge j = i;
      for (; j > start[c] && member[j - 1] > v; --j) member[j] = member[j - 1];
      member[j] = v;
    }
  });
  return members;
}

/// Where the rows of a coarse graph are gathered before their lengths are known: row c has room
/// for all arcs of its members, at room[c]. Rows are handled in slabs of about ex.slab_arcs() arcs.
template <class Exec>
struct RowRoom {
  struct Slab {
    Vertex first;  // row
    Edge base;     // its room
  };
  Buffer<Exec, Edge> room;   // n_coarse + 1
  std::vector<Slab> slabs;   // and one behind the last
  Edge widest = 0;           // arcs of the largest slab
  Edge tallest = 0;          // rows of the one with most
};

/// Cuts the rows behind every multiple of ex.slab_arcs().
template <HostExecutor Exec>
void cut_into_slabs(Exec& ex, Vertex num_coarse, Edge num_arcs, RowRoom<Exec>& plan) {
  auto const* const room = plan.room.data();
  Edge const slab = ex.slab_arcs();
  auto last_row = ex.template buffer<Vertex>(static_cast<std::size_t>(num_coarse));
  auto* const last = last_row.data();
  Edge const cuts = ex.select(
      num_coarse, [=] PROCMAP_LAMBDA(Edge c) { return room[c] / slab != room[c + 1] / slab; },
      [=] PROCMAP_LAMBDA(Edge c) { return static_cast<Vertex>(c + 1); }, last);
  std::vector<Vertex> first(static_cast<std::size_t>(cuts));
  ex.download(last, cuts, first.data());
  for (Vertex const row : first)
    if (row != num_coarse) plan.slabs.push_back({row, ex.read(room + row)});
  plan.slabs.push_back({num_coarse, num_arcs});
}

template <HostExecutor Exec>
RowRoom<Exec> plan_rows(Exec& ex, CsrView fine, Members<Exec> const& members, Vertex num_coarse) {
  RowRoom<Exec> plan{ex.template buffer<Edge>(static_cast<std::size_t>(num_coarse) + 1), {{0, 0}}};
  auto const* const start = members.start.data();
  auto const* const member = members.member.data();
  ex.prefix_sums(
      num_coarse,
      [=] PROCMAP_LAMBDA(Edge c) {
        Edge sum = 0;
        for (Edge i = start[c]; i < start[c + 1]; ++i) sum += fine.degree(member[i]);
        return sum;
      },
      plan.room.data());
  if (fine.num_arcs < ex.slab_arcs())
    plan.slabs.push_back({num_coarse, fine.num_arcs});
  else
    cut_into_slabs(ex, num_coarse, fine.num_arcs, plan);
  for (std::size_t s = 0; s + 1 < plan.slabs.size(); ++s) {
    plan.widest = std::max(plan.widest, plan.slabs[s + 1].base - plan.slabs[s].base);
    plan.tallest = std::max<Edge>(plan.tallest, plan.slabs[s + 1].first - plan.slabs[s].first);
  }
  return plan;
}

/// Do the weights of arcs fit into half the memory once `fine` is contracted? The sum of all of them does if every arc
/// of the finest graph weighs 1 and there are not too many.
inline bool has_narrow_weights(CsrView fine) {
  return fine.narrow_arc_weights || (!fine.arc_weights && fine.num_arcs <= std::numeric_limits<NarrowWeight>::max());
}

/// The coarse graph of `coarse_of`: vertex weights and parallel arcs are added up, arcs inside a
/// coarse vertex and arcs of weight 0 vanish (paper, contraction).
template <HostExecutor Exec>
OwnedGraph<Exec> contract(Exec& ex, CsrView fine, Vertex num_coarse, Vertex const* coarse_of) {
  Phase phase(ex.run(), "contraction");
  auto const nc = static_cast<std::size_t>(num_coarse);
  auto const members = group_members(ex, fine.num_vertices, num_coarse, coarse_of);
  auto const plan = plan_rows(ex, fine, members, num_coarse);
  auto const* const start = members.start.data();
  auto const* const member = members.member.data();
  auto const* const room = plan.room.data();
  bool const narrow = has_narrow_weights(fine);
  auto const arcs = static_cast<std::size_t>(fine.num_arcs);

  OwnedGraph<Exec> coarse{num_coarse,
                          0,
                          ex.template buffer<Edge>(nc + 1),
                          ex.template buffer<Vertex>(arcs),
                          ex.template buffer<Weight>(narrow ? 0 : arcs),
                          ex.template buffer<Weight>(nc)};
  coarse.narrow_arc_weights = ex.template buffer<NarrowWeight>(narrow ? arcs : 0);
  auto* const offsets = coarse.offsets.data();
  auto* const vertex_weights = coarse.vertex_weights.data();
  auto row_heads = ex.template buffer<Vertex>(static_cast<std::size_t>(plan.widest));
  auto row_weights = ex.template buffer<Weight>(static_cast<std::size_t>(plan.widest));
  auto row_degree = ex.template buffer<Edge>(static_cast<std::size_t>(plan.tallest));
  auto* const degree = row_degree.data();

  ex.for_each(num_coarse, [=] PROCMAP_LAMBDA(Edge c) {
    Weight total = 0;
    for (Edge i = start[c]; i < start[c + 1]; ++i) total += fine.vertex_weight(member[i]);
    vertex_weights[c] = total;
  });

  if (fine.num_loads > 0) {
    coarse.num_loads = fine.num_loads;
    coarse.loads = ex.template buffer<Weight>(nc * static_cast<std::size_t>(fine.num_loads));
    auto* const loads = coarse.loads.data();
    ex.for_each(Edge{num_coarse} * fine.num_loads, [=] PROCMAP_LAMBDA(Edge at) {
      Edge const c = at / fine.num_loads;
      int const i = static_cast<int>(at % fine.num_loads);
      Weight total = 0;
      for (Edge j = start[c]; j < start[c + 1]; ++j) total += fine.load(member[j], i);
      loads[at] = total;
    });
  }

  if (num_coarse == 0) ex.fill(offsets, 1, Edge{0});
  for (std::size_t s = 0; s + 1 < plan.slabs.size(); ++s) {
    ex.run().checkpoint();
    Vertex const first = plan.slabs[s].first;
    Edge const base = plan.slabs[s].base;
    Edge const rows = plan.slabs[s + 1].first - first;
    auto* const gathered_heads = row_heads.data();
    auto* const gathered_weights = row_weights.data();
    ex.for_each_with_table(
        rows, [=] PROCMAP_LAMBDA(Edge r) { return room[first + r + 1] - room[first + r]; }, num_coarse,
        [=] PROCMAP_LAMBDA(Edge r, auto group, auto& table) {
          Vertex const c = first + static_cast<Vertex>(r);
          table.fill([&](auto& sums) {
            fine.with_arc_weights([&](auto weight) {
              for (Edge i = start[c]; i < start[c + 1]; ++i)
                for (Edge e = fine.begin(member[i]) + group.rank(); e < fine.end(member[i]); e += group.size())
                  if (Vertex const head = coarse_of[fine.heads[e]]; head != c) sums.add(head, weight(e));
            });
          });
          group.sync();
          degree[r] = table.export_to(group, gathered_heads + (room[c] - base), gathered_weights + (room[c] - base));
        });
    Edge const before = coarse.num_arcs;
    coarse.num_arcs += ex.scan(rows, [=] PROCMAP_LAMBDA(Edge r) { return degree[r]; }, offsets + first);
    auto* const heads = coarse.heads.data();
    auto* const weights = coarse.arc_weights.data();
    auto* const narrow_weights = coarse.narrow_arc_weights.data();
    ex.for_each(rows + 1, [=] PROCMAP_LAMBDA(Edge r) { offsets[first + r] += before; });
    auto const row_degree_of = [=] PROCMAP_LAMBDA(Edge r) { return degree[r]; };
    ex.for_each_in_group(rows, row_degree_of, [=] PROCMAP_LAMBDA(Edge r, auto group) {
      Edge const from = room[first + r] - base;
      Edge const to = offsets[first + r];
      for (Edge i = group.rank(); i < degree[r]; i += group.size()) {
        heads[to + i] = gathered_heads[from + i];
        if (narrow)
          narrow_weights[to + i] = static_cast<NarrowWeight>(gathered_weights[from + i]);
        else
          weights[to + i] = gathered_weights[from + i];
      }
    });
  }
  coarse.heads.shrink(static_cast<std::size_t>(coarse.num_arcs));
  coarse.arc_weights.shrink(static_cast<std::size_t>(coarse.num_arcs));
  coarse.narrow_arc_weights.shrink(static_cast<std::size_t>(coarse.num_arcs));
  return coarse;
}

}  // namespace procmap
