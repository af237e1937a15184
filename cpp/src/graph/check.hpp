// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/csr_view.hpp"
#include "procmap/error.hpp"
#include "procmap/graph.hpp"

namespace procmap {

/// Totals of vertex and arc weights stay below this, so that sums of two of them fit in a Weight.
inline constexpr Weight weight_limit = Weight{1} << 62;

/// ... and those of each of several weights below this, so that sums of all of them do.
inline constexpr Weight several_weights_limit = Weight{1} << 58;

/// A GraphError that a reader of files can put into the words of the file.
class LocatedGraphError : public GraphError {
 public:
  enum class Kind { missing_reverse, unequal_weights, vertex_weight_total, arc_weight_total };

  LocatedGraphError(Kind defect, Vertex tail, std::string const& message)
      : GraphError(message), kind(defect), vertex(tail) {}

  Kind kind;
  Vertex vertex;             ///< the vertex, or the tail of the arc, at fault
  Vertex head = no_vertex;   ///< head of the arc
  Weight weight = 0;         ///< of the arc and everything parallel to it ...
  Weight reverse_weight = 0;  ///< ... and of its reverse
};

/// Sums that cannot overflow.
__extension__ using WideSum = unsigned __int128;

/// "heads[52]"
std::string array_entry(char const* array, std::int64_t i);
/// Entry i of the weights in question lifts their sum to `weight_limit`.
[[noreturn]] void throw_total(LocatedGraphError::Kind kind, std::int64_t i, Vertex v);
/// The answer to what cannot be: another thread writes to arrays that are borrowed.
[[noreturn]] void throw_changed();

/// A graph without reference to who owns it. `arrays` must have passed check_shape.
CsrView view_of(CsrArrays const& arrays);

/// Sizes of the arrays and monotone offsets from 0 to the number of arcs: from here on rows may be followed.
void check_shape(CsrArrays const& arrays, int threads);

/// Does the number of further weights of n vertices match? `first` and `further` are sizes of arrays.
void check_further_shape(Edge n, std::size_t first, std::size_t further, int num_further);

struct VertexTotals {
  Weight total = 0;
  Weight max = 0;
};

/// Throws if a vertex weight is negative or they add up to `weight_limit`.
VertexTotals check_vertex_weights(CsrView csr, int threads);

/// The same of each of several weights: the first of every vertex, and `num_further` more, vertex by vertex. Each adds
/// up to less than `several_weights_limit`. Empty if there are no more.
std::vector<VertexTotals> check_several_weights(std::span<Weight const> first, std::span<Weight const> further,
                                                int num_further);

/// What one pass over all arcs finds out.
struct RowTotals {
  Weight weight = 0;  ///< of all arcs but self-loops
  Edge max_degree = 0;
  Edge loops = 0;
  bool sorted = true;  ///< every row strictly ascending, hence free of parallel arcs
  /// Zero if every arc has a reverse arc of the same weight, and (but for a chance of 2^-128) only then.
  std::uint64_t imbalance[2] = {0, 0};

  bool symmetric() const { return imbalance[0] == 0 && imbalance[1] == 0; }
};

/// Throws if a head is out of range, a weight is negative or the weights add up to `weight_limit`.
RowTotals check_rows(CsrView csr, int threads);

/// Names the first arc, in array order, whose reverse arcs are missing or weigh something else; self-loops do not
/// count and parallel arcs count together. Only called when there is one.
[[noreturn]] void throw_asymmetry(CsrView csr);

/// Fills `kept[v]` with the number of different neighbours of v other than itself; returns their sum. Writes
/// nothing and returns the number of arcs if `totals` already rules out self-loops and parallel arcs.
Edge count_neighbours(CsrView csr, RowTotals const& totals, int threads, std::vector<Edge>& kept);

/// Copies the graph without self-loops and with parallel arcs added up. Rows that lose arcs come out sorted.
/// `kept` is from count_neighbours. Weights cannot overflow, because check_rows bounded their sum.
CsrArrays merge_arcs(CsrArrays const& arrays, RowTotals const& totals, std::vector<Edge> kept, int threads);

}  // namespace procmap
