/* SPDX-License-Identifier: MIT */
/*
 * Preloaded before a METIS library, it passes METIS's partitioning functions on and appends a line per call to the file
 * METIS_RECORD: what was asked for, what came out, how much CPU time it took. So programs are measured that print
 * nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <metis.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static _Thread_local int depth; /* METIS calls itself; only calls of the program count */

/* CPU time of all threads: other programs of a busy machine do not count. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The heaviest part over its share, in one constraint. */
static double balance_of(idx_t c, idx_t ncon, idx_t n, idx_t const* weights, idx_t const* part, idx_t parts,
                         real_t const* shares) {
  double* const load = calloc((size_t)parts + 1, sizeof *load);
  double total = 0, worst = 0;
  for (idx_t v = 0; v < n && load; ++v) {
    double const weight = weights ? (double)weights[v * ncon + c] : 1;
    if (part[v] >= 0 && part[v] <= parts) load[part[v]] += weight;
    total += weight;
  }
  int const from_one = load && load[parts] > 0;
  for (idx_t p = 0; p < parts && load; ++p) {
    double const share = shares ? (double)shares[p * ncon + c] : 1.0 / (double)parts;
    double const over = total > 0 ? load[p + from_one] / (share * total) : 1;
    if (over > worst) worst = over;
  }
  free(load);
  return worst;
}

static double balance(idx_t ncon, idx_t n, idx_t const* weights, idx_t const* part, idx_t parts,
                      real_t const* shares) {
  double worst = 0;
  for (idx_t c = 0; c < ncon; ++c) {
    double const heaviest = balance_of(c, ncon, n, weights, part, parts, shares);
    if (heaviest > worst) worst = heaviest;
  }
  return worst;
}

/* Recounted: the weight of the arcs between parts, halved. */
static idx_t cut_of(idx_t n, idx_t const* xadj, idx_t const* adjncy, idx_t const* adjwgt, idx_t const* part) {
  idx_t const first = xadj[0];
  int64_t twice = 0;
  for (idx_t v = 0; v < n; ++v)
    for (idx_t a = xadj[v] - first; a < xadj[v + 1] - first; ++a)
      if (part[v] != part[adjncy[a] - first]) twice += adjwgt ? adjwgt[a] : 1;
  return (idx_t)(twice / 2);
}

static void record(char const* name, int code, double seconds, idx_t n, idx_t ncon, idx_t parts, idx_t cut,
                   double heaviest) {
  char const* const path = getenv("METIS_RECORD");
  FILE* const file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s %d %.6f %lld %lld %lld %lld %.6f\n", name, code, seconds, (long long)n, (long long)ncon,
          (long long)parts, (long long)cut, heaviest);
  fclose(file);
}

typedef int (*part_graph)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, real_t*, real_t*, idx_t*,
                          idx_t*, idx_t*);
typedef int (*part_dual)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, real_t*, idx_t*, idx_t*,
                         idx_t*, idx_t*);
typedef int (*part_nodal)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, real_t*, idx_t*, idx_t*, idx_t*,
                          idx_t*);

static int pass_graph(char const* name, idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt,
                      idx_t* vsize, idx_t* adjwgt, idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options,
                      idx_t* edgecut, idx_t* part) {
  part_graph const next = (part_graph)dlsym(RTLD_NEXT, name);
  double const start = now();
  ++depth;
  int const code = next(nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec, options, edgecut, part);
  double const seconds = now() - start;
  if (--depth == 0)
    record(name, code, seconds, *nvtxs, *ncon, *nparts, code == METIS_OK ? cut_of(*nvtxs, xadj, adjncy, adjwgt, part) : 0,
           code == METIS_OK ? balance(*ncon, *nvtxs, vwgt, part, *nparts, tpwgts) : 0);
  return code;
}

int METIS_PartGraphKway(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* vsize, idx_t* adjwgt,
                        idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options, idx_t* edgecut, idx_t* part) {
  return pass_graph("METIS_PartGraphKway", nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec,
                    options, edgecut, part);
}

int METIS_PartGraphRecursive(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* vsize,
                             idx_t* adjwgt, idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options,
                             idx_t* edgecut, idx_t* part) {
  return pass_graph("METIS_PartGraphRecursive", nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec,
                    options, edgecut, part);
}

typedef int (*to_dual)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t**, idx_t**);
typedef int (*to_nodal)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t**, idx_t**);

/* The cut of the graph that the library makes of a mesh: without ncommon, of its nodes. */
static idx_t cut_of_mesh(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* ncommon, idx_t const* part) {
  idx_t first = eptr[0], *xadj = NULL, *adjncy = NULL;
  int const code = ncommon ? ((to_dual)dlsym(RTLD_NEXT, "METIS_MeshToDual"))(ne, nn, eptr, eind, ncommon, &first, &xadj, &adjncy)
                           : ((to_nodal)dlsym(RTLD_NEXT, "METIS_MeshToNodal"))(ne, nn, eptr, eind, &first, &xadj, &adjncy);
  if (code != METIS_OK) return -1;
  idx_t const cut = cut_of(ncommon ? *ne : *nn, xadj, adjncy, NULL, part);
  int (*const release)(void*) = (int (*)(void*))dlsym(RTLD_NEXT, "METIS_Free");
  release(xadj), release(adjncy);
  return cut;
}

int METIS_PartMeshDual(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* vsize, idx_t* ncommon,
                       idx_t* nparts, real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart) {
  double const start = now();
  ++depth;
  int const code = ((part_dual)dlsym(RTLD_NEXT, "METIS_PartMeshDual"))(ne, nn, eptr, eind, vwgt, vsize, ncommon, nparts,
                                                                       tpwgts, options, objval, epart, npart);
  double const seconds = now() - start;
  if (--depth == 0)
    record("METIS_PartMeshDual", code, seconds, *ne, 1, *nparts,
           code == METIS_OK ? cut_of_mesh(ne, nn, eptr, eind, ncommon, epart) : 0,
           code == METIS_OK ? balance(1, *ne, vwgt, epart, *nparts, tpwgts) : 0);
  return code;
}

int METIS_PartMeshNodal(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* vsize, idx_t* nparts,
                        real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart) {
  double const start = now();
  ++depth;
  int const code = ((part_nodal)dlsym(RTLD_NEXT, "METIS_PartMeshNodal"))(ne, nn, eptr, eind, vwgt, vsize, nparts,
                                                                         tpwgts, options, objval, epart, npart);
  double const seconds = now() - start;
  if (--depth == 0)
    record("METIS_PartMeshNodal", code, seconds, *nn, 1, *nparts,
           code == METIS_OK ? cut_of_mesh(ne, nn, eptr, eind, NULL, npart) : 0,
           code == METIS_OK ? balance(1, *nn, vwgt, npart, *nparts, tpwgts) : 0);
  return code;
}
