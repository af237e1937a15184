// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "graph/check.hpp"
#include "io/metis_scan.hpp"
#include "procmap/graph.hpp"

namespace procmap {

/// Puts what is wrong with a METIS file into words, "PATH:LINE: ..." with vertices numbered from 1 as in the file.
/// Lines and vertices are counted only now, by reading the text again: scanning does not pay for messages.
class MetisErrors {
 public:
  MetisErrors(std::string_view text, std::string_view name, MetisHeader const& header)
      : text_(text), name_(name), header_(header) {}

  [[noreturn]] void throw_defect(MetisRows const& rows) const;
  [[noreturn]] void throw_vertex_count() const;
  [[noreturn]] void throw_graph_error(LocatedGraphError const& error) const;
  /// An isolated vertex may be a blank line only if no weight or size should stand there.
  void check_blank_row(Vertex v) const;
  /// Compares the m of the header with the edges of a graph that is otherwise right.
  void check_edge_count(CsrArrays const& arrays) const;

 private:
  [[noreturn]] void fail(char const* at, std::string const& message) const;
  char const* end() const { return text_.data() + text_.size(); }
  Edge count_lines() const;
  std::string describe(MetisRows const& rows, Edge vertex) const;

  std::string_view text_, name_;
  MetisHeader const& header_;
};

}  // namespace procmap
