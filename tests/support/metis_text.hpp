// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "procmap/graph.hpp"

namespace procmap::test {

/// The lines of a METIS file: line 0 is the header, line v the vertex v (numbered from 1), so that tests can spoil
/// single lines.
using Lines = std::vector<std::string>;

inline std::string join(Lines const& lines, std::string const& newline = "\n") {
  std::string text;
  for (auto const& line : lines) text += line + newline;
  return text;
}

/// The file of a graph whose weights do not matter, made without write_metis. `vertex_part` stands in front of every
/// vertex line, `edge_part` behind every neighbour.
inline Lines metis_lines(Graph const& graph, std::string const& format = "", std::string const& vertex_part = "",
                         std::string const& edge_part = "") {
  Lines lines{std::to_string(graph.num_vertices()) + " " + std::to_string(graph.num_edges()) +
              (format.empty() ? "" : " " + format)};
  for (std::size_t v = 0; v < static_cast<std::size_t>(graph.num_vertices()); ++v) {
    auto line = vertex_part;
    for (auto e = graph.offsets()[v]; e < graph.offsets()[v + 1]; ++e)
      line += (line.empty() ? "" : " ") + std::to_string(graph.heads()[static_cast<std::size_t>(e)] + 1) + edge_part;
    lines.push_back(line);
  }
  return lines;
}

}  // namespace procmap::test
