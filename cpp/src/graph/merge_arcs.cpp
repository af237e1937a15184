// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "graph/check.hpp"
#include "graph/chunks.hpp"

namespace procmap {

namespace {

// A set of vertices, one bit each, that is cheap to empty again.
class VertexSet {
 public:
  explicit VertexSet(Vertex n) : words_(index(n) / 64 + 1) {}

  bool insert(Vertex v) {
    auto& word = words_[index(v) / 64];
    auto const bit = std::uint64_t{1} << (v % 64);
    bool const fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }
  // Forgets v and, as the whole set goes, perhaps others.
  void erase(Vertex v) { words_[index(v) / 64] = 0; }

 private:
  std::vector<std::uint64_t> words_;
};

bool is_ascending(CsrView csr, Vertex v) {
  for (Edge e = csr.begin(v) + 1; e < csr.end(v); ++e)
    if (csr.heads[e] <= csr.heads[e - 1]) return false;
  return true;
}

Edge count_row(CsrView csr, Vertex v, VertexSet& seen) {
  bool const ascending = is_ascending(csr, v);
  Edge count = 0;
  for (Edge e = csr.begin(v); e < csr.end(v); ++e)
    if (csr.heads[e] != v && (ascending || seen.insert(csr.heads[e]))) ++count;
  if (!ascending)
    for (Edge e = csr.begin(v); e < csr.end(v); ++e) seen.erase(csr.heads[e]);
  return count;
}

struct Arc {
  Vertex head;
  Weight weight;
};

// Sorts the arcs of v, adds up parallel ones and drops self-loops; `arcs` is scratch.
void merge_row(CsrView csr, Vertex v, std::vector<Arc>& arcs, Vertex* heads, Weight* weights) {
  arcs.clear();
  for (Edge e = csr.begin(v); e < csr.end(v); ++e)
    if (csr.heads[e] != v) arcs.push_back({csr.heads[e], csr.arc_weight(e)});
  std::ranges::sort(arcs, {}, &Arc::head);
  for (std::size_t i = 0, out = 0; i < arcs.size(); ++out) {
    Weight sum = 0;
    auto const head = arcs[i].head;
    for (; i < arcs.size() && arcs[i].head == head; ++i) sum += arcs[i].weight;
    heads[out] = head;
    if (weights) weights[out] = sum;
  }
}

void copy_row(CsrView csr, Vertex v, Vertex* heads, Weight* weights) {
  std::copy(csr.heads + csr.begin(v), csr.heads + csr.end(v), heads);
  if (!weights) return;
  for (Edge e = csr.begin(v); e < csr.end(v); ++e) *weights++ = csr.arc_weight(e);
}

}  // namespace

Edge count_neighbours(CsrView csr, RowTotals const& totals, int threads, std::vector<Edge>& kept) {
  if (totals.sorted && totals.loops == 0) return csr.num_arcs;
  kept.resize(index(csr.num_vertices));
  RowChunks const chunks({csr.offsets, index(csr.num_vertices) + 1});
  threads = std::min(threads, chunks.size());
  std::vector<Edge> sums(index(chunks.size()));
  // One set per thread, kept from chunk to chunk: thread t works on the chunks t, t + threads, ...
  for_each_chunk(threads, threads, [&](int thread) {
    VertexSet seen(csr.num_vertices);
    for (int chunk = thread; chunk < chunks.size(); chunk += threads) {
      auto const [first, last] = chunks.rows(chunk);
      for (Vertex v = first; v < last; ++v) sums[index(chunk)] += kept[index(v)] = count_row(csr, v, seen);
    }
  });
  Edge sum = 0;
  for (auto const part : sums) sum += part;
  return sum;
}

CsrArrays merge_arcs(CsrArrays const& arrays, RowTotals const& totals, std::vector<Edge> kept, int threads) {
  auto const csr = view_of(arrays);
  std::vector<Edge> offsets(index(csr.num_vertices) + 1);
  for (Vertex v = 0; v < csr.num_vertices; ++v) offsets[index(v) + 1] = offsets[index(v)] + kept[index(v)];
  bool const weighted = csr.arc_weights || offsets.back() + totals.loops < csr.num_arcs;
  std::vector<Vertex> heads(index(offsets.back()));
  std::vector<Weight> weights(weighted ? heads.size() : 0);

  RowChunks const chunks({csr.offsets, index(csr.num_vertices) + 1});
  for_each_chunk(chunks.size(), threads, [&](int chunk) {
    std::vector<Arc> arcs;
    auto const [first, last] = chunks.rows(chunk);
    for (Vertex v = first; v < last; ++v) {
      auto const out = offsets[index(v)];
      auto* const row_weights = weighted ? weights.data() + out : nullptr;
      if (kept[index(v)] == csr.degree(v))
        copy_row(csr, v, heads.data() + out, row_weights);
      else
        merge_row(csr, v, arcs, heads.data() + out, row_weights);
    }
  });
  return {std::move(offsets), std::move(heads), std::move(weights), arrays.vertex_weights};
}

}  // namespace procmap
