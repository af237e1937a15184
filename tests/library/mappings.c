/* SPDX-License-Identifier: MIT */
/*
 * Maps graphs that it makes itself onto machines of all kinds, with every preset, and prints a line per mapping: what was
 * mapped onto what, J, and a hash of the PEs. The same lines come out wherever it runs (packaging/try_aarch64.sh).
 */
#include <procmap/procmap.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 40, vertices = side * side, most_arcs = 8 * vertices };

static int64_t offsets[vertices + 1], heads[most_arcs], edge_weights[most_arcs], loads[2 * vertices];
static int32_t pes[vertices];

static uint64_t state;
static uint64_t next(void) { /* splitmix64 */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void check(procmap_status status) {
  if (status == PROCMAP_OK) return;
  fprintf(stderr, "%s: %s\n", procmap_status_name(status), procmap_last_message());
  exit(1);
}

/* Weights are the same in both directions: a function of the ends. */
static int64_t weight_of(int64_t u, int64_t v) { return 1 + (u + v + u * v) % 7; }

static void add_arc(int64_t v, int64_t head, int64_t* arcs) {
  edge_weights[*arcs] = weight_of(v, head);
  heads[(*arcs)++] = head;
}

/* A grid with diagonals in half of it: vertices of degree 3 to 8. */
static procmap_graph* grid(int64_t n_side) {
  int64_t const n = n_side * n_side;
  int64_t arcs = 0;
  for (int64_t v = 0; v < n; ++v) {
    offsets[v] = arcs;
    for (int64_t dx = -1; dx <= 1; ++dx)
      for (int64_t dy = -1; dy <= 1; ++dy) {
        int64_t const x = v % n_side + dx, y = v / n_side + dy, u = y * n_side + x;
        int const diagonal = dx != 0 && dy != 0;
        if ((dx == 0 && dy == 0) || x < 0 || y < 0 || x >= n_side || y >= n_side) continue;
        if (diagonal && (v > n / 2 || u > n / 2)) continue;
        add_arc(v, u, &arcs);
      }
  }
  offsets[n] = arcs;
  for (int64_t i = 0; i < 2 * n; ++i) loads[i] = 1 + (int64_t)(next() % 5);
  procmap_graph* graph = NULL;
  check(procmap_graph_create_i64(n, offsets, heads, edge_weights, loads, &graph));
  return graph;
}

/* Vertex v meets v xor i for some i: symmetric, without any geometry. */
static procmap_graph* cube(int64_t n, int64_t degree) {
  int64_t arcs = 0;
  for (int64_t v = 0; v < n; ++v) {
    offsets[v] = arcs;
    for (int64_t i = 0; i < degree; ++i) add_arc(v, v ^ ((37 * i + 1) % n), &arcs);
  }
  offsets[n] = arcs;
  procmap_graph* graph = NULL;
  check(procmap_graph_create_i64(n, offsets, heads, edge_weights, NULL, &graph));
  return graph;
}

static void print_mapping(char const* name, procmap_graph const* graph, char const* machine, char const* preset) {
  procmap_topology* topology = NULL;
  procmap_options* options = NULL;
  procmap_report* report = NULL;
  check(procmap_topology_parse(machine, &topology));
  check(procmap_options_create(&options));
  check(procmap_options_set(options, "preset", preset));
  check(procmap_options_set(options, "device", "cpu"));
  check(procmap_map(graph, topology, options, pes, &report));
  uint64_t hash = 14695981039346656037u;
  for (int64_t v = 0; v < procmap_graph_num_vertices(graph); ++v) hash = (hash ^ (uint64_t)pes[v]) * 1099511628211u;
  printf("%s %s %s: J = %lld, %lld, %.17g, %016llx\n", name, machine, preset, (long long)procmap_report_cost(report),
         (long long)procmap_report_max_block_weight(report), procmap_report_imbalance(report),
         (unsigned long long)hash);
  procmap_report_free(report);
  procmap_options_free(options);
  procmap_topology_free(topology);
}

int main(void) {
  static char const* const presets[] = {"fast", "default", "strong", "im", "hm", "hm-ultra"};
  static char const* const machines[] = {"4:4:2/1:10:100", "torus:4:4", "fat-tree:4", "flat:12"};
  state = 1;
  procmap_graph* const mesh = grid(side);
  procmap_graph* const web = cube(512, 9);
  procmap_graph* const ranks = grid(4); /* one for every PE */
  procmap_graph* both = NULL;
  check(procmap_graph_with_weights(mesh, 2, loads, &both));
  for (int p = 0; p < 6; ++p) {
    for (int m = 0; m < 4; ++m) {
      print_mapping("mesh", mesh, machines[m], presets[p]);
      print_mapping("web", web, machines[m], presets[p]);
    }
    print_mapping("ranks", ranks, "4:4/1:10", presets[p]);
    print_mapping("ranks", ranks, "torus:4:4", presets[p]);
    print_mapping("two weights", both, "4:4/1:10", presets[p]);
  }
  procmap_graph_free(both);
  procmap_graph_free(ranks);
  procmap_graph_free(web);
  procmap_graph_free(mesh);
  return 0;
}
