// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "graph/check.hpp"
#include "graph/chunks.hpp"

namespace procmap {

namespace {

void check_length(char const* array, std::size_t size, std::size_t expected) {
  if (size != 0 && size != expected)
    throw GraphError(std::string(array) + " has " + std::to_string(size) + " entries, expected " +
                     std::to_string(expected));
}

void check_offsets(SharedArray<Edge> const& offsets, int threads) {
  RangeChunks const chunks(static_cast<Edge>(offsets.size()) - 1);
  for_each_chunk(chunks.size(), threads, [&](int chunk) {
    auto const [first, last] = chunks.range(chunk);
    for (Edge i = first; i < last; ++i) {
      auto const begin = offsets.data()[i], end = offsets.data()[i + 1];
      if (end < begin)
        throw GraphError(array_entry("offsets", i + 1) + " = " + std::to_string(end) + " is smaller than " +
                         array_entry("offsets", i) + " = " + std::to_string(begin));
    }
  });
}

[[noreturn]] void throw_vertex_total(CsrView csr) {
  WideSum sum = 0;
  for (Vertex v = 0; v < csr.num_vertices; ++v) {
    sum += static_cast<std::uint64_t>(csr.vertex_weight(v));
    if (sum >= static_cast<WideSum>(weight_limit)) throw_total(LocatedGraphError::Kind::vertex_weight_total, v, v);
  }
  throw_changed();
}

}  // namespace

std::string array_entry(char const* array, std::int64_t i) {
  return std::string(array) + "[" + std::to_string(i) + "]";
}

void throw_total(LocatedGraphError::Kind kind, std::int64_t i, Vertex v) {
  auto const* const array = kind == LocatedGraphError::Kind::arc_weight_total ? "arc_weights" : "vertex_weights";
  throw LocatedGraphError(kind, v, std::string(array) + " add up to 2^62 or more at " + array_entry(array, i));
}

void throw_changed() { throw GraphError("the arrays changed while they were checked"); }

CsrView view_of(CsrArrays const& arrays) {
  return {static_cast<Vertex>(arrays.offsets.size() - 1),
          static_cast<Edge>(arrays.heads.size()),
          arrays.offsets.data(),
          arrays.heads.data(),
          arrays.arc_weights.empty() ? nullptr : arrays.arc_weights.data(),
          arrays.vertex_weights.empty() ? nullptr : arrays.vertex_weights.data()};
}

void check_further_shape(Edge n, std::size_t first, std::size_t further, int num_further) {
  if (num_further < 0 || num_further >= max_vertex_weights)
    throw GraphError("a vertex has " + std::to_string(Weight{num_further} + 1) + " weights, at most " +
                     std::to_string(max_vertex_weights) + " are possible");
  if (num_further > 0 && n > 0 && first == 0)
    throw GraphError("there are further weights of vertices, but no first one");
  if (auto const expected = static_cast<std::size_t>(n) * static_cast<std::size_t>(num_further); further != expected)
    throw GraphError("further_weights has " + std::to_string(further) + " entries, expected " +
                     std::to_string(expected));
}

void check_shape(CsrArrays const& arrays, int threads) {
  auto const& offsets = arrays.offsets;
  if (offsets.empty()) throw GraphError("offsets is empty, expected one entry more than there are vertices");
  auto const n = offsets.size() - 1;
  if (n > static_cast<std::size_t>(std::numeric_limits<Vertex>::max()))
    throw GraphError("offsets has " + std::to_string(n + 1) + " entries: more than 2147483647 vertices");
  check_length("arc_weights", arrays.arc_weights.size(), arrays.heads.size());
  check_length("vertex_weights", arrays.vertex_weights.size(), n);
  check_further_shape(static_cast<Edge>(n), arrays.vertex_weights.size(), arrays.further_weights.size(),
                      arrays.num_further);
  if (offsets[0] != 0) throw GraphError("offsets[0] = " + std::to_string(offsets[0]) + ", expected 0");
  check_offsets(offsets, threads);
  if (offsets[n] != static_cast<Edge>(arrays.heads.size()))
    throw GraphError(array_entry("offsets", static_cast<Edge>(n)) + " = " + std::to_string(offsets[n]) +
                     ", but heads has " + std::to_string(arrays.heads.size()) + " entries");
}

VertexTotals check_vertex_weights(CsrView csr, int threads) {
  auto const n = csr.num_vertices;
  if (!csr.vertex_weights) return {n, n > 0 ? 1 : 0};
  RangeChunks const chunks(n);
  std::vector<WideSum> sums(static_cast<std::size_t>(chunks.size()));
  std::vector<Weight> heaviest(sums.size());
  for_each_chunk(chunks.size(), threads, [&](int chunk) {
    auto const [first, last] = chunks.range(chunk);
    WideSum sum = 0;
    Weight max = 0;
    for (Edge v = first; v < last; ++v) {
      auto const weight = csr.vertex_weights[v];
      if (weight < 0)
        throw GraphError(array_entry("vertex_weights", v) + " = " + std::to_string(weight) + " is negative");
      sum += static_cast<std::uint64_t>(weight);
      max = std::max(max, weight);
    }
    sums[static_cast<std::size_t>(chunk)] = sum;
    heaviest[static_cast<std::size_t>(chunk)] = max;
  });
  WideSum total = 0;
  for (auto const sum : sums) total += sum;
  if (total >= static_cast<WideSum>(weight_limit)) throw_vertex_total(csr);
  return {static_cast<Weight>(total), *std::ranges::max_element(heaviest)};
}

std::vector<VertexTotals> check_several_weights(std::span<Weight const> first, std::span<Weight const> further,
                                                int num_further) {
  auto const count = static_cast<std::size_t>(num_further) + 1;
  if (count == 1) return {};
  std::vector<VertexTotals> totals(count);
  for (std::size_t i = 0; i < count; ++i) {
    WideSum sum = 0;
    for (std::size_t v = 0; v < first.size(); ++v) {
      auto const weight = i == 0 ? first[v] : further[v * (count - 1) + i - 1];
      auto const entry = [&] { return "vertex_weights[" + std::to_string(v) + ", " + std::to_string(i) + "]"; };
      if (weight < 0) throw GraphError(entry() + " = " + std::to_string(weight) + " is negative");
      sum += static_cast<std::uint64_t>(weight);
      if (sum >= static_cast<WideSum>(several_weights_limit))
        throw LocatedGraphError(LocatedGraphError::Kind::vertex_weight_total, static_cast<Vertex>(v),
                                "vertex_weights[:, " + std::to_string(i) + "] add up to 2^58 or more at " + entry());
      totals[i].max = std::max(totals[i].max, weight);
    }
    totals[i].total = static_cast<Weight>(sum);
  }
  return totals;
}

}  // namespace procmap
