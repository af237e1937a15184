// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

// A METIS file: comment lines (%), one header line "n m [fmt [ncon]]", then one line per vertex:
// [size] [weights, ncon of them] then pairs of neighbour and [edge weight], numbered from 1. Vertex sizes (fmt 1xx) are
// the communication volume of METIS; procmap reads and forgets them.
struct MetisHeader {
  Vertex num_vertices = 0;
  Edge num_edges = 0;  ///< as promised; checked last, because nothing depends on it
  bool vertex_sizes = false;
  bool vertex_weights = false;
  int num_weights = 1;  ///< of a vertex, if there are any
  bool edge_weights = false;
  char const* line = nullptr;  ///< start of the header line
  char const* body = nullptr;  ///< start of the line after it, or the end of the text
};

/// Throws FileError. `text` must be followed by a newline, here and below.
MetisHeader scan_metis_header(std::string_view text, std::string_view name);

enum class MetisToken { vertex_size, vertex_weight, neighbour, edge_weight };

/// What some successive lines say.
struct MetisRows {
  std::vector<Edge> offsets{0};  ///< of the rows, from 0
  std::vector<Vertex> heads;
  std::vector<Weight> arc_weights;
  std::vector<Weight> vertex_weights;  ///< num_weights of every vertex
  char const* defect = nullptr;  ///< where scanning stopped at something that is not ...
  MetisToken expected{};         ///< ... what should stand there
};

/// Scans the lines in [begin, end); the last one ends at `end` or one before it.
MetisRows scan_metis_rows(char const* begin, char const* end, MetisHeader const& header);

/// The line after the one that holds `at`; at most `end`.
char const* next_line(char const* at, char const* end);
/// Whether the line that starts here is a comment.
bool is_comment(char const* line);
bool is_blank_line(char const* line);

/// Vertex lines (all but comments) that begin in [begin, end).
Edge count_vertex_lines(char const* begin, char const* end);
/// Start of the line of vertex v (numbered from 0), or `end`.
char const* find_vertex_line(char const* begin, char const* end, Vertex v);

}  // namespace procmap
