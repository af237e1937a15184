/* SPDX-License-Identifier: MIT */
/*
 * The C interface of procmap (C99; C++ programs have procmap.hpp).
 *
 *   procmap_graph* graph;
 *   procmap_topology* machine;
 *   procmap_graph_create_i32(n, offsets, heads, NULL, NULL, &graph);
 *   procmap_topology_parse("4:8:6/1:10:100", &machine);
 *   if (procmap_map(graph, machine, NULL, pe_of_task, NULL) != PROCMAP_OK) puts(procmap_last_message());
 *
 * Functions that can fail return a procmap_status and give their result through the last pointer, which is left as it
 * is if they fail. Nothing is printed, nothing ends the process, and no C++ exception gets out. After running out of
 * memory the library can be used as before.
 *
 * Handles are opaque and never change after they are made, but for procmap_options. Any number of threads may use the
 * same graph, topology or report at once. A handle is freed once, by its own function; freeing NULL does nothing.
 * Indices count from 0. What is given as an array is read before the function returns, and never later
 * (procmap_graph_wrap excepted).
 */
#ifndef PROCMAP_PROCMAP_H
#define PROCMAP_PROCMAP_H

#include <stdint.h>

#include "procmap/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes if and only if a program compiled with an older header would no longer work. */
#define PROCMAP_ABI_VERSION 1

/* The ABI version that the library was built with; compare it with PROCMAP_ABI_VERSION before the first call. */
PROCMAP_API int procmap_abi_version(void);
/* "0.1.0" */
PROCMAP_API char const* procmap_version(void);

/* ---- errors ---- */

typedef int procmap_status;
enum {
  PROCMAP_OK = 0,
  PROCMAP_ERROR_ARGUMENT = 1,    /* a pointer is NULL, a size negative, an array out of range */
  PROCMAP_ERROR_GRAPH = 2,       /* the graph is malformed */
  PROCMAP_ERROR_TOPOLOGY = 3,    /* the machine is malformed */
  PROCMAP_ERROR_OPTION = 4,      /* an option is unknown or out of range */
  PROCMAP_ERROR_DEVICE = 5,      /* a GPU was asked for that cannot be used */
  PROCMAP_ERROR_MEMORY = 6,      /* no memory, of the host or of a GPU */
  PROCMAP_ERROR_FILE = 7,        /* a file cannot be read; the message says "PATH:LINE: why" */
  PROCMAP_ERROR_OVERFLOW = 8,    /* a sum could exceed 2^62 */
  PROCMAP_ERROR_INTERRUPTED = 9, /* the monitor asked to stop */
  PROCMAP_ERROR_INTERNAL = 10    /* a bug in procmap */
};

/* What the last call of this thread complained of, naming the culprit; "" if it succeeded. Valid until the next call of
 * this thread. At most 1023 characters. */
PROCMAP_API char const* procmap_last_message(void);
/* "PROCMAP_ERROR_GRAPH"; "unknown" for other numbers. */
PROCMAP_API char const* procmap_status_name(procmap_status status);

/* ---- devices ---- */

/* The names that the option "device" takes here: "cpu", "cuda:0", ... NULL if there are fewer. Valid until the next
 * call of this thread. */
PROCMAP_API char const* procmap_device_name(int index);

/* ---- graphs ---- */

/* An undirected graph, checked completely. Self-loops are dropped, parallel arcs added up. */
typedef struct procmap_graph procmap_graph;

/* A graph in compressed rows (CSR): the neighbours of vertex v are heads[offsets[v]] to heads[offsets[v + 1] - 1]; both
 * directions of every edge are stored, with equal weights.
 *   num_vertices    in [0, 2^31)
 *   offsets         num_vertices + 1 entries, from 0 to the number of arcs
 *   heads           the head of every arc, in [0, num_vertices)
 *   edge_weights    the traffic of every arc, >= 0; NULL: all 1
 *   vertex_weights  the load of every vertex, >= 0; NULL: all 1
 * The arrays are copied. */
PROCMAP_API procmap_status procmap_graph_create_i32(int64_t num_vertices, int32_t const* offsets, int32_t const* heads,
                                                    int32_t const* edge_weights, int32_t const* vertex_weights,
                                                    procmap_graph** graph);
PROCMAP_API procmap_status procmap_graph_create_i64(int64_t num_vertices, int64_t const* offsets, int64_t const* heads,
                                                    int64_t const* edge_weights, int64_t const* vertex_weights,
                                                    procmap_graph** graph);
/* The same without a copy: the arrays must neither change nor go away before the graph is freed. (Self-loops and
 * parallel arcs make copies necessary.) */
PROCMAP_API procmap_status procmap_graph_wrap(int64_t num_vertices, int64_t const* offsets, int32_t const* heads,
                                              int64_t const* edge_weights, int64_t const* vertex_weights,
                                              procmap_graph** graph);
/* A METIS graph file; its vertices may have several weights. */
PROCMAP_API procmap_status procmap_graph_read_metis(char const* path, procmap_graph** graph);
/* The edges of a graph, which is left as it is, with other weights of its vertices: several of each, such as time and
 * memory. No PE exceeds its capacity in any of them. On the CPU only.
 *   num_weights     1 to 8
 *   vertex_weights  vertex_weights[v * num_weights + i] is weight i of vertex v, >= 0, and those of every i add up to
 *                   less than 2^58
 * The weights are copied; arrays that `graph` was wrapped around must outlive both. */
PROCMAP_API procmap_status procmap_graph_with_weights(procmap_graph const* graph, int num_weights,
                                                      int64_t const* vertex_weights, procmap_graph** result);
PROCMAP_API void procmap_graph_free(procmap_graph* graph);

/* 0 for NULL. */
PROCMAP_API int64_t procmap_graph_num_vertices(procmap_graph const* graph);
PROCMAP_API int64_t procmap_graph_num_edges(procmap_graph const* graph); /* every edge once */
PROCMAP_API int64_t procmap_graph_total_vertex_weight(procmap_graph const* graph); /* of the first weight */
PROCMAP_API int procmap_graph_num_weights(procmap_graph const* graph);
PROCMAP_API int64_t procmap_graph_total_weight(procmap_graph const* graph, int weight); /* 0: no such weight */

/* ---- machines ---- */

/* PEs and the distance between any two of them. */
typedef struct procmap_topology procmap_topology;

/* A hierarchy, innermost level first: sizes 4, 8, 6 are 4 PEs per processor, 8 processors per node, 6 nodes; two PEs
 * that first meet at level i are at distances[i]. 1 to 8 levels, sizes >= 1, distances >= 0 and not decreasing, at most
 * 2^22 PEs. */
PROCMAP_API procmap_status procmap_topology_hierarchy(int num_levels, int32_t const* sizes, int64_t const* distances,
                                                      procmap_topology** topology);
/* num_pes PEs at distance 1 of each other: mapping onto it is partitioning. */
PROCMAP_API procmap_status procmap_topology_flat(int32_t num_pes, procmap_topology** topology);
/* A grid whose dimensions all wrap, or none does; the last one runs fastest. `costs` of a step in each; NULL: all 1. */
PROCMAP_API procmap_status procmap_topology_torus(int num_dimensions, int32_t const* sizes, int64_t const* costs,
                                                  procmap_topology** topology);
PROCMAP_API procmap_status procmap_topology_mesh(int num_dimensions, int32_t const* sizes, int64_t const* costs,
                                                 procmap_topology** topology);
/* Any machine of at most 10,000 PEs: distances[a * num_pes + b], symmetric, 0 on the diagonal, below 2^31. */
PROCMAP_API procmap_status procmap_topology_matrix(int32_t num_pes, int64_t const* distances,
                                                   procmap_topology** topology);
/* "4:8:6/1:10:100" (a hierarchy and its distances), "torus:8:8:8", "mesh:16:4", "hypercube:6", "fat-tree:8" or
 * "fat-tree:8:2" (ports, PEs per host), "dragonfly:9:4:2" (groups, routers, PEs), "flat:192". */
PROCMAP_API procmap_status procmap_topology_parse(char const* text, procmap_topology** topology);
PROCMAP_API void procmap_topology_free(procmap_topology* topology);

PROCMAP_API int32_t procmap_topology_num_pes(procmap_topology const* topology); /* 0 for NULL */
PROCMAP_API procmap_status procmap_topology_distance(procmap_topology const* topology, int32_t a, int32_t b,
                                                     int64_t* distance);

/* ---- options ---- */

/* Options of a call. One handle must not be changed while another thread uses it. */
typedef struct procmap_options procmap_options;

PROCMAP_API procmap_status procmap_options_create(procmap_options** options);
PROCMAP_API void procmap_options_free(procmap_options* options);

/* Sets an option from text, whatever its type:
 *   "preset"          fast, default, strong, im, hm, hm-ultra; replaces all parameters below
 *   "imbalance"       a PE may get ceil((1 + imbalance) total / PEs). If it is never set: 0 where all vertices weigh 1
 *                     and can have a PE each, else 0.03
 *   "seed"            "0"; same input, options and seed: same mapping, on any number of threads and any device
 *   "threads"         "0": as many as useful
 *   "device"          "auto", "cpu", "cuda", "cuda:0", ...
 *   "repeats"         "0"; with the seeds seed, seed + 1, ...: the best is kept
 *   "time_limit"      seconds, "0": none
 *   "allow_empty"     "false": no PE without a vertex, if there are enough; "true"
 *   "migration_cost"  with an initial mapping: what moving costs per unit of size
 *   others            parameters of the algorithms, such as "refinement.rounds" */
PROCMAP_API procmap_status procmap_options_set(procmap_options* options, char const* name, char const* value);
PROCMAP_API procmap_status procmap_options_set_int(procmap_options* options, char const* name, int64_t value);
PROCMAP_API procmap_status procmap_options_set_real(procmap_options* options, char const* name, double value);
/* What every PE may hold, instead of the imbalance; NULL and 0: none. Of several weights capacities[pe * num_weights +
 * i], and `size` is the number of all entries. */
PROCMAP_API procmap_status procmap_options_set_capacities(procmap_options* options, int64_t const* capacities,
                                                          int64_t size);
/* The imbalance of every weight of a vertex, instead of the same for all; NULL and 0: none. */
PROCMAP_API procmap_status procmap_options_set_imbalances(procmap_options* options, double const* imbalances,
                                                          int num_weights);
/* The PE of every fixed vertex, -1 for those that are free; NULL and 0: none. */
PROCMAP_API procmap_status procmap_options_set_fixed(procmap_options* options, int32_t const* pes,
                                                     int64_t num_vertices);
/* A mapping to improve; NULL and 0: none. */
PROCMAP_API procmap_status procmap_options_set_initial(procmap_options* options, int32_t const* pes,
                                                       int64_t num_vertices);
/* What moving each vertex costs; NULL and 0: all 1. */
PROCMAP_API procmap_status procmap_options_set_vertex_sizes(procmap_options* options, int64_t const* sizes,
                                                            int64_t num_vertices);
/* Called from the calling thread, many times a second: `interrupted` returns nonzero to stop the call, which then
 * returns PROCMAP_ERROR_INTERRUPTED. Either may be NULL. They must return: no longjmp, no C++ exception. */
PROCMAP_API procmap_status procmap_options_set_monitor(procmap_options* options, int (*interrupted)(void* data),
                                                       void (*progress)(char const* line, void* data), void* data);

/* ---- mapping ---- */

/* What a mapping costs. */
typedef struct procmap_report procmap_report;

/* Maps the tasks of a graph onto the PEs of a machine, so that J, the sum of traffic times distance, is small and no PE
 * is too heavy.
 *   options  NULL: defaults
 *   pes      out: the PE of every vertex; room for all vertices
 *   report   out: what it costs; NULL: not wanted
 * A result that is too heavy somewhere is returned too: procmap_report_feasible tells. */
PROCMAP_API procmap_status procmap_map(procmap_graph const* graph, procmap_topology const* topology,
                                       procmap_options const* options, int32_t* pes, procmap_report** report);
/* Splits a graph into blocks of equal weight with a small edge cut. */
PROCMAP_API procmap_status procmap_partition(procmap_graph const* graph, int32_t num_blocks,
                                             procmap_options const* options, int32_t* blocks, procmap_report** report);
/* What a given mapping costs: of the options, imbalance, capacities, threads and device count. */
PROCMAP_API procmap_status procmap_evaluate(procmap_graph const* graph, procmap_topology const* topology,
                                            procmap_options const* options, int32_t const* pes,
                                            procmap_report** report);

PROCMAP_API void procmap_report_free(procmap_report* report);
/* All of these are 0 for NULL. Figures of weights are those of the first one. */
PROCMAP_API int64_t procmap_report_cost(procmap_report const* report);     /* J: every edge twice */
PROCMAP_API int64_t procmap_report_edge_cut(procmap_report const* report); /* every edge once */
PROCMAP_API int64_t procmap_report_max_block_weight(procmap_report const* report);
PROCMAP_API int64_t procmap_report_capacity(procmap_report const* report); /* Lmax, or the largest capacity */
PROCMAP_API double procmap_report_imbalance(procmap_report const* report); /* heaviest over average, minus 1 */
PROCMAP_API int procmap_report_feasible(procmap_report const* report);
PROCMAP_API int32_t procmap_report_num_blocks(procmap_report const* report);
/* The weight of every block; valid as long as the report. NULL for NULL. */
PROCMAP_API int64_t const* procmap_report_block_weights(procmap_report const* report);
/* The same figures of any weight; 0 or NULL if there is no such weight. */
PROCMAP_API int procmap_report_num_weights(procmap_report const* report);
PROCMAP_API int64_t procmap_report_max_block_weight_of(procmap_report const* report, int weight);
PROCMAP_API int64_t procmap_report_capacity_of(procmap_report const* report, int weight);
PROCMAP_API double procmap_report_imbalance_of(procmap_report const* report, int weight);
PROCMAP_API int64_t const* procmap_report_block_weights_of(procmap_report const* report, int weight);
PROCMAP_API double procmap_report_seconds(procmap_report const* report);     /* of the call; 0 of an evaluation */
PROCMAP_API char const* procmap_report_device(procmap_report const* report); /* "cpu", "cuda:0"; "" of an evaluation */

#ifdef __cplusplus
}
#endif

#endif
