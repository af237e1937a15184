/* SPDX-License-Identifier: MIT */
/* A ring of eight tasks onto two nodes of four PEs. */
#include <procmap/procmap.h>
#include <stdio.h>

int main(void) {
  int32_t offsets[9], heads[16], pes[8];
  for (int32_t i = 0; i < 8; ++i) offsets[i] = 2 * i, heads[2 * i] = (i + 7) % 8, heads[2 * i + 1] = (i + 1) % 8;
  offsets[8] = 16;
  procmap_graph* graph = NULL;
  procmap_topology* machine = NULL;
  procmap_report* report = NULL;
  if (procmap_graph_create_i32(8, offsets, heads, NULL, NULL, &graph) != PROCMAP_OK ||
      procmap_topology_parse("4:2/1:10", &machine) != PROCMAP_OK ||
      procmap_map(graph, machine, NULL, pes, &report) != PROCMAP_OK)
    return fprintf(stderr, "%s\n", procmap_last_message()), 1;
  printf("J = %lld, edge cut %lld\n", (long long)procmap_report_cost(report), (long long)procmap_report_edge_cut(report));
  procmap_report_free(report), procmap_topology_free(machine), procmap_graph_free(graph);
  return 0;
}
