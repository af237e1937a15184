// SPDX-License-Identifier: MIT
// A ring of eight tasks onto two nodes of four PEs.
#include <cstdio>
#include <procmap/procmap.hpp>

int main() try {
  std::vector<procmap::Edge> offsets{0};
  std::vector<procmap::Vertex> heads;
  for (procmap::Vertex i = 0; i < 8; ++i) {
    heads.insert(heads.end(), {(i + 7) % 8, (i + 1) % 8});
    offsets.push_back(static_cast<procmap::Edge>(heads.size()));
  }
  auto const graph = procmap::Graph::from_csr({offsets, heads, {}, {}});
  auto const mapping = procmap::map(graph, procmap::Topology::hierarchy("4:2", "1:10"));
  std::printf("J = %lld, edge cut %lld\n", static_cast<long long>(mapping.report.cost),
              static_cast<long long>(mapping.report.edge_cut));
} catch (procmap::GraphError const& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
