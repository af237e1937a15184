// SPDX-License-Identifier: MIT
#include "io/metis_errors.hpp"

#include <charconv>
#include <limits>
#include <system_error>

#include "io/file_text.hpp"

namespace procmap {

namespace {

std::string to_words(MetisToken token) {
  switch (token) {
    case MetisToken::vertex_size:
      return "size";
    case MetisToken::vertex_weight:
      return "weight";
    case MetisToken::edge_weight:
      return "edge weight";
    case MetisToken::neighbour:
      break;
  }
  return "neighbour";
}

std::string number(Vertex v) { return std::to_string(Edge{v} + 1); }

}  // namespace

void MetisErrors::fail(char const* at, std::string const& message) const { throw_at(name_, text_, at, message); }

// Blank lines at the end do not count beyond the n of the header.
Edge MetisErrors::count_lines() const {
  Edge count = 0, last = 0;
  for (auto const* line = header_.body; line < end(); line = next_line(line, end())) {
    if (is_comment(line)) continue;
    ++count;
    if (!is_blank_line(line) || count <= header_.num_vertices) last = count;
  }
  return last;
}

std::string MetisErrors::describe(MetisRows const& rows, Edge vertex) const {
  auto const* const at = rows.defect;
  auto const what = to_words(rows.expected), owner = " of vertex " + std::to_string(vertex);
  if (*at == '\n') {
    return rows.expected == MetisToken::edge_weight ? "the last neighbour" + owner + " has no edge weight"
                                                    : "vertex " + std::to_string(vertex) + " has no " + what;
  }
  auto const* token_end = at;
  while (!is_blank(*token_end) && *token_end != '\n') ++token_end;
  Weight value = 0;
  auto const [number_end, error] = std::from_chars(at, token_end, value);
  auto const token = what + " " + quote_token(at) + owner;
  if (number_end != token_end || error == std::errc::invalid_argument) return token + " is not an integer";
  if (rows.expected == MetisToken::neighbour)
    return token + " is not in 1.." + std::to_string(header_.num_vertices) +
           (value == 0 && error == std::errc() ? " (METIS numbers vertices from 1)" : "");
  if (*at == '-') return token + " is negative";
  return token + " does not fit 64 bits";
}

void MetisErrors::throw_defect(MetisRows const& rows) const {
  auto const* const at = rows.defect;
  // A wrong n is better named than the first neighbour beyond it.
  if (rows.expected == MetisToken::neighbour) {
    Edge id = 0;
    std::from_chars(at, end(), id);
    if (id > header_.num_vertices && id <= count_lines()) throw_vertex_count();
  }
  auto const* line = at;
  while (line > header_.body && line[-1] != '\n') --line;
  auto const vertex = count_vertex_lines(header_.body, line) + 1;
  if (vertex > header_.num_vertices) throw_vertex_count();
  fail(at, describe(rows, vertex));
}

void MetisErrors::throw_vertex_count() const {
  auto const lines = count_lines();
  bool const few = lines < header_.num_vertices;
  fail(header_.line, "the header says n = " + std::to_string(header_.num_vertices) + ", but there are " +
                         (few ? "only " : "") + std::to_string(lines) + " vertex lines");
}

void MetisErrors::check_blank_row(Vertex v) const {
  if (!header_.vertex_sizes && !header_.vertex_weights) return;
  fail(find_vertex_line(header_.body, end(), v),
       "vertex " + number(v) + " has no " + (header_.vertex_sizes ? "size" : "weight"));
}

void MetisErrors::throw_graph_error(LocatedGraphError const& error) const {
  auto const* const line = find_vertex_line(header_.body, end(), error.vertex);
  auto const tail = "vertex " + number(error.vertex), head = "vertex " + number(error.head);
  switch (error.kind) {
    case LocatedGraphError::Kind::missing_reverse:
      fail(line, tail + " lists neighbour " + number(error.head) + ", but " + head + " does not list " +
                     number(error.vertex));
    case LocatedGraphError::Kind::unequal_weights:
      fail(line, "the edge from " + tail + " to " + head + " weighs " + std::to_string(error.weight) +
                     ", but on the line of " + head + " it weighs " + std::to_string(error.reverse_weight));
    case LocatedGraphError::Kind::vertex_weight_total:
      if (header_.num_weights > 1) fail(line, error.what());
      fail(line, "the vertex weights add up to 2^62 or more at " + tail);
    case LocatedGraphError::Kind::arc_weight_total:
      fail(line, "the edge weights add up to 2^62 or more at " + tail);
  }
  fail(line, error.what());
}

void MetisErrors::check_edge_count(CsrArrays const& arrays) const {
  auto const listed = static_cast<Edge>(arrays.heads.size()), m = header_.num_edges;
  if (listed % 2 == 0 && m == listed / 2) return;
  Edge loops = 0;
  for (std::size_t v = 0; v + 1 < arrays.offsets.size(); ++v)
    for (Edge e = arrays.offsets[v]; e < arrays.offsets[v + 1]; ++e)
      loops += arrays.heads.data()[e] == static_cast<Vertex>(v);
  // Writers count self-loops, which are dropped anyway, as none, once, or half for every time they are listed.
  auto const edges = (listed - loops) / 2;
  if (m == edges || m == edges + loops) return;
  fail(header_.line, "the header says m = " + std::to_string(m) + ", but the vertex lines list " +
                         std::to_string(listed) + " neighbours, so m should be " + std::to_string(edges) +
                         (m == listed ? " (m counts every edge once, not once for each end)" : ""));
}

}  // namespace procmap
