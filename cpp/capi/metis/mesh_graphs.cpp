// SPDX-License-Identifier: MIT
#include "metis/mesh_graphs.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "metis/failure.hpp"

namespace procmap_metis {
namespace {

idx_t checked_count(idx_t const* count, char const* name) {
  auto const value = required(count, name);
  if (value < 0) refuse(std::string(name) + " = " + std::to_string(value) + " is negative");
  return value;
}

void append_row(Lists& lists, std::vector<idx_t> const& row) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<idx_t>::max());
  if (row.size() > most - lists.values.size()) refuse("the graph has more neighbours than idx_t can count");
  lists.values.insert(lists.values.end(), row.begin(), row.end());
  lists.offsets.push_back(static_cast<idx_t>(lists.values.size()));
}

/// For every value the rows in which it stands, in order.
Lists transposed(Lists const& lists, std::int64_t num_values) {
  Lists result;
  result.offsets.assign(static_cast<std::size_t>(num_values) + 1, 0);
  for (auto const value : lists.values) ++result.offsets[static_cast<std::size_t>(value) + 1];
  for (std::size_t i = 1; i < result.offsets.size(); ++i) result.offsets[i] += result.offsets[i - 1];
  result.values.resize(lists.values.size());
  auto next = result.offsets;
  for (std::int64_t row = 0; row < lists.rows(); ++row)
    for (auto const* value = lists.begin(row); value != lists.end(row); ++value)
      result.values[static_cast<std::size_t>(next[static_cast<std::size_t>(*value)]++)] = static_cast<idx_t>(row);
  return result;
}

}  // namespace

Mesh read_mesh(idx_t const* ne, idx_t const* nn, idx_t const* eptr, idx_t const* eind, idx_t first) {
  auto const elements = checked_count(ne, "ne");
  auto const nodes = checked_count(nn, "nn");
  required(eptr, "eptr");
  Mesh mesh;
  mesh.nodes.offsets.assign(eptr, eptr + elements + 1);
  idx_t last = first;
  for (auto& offset : mesh.nodes.offsets) {
    auto const index = &offset - mesh.nodes.offsets.data();
    if (index == 0 ? offset != first : offset < last)
      refuse("eptr[" + std::to_string(index) + "] = " + std::to_string(offset) + " is out of order");
    last = offset;
    offset -= first;
  }
  auto const size = mesh.nodes.offsets.back();
  if (size > 0) required(eind, "eind");
  mesh.nodes.values.resize(static_cast<std::size_t>(size));
  for (idx_t i = 0; i < size; ++i) {
    if (eind[i] < first || eind[i] - first >= nodes)
      refuse("eind[" + std::to_string(i) + "] = " + std::to_string(eind[i]) + " is no node");
    mesh.nodes.values[static_cast<std::size_t>(i)] = eind[i] - first;
  }
  mesh.elements = transposed(mesh.nodes, nodes);
  return mesh;
}

Lists dual_graph(Mesh const& mesh, idx_t ncommon) {
  auto const least = std::max<std::int64_t>(ncommon, 1);
  Lists graph;
  std::vector<std::int64_t> shared(static_cast<std::size_t>(mesh.nodes.rows()), 0);
  std::vector<idx_t> met;
  for (std::int64_t e = 0; e < mesh.nodes.rows(); ++e) {
    met.clear();
    for (auto const* node = mesh.nodes.begin(e); node != mesh.nodes.end(e); ++node)
      for (auto const* other = mesh.elements.begin(*node); other != mesh.elements.end(*node); ++other)
        if (shared[static_cast<std::size_t>(*other)]++ == 0) met.push_back(*other);
    auto const is_neighbour = [&](idx_t other) {
      auto const common = shared[static_cast<std::size_t>(other)];
      return other != e &&
             (common >= least || common >= mesh.nodes.size(e) - 1 || common >= mesh.nodes.size(other) - 1);
    };
    auto const all = met;
    std::erase_if(met, [&](idx_t other) { return !is_neighbour(other); });
    append_row(graph, met);
    for (auto const other : all) shared[static_cast<std::size_t>(other)] = 0;
  }
  return graph;
}

Lists nodal_graph(Mesh const& mesh) {
  Lists graph;
  constexpr idx_t nobody = -1;
  std::vector<idx_t> met_by(static_cast<std::size_t>(mesh.elements.rows()), nobody);
  std::vector<idx_t> met;
  for (idx_t v = 0; v < mesh.elements.rows(); ++v) {
    met.clear();
    met_by[static_cast<std::size_t>(v)] = v;
    for (auto const* element = mesh.elements.begin(v); element != mesh.elements.end(v); ++element)
      for (auto const* other = mesh.nodes.begin(*element); other != mesh.nodes.end(*element); ++other)
        if (std::exchange(met_by[static_cast<std::size_t>(*other)], v) != v) met.push_back(*other);
    append_row(graph, met);
  }
  return graph;
}

}  // namespace procmap_metis
