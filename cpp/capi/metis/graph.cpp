// SPDX-License-Identifier: MIT
#include "metis/graph.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "metis/failure.hpp"

namespace procmap_metis {
namespace {

std::string entry(char const* name, std::int64_t index, std::int64_t value) {
  return std::string(name) + "[" + std::to_string(index) + "] = " + std::to_string(value);
}

void copy_offsets(Arrays const& arrays, TaskGraph& graph) {
  if (arrays.vertices < 0 || arrays.vertices >= std::numeric_limits<std::int32_t>::max())
    refuse("the number of vertices, " + std::to_string(arrays.vertices) + ", is not in [0, 2^31 - 1)");
  auto const* const xadj = &required(arrays.xadj, "xadj");
  graph.offsets.resize(static_cast<std::size_t>(arrays.vertices) + 1);
  std::int64_t last = arrays.first;
  for (std::int64_t v = 0; v <= arrays.vertices; ++v) {
    if (v == 0 ? xadj[v] != arrays.first : xadj[v] < last)
      refuse(entry("xadj", v, xadj[v]) + (v == 0 ? " is not the first number" : " is below the entry before"));
    last = xadj[v];
    graph.offsets[static_cast<std::size_t>(v)] = last - arrays.first;
  }
}

void copy_heads(Arrays const& arrays, TaskGraph& graph) {
  auto const arcs = graph.arcs();
  if (arcs > 0) required(arrays.adjncy, "adjncy");
  graph.heads.resize(static_cast<std::size_t>(arcs));
  for (std::int64_t a = 0; a < arcs; ++a) {
    std::int64_t const head = std::int64_t{arrays.adjncy[a]};
    if (head < arrays.first || head - arrays.first >= arrays.vertices)
      refuse(entry("adjncy", a, head) + " is no vertex");
    graph.heads[static_cast<std::size_t>(a)] = static_cast<std::int32_t>(head - arrays.first);
  }
}

std::vector<std::int64_t> copy_weights(idx_t const* weights, std::int64_t size, char const* name) {
  if (weights == nullptr) return {};
  auto const negative = std::find_if(weights, weights + size, [](idx_t weight) { return weight < 0; });
  if (negative != weights + size) refuse(entry(name, negative - weights, *negative) + " is negative");
  return {weights, weights + size};
}

void copy_vertex_weights(Arrays const& arrays, TaskGraph& graph) {
  auto const row = static_cast<std::size_t>(arrays.constraints);
  auto const n = static_cast<std::size_t>(arrays.vertices);
  auto const given = copy_weights(arrays.vwgt, arrays.vertices * arrays.constraints, "vwgt");
  if (given.empty() && row == 1) return;
  auto const weight = [&](std::size_t v, std::size_t c) { return given.empty() ? 1 : given[v * row + c]; };
  graph.columns.clear();
  for (std::size_t c = 0; c < row; ++c) {
    std::size_t v = 0;
    while (v < n && weight(v, c) == 0) ++v;
    if (v < n) graph.columns.push_back(static_cast<int>(c));
  }
  // Parts of nothing are equal however the vertices are spread; then their number is spread evenly.
  if (graph.columns.empty()) {
    graph.columns = {0};
    return;
  }
  graph.vertex_weights.reserve(n * graph.columns.size());
  for (std::size_t v = 0; v < n; ++v)
    for (auto const c : graph.columns) graph.vertex_weights.push_back(weight(v, static_cast<std::size_t>(c)));
}

/// The weights that procmap can be told along with the edges; NULL: all 1, or there are several.
std::int64_t const* only_weights(TaskGraph const& graph) {
  return graph.vertex_weights.empty() || graph.columns.size() > 1 ? nullptr : graph.vertex_weights.data();
}

/// NULL if an arc has no reverse of the same weight, which is all that can still be wrong but sums that are too large.
Handle<procmap_graph> wrapped(TaskGraph const& graph) {
  auto const data = [](auto const& values) { return values.empty() ? nullptr : values.data(); };
  procmap_graph* handle = nullptr;
  auto const status = procmap_graph_wrap(graph.vertices(), graph.offsets.data(), data(graph.heads),
                                         data(graph.edge_weights), only_weights(graph), &handle);
  if (status == PROCMAP_ERROR_GRAPH) return nullptr;
  require_ok(status);
  return Handle<procmap_graph>(handle);
}

/// Every arc and its reverse; procmap adds up parallel ones.
TaskGraph both_directions(TaskGraph const& graph) {
  TaskGraph both;
  both.offsets.assign(graph.offsets.size(), 0);
  auto const n = graph.vertices();
  auto const each_arc = [&](auto const& visit) {
    for (std::int64_t v = 0; v < n; ++v)
      for (auto a = graph.offsets[static_cast<std::size_t>(v)]; a < graph.offsets[static_cast<std::size_t>(v) + 1]; ++a)
        visit(static_cast<std::size_t>(v), static_cast<std::size_t>(graph.heads[static_cast<std::size_t>(a)]), a);
  };
  each_arc([&](std::size_t u, std::size_t v, std::int64_t) { ++both.offsets[u + 1], ++both.offsets[v + 1]; });
  for (std::size_t v = 1; v < both.offsets.size(); ++v) both.offsets[v] += both.offsets[v - 1];
  both.heads.resize(static_cast<std::size_t>(both.arcs()));
  both.edge_weights.resize(both.heads.size());
  auto next = both.offsets;
  each_arc([&](std::size_t u, std::size_t v, std::int64_t arc) {
    for (auto const& [tail, head] : {std::pair(u, v), std::pair(v, u)}) {
      auto const place = static_cast<std::size_t>(next[tail]++);
      both.heads[place] = static_cast<std::int32_t>(head);
      both.edge_weights[place] = graph.edge_weight(arc);
    }
  });
  return both;
}

/// Every arc is half an edge. The arrays that are made are dropped: procmap copies what it merges, and parallel arcs
/// there are.
Handle<procmap_graph> symmetrised(TaskGraph const& graph) {
  auto const both = both_directions(graph);
  procmap_graph* handle = nullptr;
  std::vector<std::int64_t> const heads(both.heads.begin(), both.heads.end());
  require_ok(procmap_graph_create_i64(both.vertices(), both.offsets.data(), heads.data(), both.edge_weights.data(),
                                      only_weights(graph), &handle));
  return Handle<procmap_graph>(handle);
}

Handle<procmap_graph> with_weights(Handle<procmap_graph> edges, TaskGraph const& graph) {
  procmap_graph* handle = nullptr;
  require_ok(procmap_graph_with_weights(edges.get(), static_cast<int>(graph.columns.size()),
                                        graph.vertex_weights.data(), &handle));
  return Handle<procmap_graph>(handle);
}

}  // namespace

TaskGraph task_graph(Arrays const& arrays) {
  TaskGraph graph;
  copy_offsets(arrays, graph);
  copy_heads(arrays, graph);
  graph.edge_weights = copy_weights(arrays.adjwgt, graph.arcs(), "adjwgt");
  copy_vertex_weights(arrays, graph);
  graph.handle = wrapped(graph);
  if (!graph.handle) graph.handle = symmetrised(graph);
  if (graph.columns.size() > 1) graph.handle = with_weights(std::move(graph.handle), graph);
  return graph;
}

std::int64_t edge_cut(TaskGraph const& graph, std::vector<std::int32_t> const& part) {
  std::int64_t twice = 0;
  for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v)
    for (auto a = graph.offsets[v]; a < graph.offsets[v + 1]; ++a)
      if (part[v] != part[static_cast<std::size_t>(graph.heads[static_cast<std::size_t>(a)])])
        twice += graph.edge_weight(a);
  return twice / 2;
}

std::vector<std::int64_t> part_weights(TaskGraph const& graph, std::vector<std::int32_t> const& part,
                                       std::int64_t parts) {
  auto const row = graph.columns.size();
  std::vector<std::int64_t> weights(static_cast<std::size_t>(parts) * row, 0);
  for (std::size_t v = 0; v < part.size(); ++v)
    for (std::size_t c = 0; c < row; ++c)
      weights[static_cast<std::size_t>(part[v]) * row + c] += graph.vertex_weight(static_cast<std::int64_t>(v), c);
  return weights;
}

}  // namespace procmap_metis
