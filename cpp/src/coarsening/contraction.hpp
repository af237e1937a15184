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

/// Room for the rows of a coarse graph with at most as many arcs as `fine`, and what its vertices weigh.
template <HostExecutor Exec>
OwnedGraph<Exec> begin_coarse_graph(Exec& ex, CsrView fine, Vertex num_coarse, Members<Exec> const& members) {
  auto const nc = static_cast<std::size_t>(num_coarse);
  auto const arcs = static_cast<std::size_t>(fine.num_arcs);
  bool const narrow = has_narrow_weights(fine);
  OwnedGraph<Exec> coarse{num_coarse,
                          0,
                          ex.template buffer<Edge>(nc + 1),
                          ex.template buffer<Vertex>(arcs),
                          ex.template buffer<Weight>(narrow ? 0 : arcs),
                          ex.template buffer<Weight>(nc)};
  coarse.narrow_arc_weights = ex.template buffer<NarrowWeight>(narrow ? arcs : 0);
  auto const* const start = members.start.data();
  auto const* const member = members.member.data();
  auto* const vertex_weights = coarse.vertex_weights.data();
  ex.for_each(num_coarse, [=] PROCMAP_LAMBDA(Edge c) {
    Weight total = 0;
    for (Edge i = start[c]; i < start[c + 1]; ++i) total += fine.vertex_weight(member[i]);
    vertex_weights[c] = total;
  });
  if (fine.num_loads == 0) return coarse;
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
  return coarse;
}

/// The rows of a slab where they are gathered: row r begins at room[first + r] - base.
struct GatheredRows {
  Vertex first;  // row of the slab
  Edge base;
  Edge count;
  Edge const* room;
  Vertex* head;
  Weight* weight;
  Edge* degree;  // per row: arcs that are left
};

/// Adds up the arcs of the members of every row of a slab.
template <HostExecutor Exec>
void gather_rows(Exec& ex, CsrView fine, Members<Exec> const& members, Vertex num_coarse, Vertex const* coarse_of,
                 GatheredRows const& rows) {
  auto const* const start = members.start.data();
  auto const* const member = members.member.data();
  ex.for_each_with_table(
      rows.count, [=] PROCMAP_LAMBDA(Edge r) { return rows.room[rows.first + r + 1] - rows.room[rows.first + r]; },
      num_coarse,
      [=] PROCMAP_LAMBDA(Edge r, auto group, auto& table) {
        Vertex const c = rows.first + static_cast<Vertex>(r);
        table.fill([&](auto& sums) {
          fine.with_arc_weights([&](auto weight) {
            for (Edge i = start[c]; i < start[c + 1]; ++i)
              for (Edge e = fine.begin(member[i]) + group.rank(); e < fine.end(member[i]); e += group.size())
                if (Vertex const head = coarse_of[fine.heads[e]]; head != c) sums.add(head, weight(e));
          });
        });
        group.sync();
        Edge const at = rows.room[c] - rows.base;
        rows.degree[r] = table.export_to(group, rows.head + at, rows.weight + at);
      });
}

/// Appends the gathered rows of a slab to the coarse graph.
template <HostExecutor Exec>
void append_rows(Exec& ex, GatheredRows const& rows, OwnedGraph<Exec>& coarse) {
  auto* const offsets = coarse.offsets.data();
  auto* const heads = coarse.heads.data();
  auto* const weights = coarse.arc_weights.data();
  auto* const narrow_weights = coarse.narrow_arc_weights.data();
  bool const narrow = coarse.narrow_arc_weights.size() > 0;
  auto const degree = [=] PROCMAP_LAMBDA(Edge r) { return rows.degree[r]; };
  Edge const before = coarse.num_arcs;
  auto const [arcs, longest] = ex.scan_rows(rows.count, degree, offsets + rows.first);
  coarse.num_arcs += arcs;
  coarse.max_degree = std::max(coarse.max_degree, longest);
  ex.for_each(rows.count + 1, [=] PROCMAP_LAMBDA(Edge r) { offsets[rows.first + r] += before; });
  ex.for_each_in_group(rows.count, degree, [=] PROCMAP_LAMBDA(Edge r, auto group) {
    Edge const from = rows.room[rows.first + r] - rows.base;
    Edge const to = offsets[rows.first + r];
    for (Edge i = group.rank(); i < rows.degree[r]; i += group.size()) {
      heads[to + i] = rows.head[from + i];
      if (narrow)
        narrow_weights[to + i] = static_cast<NarrowWeight>(rows.weight[from + i]);
      else
        weights[to + i] = rows.weight[from + i];
    }
  });
}

/// The coarse graph of `coarse_of`: vertex weights and parallel arcs are added up, arcs inside a
/// coarse vertex and arcs of weight 0 vanish (paper, contraction).
template <HostExecutor Exec>
OwnedGraph<Exec> contract(Exec& ex, CsrView fine, Vertex num_coarse, Vertex const* coarse_of) {
  Phase phase(ex.run(), "contraction");
  auto const members = group_members(ex, fine.num_vertices, num_coarse, coarse_of);
  auto const plan = plan_rows(ex, fine, members, num_coarse);
  auto coarse = begin_coarse_graph(ex, fine, num_coarse, members);
  auto heads = ex.template buffer<Vertex>(static_cast<std::size_t>(plan.widest));
  auto weights = ex.template buffer<Weight>(static_cast<std::size_t>(plan.widest));
  auto degrees = ex.template buffer<Edge>(static_cast<std::size_t>(plan.tallest));
  coarse.max_degree = 0;
  if (num_coarse == 0) ex.fill(coarse.offsets.data(), 1, Edge{0});
  for (std::size_t s = 0; s + 1 < plan.slabs.size(); ++s) {
    ex.run().checkpoint();
    auto const [first, base] = plan.slabs[s];
    GatheredRows const rows{
        first,          base,          Edge{plan.slabs[s + 1].first - first}, plan.room.data(), heads.data(),
        weights.data(), degrees.data()};
    gather_rows(ex, fine, members, num_coarse, coarse_of, rows);
    append_rows(ex, rows, coarse);
  }
  auto const arcs = static_cast<std::size_t>(coarse.num_arcs);
  coarse.heads.shrink(arcs);
  coarse.arc_weights.shrink(arcs);
  coarse.narrow_arc_weights.shrink(arcs);
  return coarse;
}

}  // namespace procmap
