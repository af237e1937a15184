// SPDX-License-Identifier: MIT
#include "graph/check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/arc_hash.hpp"
#include "graph/chunks.hpp"

namespace procmap {

namespace {

struct ChunkTotals {
  RowTotals rows;
  WideSum weight = 0;
};

[[noreturn]] void throw_bad_arc(CsrView csr, Vertex v) {
  for (Edge e = csr.begin(v); e < csr.end(v); ++e) {
    auto const head = csr.heads[e];
    if (head < 0 || head >= csr.num_vertices)
      throw GraphError("arc " + std::to_string(v) + "->" + std::to_string(head) + ": " + array_entry("heads", e) +
                       " = " + std::to_string(head) + " is not in [0, " + std::to_string(csr.num_vertices) + ")");
    if (csr.arc_weight(e) < 0)
      throw GraphError("arc " + std::to_string(v) + "->" + std::to_string(head) + ": " + array_entry("arc_weights", e) +
                       " = " + std::to_string(csr.arc_weight(e)) + " is negative");
  }
  throw_changed();
}

template <bool Weighted>
ChunkTotals scan_rows(CsrView csr, Vertex first, Vertex last) {
  ChunkTotals totals;
  ArcHash hash;
  auto const n = static_cast<std::uint32_t>(csr.num_vertices);
  for (Vertex v = first; v < last; ++v) {
    Vertex previous = -1;
    Edge loops = 0;
    bool bad = false, unsorted = false;
    for (Edge e = csr.begin(v); e < csr.end(v); ++e) {
      Vertex const head = csr.heads[e];
      Weight const weight = Weighted ? csr.arc_weights[e] : 1;
      bad |= static_cast<std::uint32_t>(head) >= n || weight < 0;
      unsorted |= head <= previous;
      previous = head;
      bool const loop = head == v;
      loops += loop;
      if constexpr (Weighted) totals.weight += loop ? 0 : static_cast<std::uint64_t>(weight);
      hash.add(v, head, weight);
    }
    if (bad) throw_bad_arc(csr, v);
    totals.rows.sorted &= !unsorted;
    totals.rows.loops += loops;
    totals.rows.max_degree = std::max(totals.rows.max_degree, csr.degree(v));
  }
  if constexpr (!Weighted)
    totals.weight = static_cast<std::uint64_t>(csr.begin(last) - csr.begin(first) - totals.rows.loops);
  std::ranges::copy(hash.sum, totals.rows.imbalance);
  return totals;
}

[[noreturn]] void throw_arc_total(CsrView csr) {
  WideSum sum = 0;
  for (Vertex v = 0; v < csr.num_vertices; ++v)
    for (Edge e = csr.begin(v); e < csr.end(v); ++e) {
      if (csr.heads[e] != v) sum += static_cast<std::uint64_t>(csr.arc_weight(e));
      if (sum >= static_cast<WideSum>(weight_limit)) throw_total(LocatedGraphError::Kind::arc_weight_total, e, v);
    }
  throw_changed();
}

}  // namespace

RowTotals check_rows(CsrView csr, int threads) {
  RowChunks const chunks({csr.offsets, static_cast<std::size_t>(csr.num_vertices) + 1});
  std::vector<ChunkTotals> parts(static_cast<std::size_t>(chunks.size()));
  for_each_chunk(chunks.size(), threads, [&](int chunk) {
    auto const [first, last] = chunks.rows(chunk);
    parts[static_cast<std::size_t>(chunk)] =
        csr.arc_weights ? scan_rows<true>(csr, first, last) : scan_rows<false>(csr, first, last);
  });

  RowTotals totals;
  WideSum weight = 0;
  for (auto const& part : parts) {
    weight += part.weight;
    totals.loops += part.rows.loops;
    totals.sorted &= part.rows.sorted;
    totals.max_degree = std::max(totals.max_degree, part.rows.max_degree);
    for (int i = 0; i < 2; ++i) totals.imbalance[i] += part.rows.imbalance[i];
  }
  if (weight >= static_cast<WideSum>(weight_limit)) throw_arc_total(csr);
  totals.weight = static_cast<Weight>(weight);
  return totals;
}

}  // namespace procmap
