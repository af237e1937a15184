// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "refinement/flow/narrow.hpp"
#include "refinement/flow/scratch.hpp"
#include "support/max_flow.hpp"
#include "support/reference.hpp"

namespace procmap::test {

/// Networks side by side in one set of arrays, each to be solved by a team of its own.
struct HostNetworks {
  std::vector<PairState> state;
  std::vector<Edge> row_begin, row_end;
  std::vector<FlowArc> arc;
  std::vector<Weight> capacity, excess, to_sink;
  std::vector<Vertex> near_source;  // 1: in block a of halves
  std::vector<Weight> certain;  // what goes straight through vertices from source to sink, less what fills cut links
  std::vector<Weight> around_sink;  // capacity of the cut that parts the sink from all vertices, without that

  /// With `in_a` parted into the vertices for which it is 1, and the others (refinement/flow/halves.hpp).
  void add(FlowCase flow, std::vector<Vertex> const& in_a = {});
};

inline void HostNetworks::add(FlowCase flow, std::vector<Vertex> const& in_a) {
  PairState work;
  work.first_vertex = static_cast<Edge>(excess.size());
  work.first_arc = static_cast<Edge>(arc.size());
  work.size = flow.num_vertices();
  state.push_back(work);

  Weight filled = 0;
  std::vector<std::vector<FlowArc>> rows(flow.from_source.size());
  for (auto const& link : flow.links) {
    auto const forth = static_cast<Vertex>(rows[at(link.u)].size()),
               back = static_cast<Vertex>(rows[at(link.v)].size());
    bool const is_cut = !in_a.empty() && in_a[at(link.u)] != in_a[at(link.v)];
    Weight const capacity_or_closed = is_cut ? -link.capacity : link.capacity;
    rows[at(link.u)].push_back({link.v, back, capacity_or_closed});
    rows[at(link.v)].push_back({link.u, forth, capacity_or_closed});
    if (!is_cut) continue;
    bool const u_in_a = in_a[at(link.u)] != 0;
    flow.to_sink[at(u_in_a ? link.u : link.v)] += link.capacity;
    flow.from_source[at(u_in_a ? link.v : link.u)] += link.capacity;
    filled += link.capacity;
  }
  certain.push_back(-filled);
  around_sink.push_back(0);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    row_begin.push_back(static_cast<Edge>(arc.size()) - work.first_arc);
    row_end.push_back(row_begin.back() + static_cast<Edge>(rows[v].size()));
    for (auto const& out : rows[v]) {
      capacity.push_back(out.residual);
      arc.push_back(out);
      arc.back().residual = std::max<Weight>(out.residual, 0);
    }
    Weight const common = std::min(flow.from_source[v], flow.to_sink[v]);
    certain.back() += common;
    excess.push_back(flow.from_source[v] - common);
    to_sink.push_back(flow.to_sink[v] - common);
    around_sink.back() += to_sink.back();
    near_source.push_back(in_a.empty() ? 0 : in_a[v]);
    if (near_source.back() != 0) std::swap(excess.back(), to_sink.back());
  }
}

inline std::vector<FlowCase> larger_cases(std::uint64_t seed) {
  std::vector<FlowCase> flows;
  for (auto const& [name, graph] : all_shapes(seed))
    if (graph.num_vertices() <= 200) flows.push_back(flow_case(to_csr(graph), Weight{1} << (7 * (seed % 5)), seed));
  return flows;
}

/// Vertices of a block, with most of their neighbours.
inline std::vector<Vertex> some_block(FlowCase const& flow, std::uint64_t seed) {
  std::vector<Vertex> in_a;
  for (Vertex v = 0; v < flow.num_vertices(); ++v)
    in_a.push_back(random_below(8, seed, static_cast<std::uint64_t>(v)) == 0 ? v % 2 : 2 * v < flow.num_vertices());
  return in_a;
}

/// What the cut between a block and the other vertices costs.
inline Weight present_cut(FlowCase const& flow, std::vector<Vertex> const& in_a) {
  Weight value = 0;
  for (std::size_t v = 0; v < in_a.size(); ++v) value += in_a[v] != 0 ? flow.to_sink[v] : flow.from_source[v];
  for (auto const& link : flow.links) value += in_a[at(link.u)] != in_a[at(link.v)] ? link.capacity : 0;
  return value;
}

/// A third of the vertices contracted with the source, a third with the sink.
inline std::vector<Contracted> some_contracted(FlowCase const& flow, std::uint64_t seed) {
  std::vector<Contracted> becomes;
  for (Vertex v = 0; v < flow.num_vertices(); ++v)
    becomes.push_back(static_cast<Contracted>(random_below(3, seed, static_cast<std::uint64_t>(v))));
  return becomes;
}

/// Without those that would be contracted with the other block's terminal.
inline std::vector<Contracted> within_blocks(std::vector<Contracted> becomes, std::vector<Vertex> const& in_a) {
  for (std::size_t v = 0; v < becomes.size(); ++v)
    if (becomes[v] != (in_a[v] != 0 ? Contracted::with_source : Contracted::with_sink)) becomes[v] = Contracted::no;
  return becomes;
}

/// Arcs that no minimum cut has tie the vertices to their terminals.
inline FlowCase tied_to_terminals(FlowCase flow, std::vector<Contracted> const& becomes) {
  constexpr Weight never_cut = Weight{1} << 50;
  for (std::size_t v = 0; v < becomes.size(); ++v) {
    if (becomes[v] == Contracted::with_source) flow.from_source[v] = never_cut;
    if (becomes[v] == Contracted::with_sink) flow.to_sink[v] = never_cut;
  }
  return flow;
}

/// The cut that parts what is contracted with the source from everything else, without what goes straight through
/// vertices.
inline Weight around_source(FlowCase const& flow, std::vector<Contracted> const& becomes) {
  auto const in = [&](Vertex v) { return becomes[at(v)] == Contracted::with_source; };
  Weight value = 0;
  for (Vertex v = 0; v < flow.num_vertices(); ++v) {
    Weight const to_sink = flow.to_sink[at(v)], from_source = flow.from_source[at(v)];
    value += (in(v) ? to_sink : from_source) - std::min(to_sink, from_source);
  }
  for (auto const& link : flow.links) value += in(link.u) != in(link.v) ? link.capacity : 0;
  return value;
}

/// Lists the vertices that become one with a terminal, as list_contracted does.
template <class Group>
PROCMAP_HD Vertex list_becoming(FlowNetwork const& network, Contracted const* becomes, Group group) {
  auto passes = network.passes;
  passes.start(group);
  team_for(group, network.num_vertices, [&](Vertex v) {
    group.item(network.height, v) = static_cast<Vertex>(becomes[v]);
    if (becomes[v] != Contracted::no) passes.append(group, network.list[0], v);
  });
  return passes.next(group);
}

}  // namespace procmap::test
