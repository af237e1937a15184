// SPDX-License-Identifier: MIT
#include <cstddef>

#include "io/text_writer.hpp"
#include "procmap/io.hpp"

namespace procmap {

void write_metis(Graph const& graph, std::filesystem::path const& path) {
  auto const offsets = graph.offsets();
  auto const heads = graph.heads();
  auto const arc_weights = graph.arc_weights(), vertex_weights = graph.vertex_weights();

  TextWriter out(path);
  out.put(Edge{graph.num_vertices()});
  out.put(' ');
  out.put(graph.num_edges());
  // Always three digits: several readers understand only those.
  bool const weighs_vertices = !vertex_weights.empty() || graph.num_weights() > 1;  // of no vertices, too
  if (!arc_weights.empty() || weighs_vertices) {
    out.put(weighs_vertices ? " 01" : " 00");
    out.put(arc_weights.empty() ? '0' : '1');
    if (graph.num_weights() > 1) {
      out.put(' ');
      out.put(Edge{graph.num_weights()});
    }
  }
  out.put('\n');
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    if (!vertex_weights.empty()) out.put(vertex_weights[v]);
    for (int i = 1; i < graph.num_weights(); ++i) {
      out.put(' ');
      out.put(graph.weight_of(static_cast<Vertex>(v), i));
    }
    for (auto e = static_cast<std::size_t>(offsets[v]); e < static_cast<std::size_t>(offsets[v + 1]); ++e) {
      if (!vertex_weights.empty() || e != static_cast<std::size_t>(offsets[v])) out.put(' ');
      out.put(Edge{heads[e]} + 1);
      if (arc_weights.empty()) continue;
      out.put(' ');
      out.put(arc_weights[e]);
    }
    out.put('\n');
  }
  out.close();
}

}  // namespace procmap
