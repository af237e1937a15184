// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

/// Parts of a refinement that share nothing, each for a team of its own. Memory of the host.
template <class Exec>
struct Parts {
  std::vector<Part> part;
  Buffer<Exec, Vertex> list;  // of the vertices by part, unless the parts are ranges

  std::size_t size() const { return part.size(); }
  Part const& operator[](Edge i) const { return part[static_cast<std::size_t>(i)]; }
};

/// About as many vertices should be in a part: a few parts for each thread, but none so small that to begin with it
/// costs more than to refine it, or so large that it leaves the cache.
inline Edge vertices_of_part(Edge num_vertices, int threads) {
  constexpr Edge least = 1 << 8;
  constexpr Edge most = 1 << 14;
  return std::clamp(num_vertices / (Edge{4} * threads), least, most);
}

/// Copies are ranges of vertices, scopes and blocks.
inline std::vector<Part> parts_of_copies(Vertex num_vertices, Block num_scopes, int copies, Edge wanted) {
  Vertex const vertices = num_vertices / copies;
  Block const scopes = num_scopes / copies;
  auto const together = static_cast<int>(std::clamp<Edge>(wanted / std::max<Vertex>(vertices, 1), 1, copies));
  std::vector<Part> parts;
  for (int first = 0; first < copies; first += together) {
    int const count = std::min(together, copies - first);
    parts.push_back({nullptr, first * vertices, count * vertices, first * scopes, count * scopes});
  }
  return parts;
}

/// Lists the vertices of every scope and joins scopes that follow each other.
template <HostExecutor Exec>
Parts<Exec> parts_of_scopes(Exec& ex, Vertex num_vertices, BlocksView const& blocks, Block const* block, Edge wanted) {
  auto const scopes = static_cast<std::size_t>(blocks.num_scopes());
  std::vector<Vertex> begin(scopes + 1, 0);
  auto const scope_of = [&](Vertex v) { return static_cast<std::size_t>(blocks.scope_of(block[v])); };
  for (Vertex v = 0; v < num_vertices; ++v) ++begin[scope_of(v) + 1];
  for (std::size_t s = 0; s < scopes; ++s) begin[s + 1] += begin[s];
  Parts<Exec> parts;
  parts.list = ex.template buffer<Vertex>(static_cast<std::size_t>(num_vertices));
  auto* const list = parts.list.data();
  auto next = begin;
  for (Vertex v = 0; v < num_vertices; ++v) list[next[scope_of(v)]++] = v;
  for (std::size_t first = 0, end = 0; first < scopes; first = end) {
    while (end < scopes && (end == first || begin[end] - begin[first] < wanted)) ++end;
    parts.part.push_back(
        {list, begin[first], begin[end] - begin[first], static_cast<Block>(first), static_cast<Block>(end - first)});
  }
  return parts;
}

/// Lists the vertices of every scope, in no particular order: those of scope s end at end[s].
struct ScopeLists {
  Vertex num_vertices = 0;
  BlocksView blocks;
  Block const* block = nullptr;
  Vertex* list = nullptr;
  Vertex* end = nullptr;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    auto const phase = ex.phase("list scopes");
    auto const scopes = static_cast<std::size_t>(blocks.num_scopes());
    auto const next = ex.template buffer<Vertex>(scopes);
    auto const before = ex.template buffer<Edge>(scopes + 1);
    count(ex, next.data());
    ex.scan(
        blocks.num_scopes(), [=, next = next.data()] PROCMAP_LAMBDA(Edge s) -> Edge { return next[s]; }, before.data());
    ex.for_each(blocks.num_scopes(), [=, end = end, next = next.data(), before = before.data()] PROCMAP_LAMBDA(Edge s) {
      next[s] = static_cast<Vertex>(before[s]);
      end[s] = static_cast<Vertex>(before[s + 1]);
    });
    ex.for_each_ahead(num_vertices,
                      [=, &blocks = blocks, block = block, list = list, next = next.data()] PROCMAP_LAMBDA(Edge v) {
                        list[contended_place(&next[blocks.scope_of(block[v])])] = static_cast<Vertex>(v);
                      });
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void count(Exec& ex, Vertex* vertices) const {
    ex.for_each(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) { vertices[s] = 0; });
    ex.for_each(num_vertices, [=, &blocks = blocks, block = block] PROCMAP_LAMBDA(Edge v) {
      contended_add(&vertices[blocks.scope_of(block[v])], 1);
    });
  }

  template <class Exec>
  std::size_t scratch_bytes() const {
    auto const scopes = static_cast<std::size_t>(blocks.num_scopes());
    return Exec::template scratch_bytes<Vertex>(scopes) + Exec::template scratch_bytes<Edge>(scopes + 1);
  }
};

template <>
struct KernelTraits<ScopeLists> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// A part for every scope, in lists that a machine with memory of its own makes.
template <HostExecutor Exec>
Parts<Exec> scopes_as_parts(Exec& ex, Vertex num_vertices, BlocksView const& blocks, Block const* block) {
  auto const scopes = blocks.num_scopes();
  auto end_buffer = ex.template buffer<Vertex>(static_cast<std::size_t>(scopes));
  Parts<Exec> parts;
  parts.list = ex.template buffer<Vertex>(static_cast<std::size_t>(num_vertices));
  auto* const list = parts.list.data();
  ScopeLists const lists{num_vertices, blocks, block, list, end_buffer.data()};
  ex.resident({num_vertices, lists.template scratch_bytes<Exec>(), 0, 0}, lists);
  std::vector<Vertex> end(static_cast<std::size_t>(scopes));
  ex.download(end_buffer.data(), scopes, end.data());
  Vertex first = 0;
  for (Block s = 0; s < scopes; ++s) {
    Vertex const last = end[static_cast<std::size_t>(s)];
    parts.part.push_back({list, first, last - first, s, 1});
    first = last;
  }
  return parts;
}

/// One part or none if there is nothing to be gained.
template <HostExecutor Exec, class Objective>
Parts<Exec> parts_of(Exec& ex, RefinementProblem<Objective> const& problem, Block const* block) {
  Vertex const n = problem.graph.num_vertices;
  Edge const wanted = vertices_of_part(n, ex.threads());
  Block const scopes = problem.blocks.num_scopes();
  if (scopes < 2 || problem.objective.num_groups() > 0 || n <= wanted) return {};
  bool const copies_suffice = problem.copies >= 2 * ex.threads() || problem.copies == scopes;
  if (problem.copies > 1 && copies_suffice) return {parts_of_copies(n, scopes, problem.copies, wanted), {}};
  return parts_of_scopes(ex, n, problem.blocks, block, wanted);
}

}  // namespace procmap
