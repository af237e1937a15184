/* SPDX-License-Identifier: MIT */
/*
 * Calls the functions of a METIS library with seeded random arguments, legal and illegal, each call in a process of its
 * own, and prints a line per case: what was called, whether the arguments are legal, and what came of it.
 * metis_conformance.py compares two libraries.
 *
 *   metis_conformance LIBRARY FIRST COUNT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <metis.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { max_vertices = 260, max_arcs = 6000, max_parts = 16, max_ncon = 9, seconds_per_case = 20 /* of a processor */ };

static uint64_t state;
static uint64_t next(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static idx_t below(idx_t n) { return (idx_t)(next() % (uint64_t)n); }
static int chance(int percent) { return below(100) < percent; }

/* A case: arguments, and what is wrong with them. */
static idx_t n, ncon = 1, nparts, first, xadj[max_vertices + 1], adjncy[max_arcs], vwgt[max_ncon * max_vertices],
                adjwgt[max_arcs], vsize[max_vertices], options[METIS_NOPTIONS], part[max_vertices], objval = -7;
static real_t tpwgts[max_ncon * max_parts], ubvec[max_ncon];
static int use_vwgt, use_adjwgt, use_vsize, use_tpwgts, use_ubvec, use_options, missing = -1;
static char const* wrong = "";
static idx_t num_elements, num_nodes, eptr[max_vertices + 1], eind[max_arcs], ncommon, epart[max_vertices],
    npart[max_vertices];

static void add_edges(idx_t const (*edges)[2], idx_t count) {
  idx_t degree[max_vertices] = {0};
  for (idx_t e = 0; e < count; ++e) ++degree[edges[e][0]], ++degree[edges[e][1]];
  xadj[0] = 0;
  for (idx_t v = 0; v < n; ++v) xadj[v + 1] = xadj[v] + degree[v];
  idx_t place[max_vertices];
  memcpy(place, xadj, sizeof(idx_t) * (size_t)n);
  for (idx_t e = 0; e < count; ++e) {
    idx_t const u = edges[e][0], v = edges[e][1], w = 1 + below(9);
    adjwgt[place[u]] = adjwgt[place[v]] = w;
    adjncy[place[u]++] = v;
    adjncy[place[v]++] = u;
  }
}

static void make_graph(void) {
  static idx_t edges[max_arcs / 2][2];
  static unsigned char taken[max_vertices][max_vertices];
  memset(taken, 0, sizeof taken);
  idx_t count = 0;
  n = chance(10) ? 1 + below(8) : 20 + below(max_vertices - 20);
  idx_t const width = 2 + below(14), kind = below(4), wanted = n * (1 + below(4));
  for (idx_t v = 0; v < n && kind < 2; ++v) /* a grid, in one piece or two */
    for (int side = 0; side < 2; ++side) {
      idx_t const u = side ? v + width : v + 1;
      if (u >= n || (!side && u % width == 0) || (kind == 1 && v < n / 2 && u >= n / 2)) continue;
      edges[count][0] = v, edges[count++][1] = u;
    }
  for (idx_t i = 0; i < wanted && kind >= 2 && n > 1; ++i) { /* at random */
    idx_t const u = below(n), v = below(n);
    if (u == v || taken[u][v] || count >= max_arcs / 2 - 2) continue;
    taken[u][v] = taken[v][u] = 1;
    edges[count][0] = u, edges[count++][1] = v;
  }
  add_edges((idx_t const(*)[2])edges, count);
}

static void make_mesh(void) {
  idx_t const rows = 2 + below(9), columns = 2 + below(9);
  int const triangles = chance(50);
  num_nodes = (rows + 1) * (columns + 1) + (chance(20) ? 3 : 0); /* some in no element */
  num_elements = 0;
  eptr[0] = 0;
  idx_t used = 0;
  for (idx_t r = 0; r < rows; ++r)
    for (idx_t c = 0; c < columns; ++c) {
      idx_t const corner[4] = {r * (columns + 1) + c, r * (columns + 1) + c + 1, (r + 1) * (columns + 1) + c + 1,
                               (r + 1) * (columns + 1) + c};
      for (int half = 0; half < (triangles ? 2 : 1); ++half) {
        for (int i = 0; i < (triangles ? 3 : 4); ++i) eind[used++] = corner[(half * 2 + i) % 4];
        eptr[++num_elements] = used;
      }
    }
  ncommon = 1 + below(3);
}

static void make_options(void) {
  memset(options, -1, sizeof options);
  use_options = chance(70);
  if (chance(30)) options[METIS_OPTION_SEED] = below(1000);
  if (chance(30)) options[METIS_OPTION_UFACTOR] = 1 + below(300);
  if (chance(15)) options[METIS_OPTION_NCUTS] = 1 + below(3);
  if (chance(15)) options[METIS_OPTION_NITER] = 1 + below(20);
  if (chance(15)) options[METIS_OPTION_CTYPE] = below(2);
  if (chance(15)) options[METIS_OPTION_OBJTYPE] = below(2);
  if (chance(15)) options[METIS_OPTION_MINCONN] = below(2);
  if (chance(15)) options[METIS_OPTION_CONTIG] = below(2);
  if (chance(15)) options[METIS_OPTION_PTYPE] = below(2);
  if (chance(15)) options[METIS_OPTION_NO2HOP] = below(2);
  if (chance(10)) options[METIS_OPTION_IPTYPE] = below(2) ? METIS_IPTYPE_METISRB : METIS_IPTYPE_GROW;
  if (chance(30)) options[METIS_OPTION_NUMBERING] = below(2);
}

static void break_option(void) {
  static int const places[] = {METIS_OPTION_OBJTYPE, METIS_OPTION_CTYPE,   METIS_OPTION_NITER,  METIS_OPTION_NCUTS,
                               METIS_OPTION_UFACTOR, METIS_OPTION_MINCONN, METIS_OPTION_CONTIG, METIS_OPTION_NUMBERING,
                               METIS_OPTION_IPTYPE,  METIS_OPTION_PTYPE,   METIS_OPTION_RTYPE};
  static idx_t const values[] = {-100, -2, 0, 2, 3, 7, 50};
  options[places[below((idx_t)(sizeof places / sizeof *places))]] = values[below(7)];
  use_options = 1;
  wrong = "option";
}

static void break_shares(void) {
  use_tpwgts = 1;
  wrong = "tpwgts";
  switch (below(4)) {
    case 0:
      tpwgts[0] += 1;
      break;
    case 1:
      tpwgts[below(nparts * ncon)] = 0;
      break;
    case 2:
      tpwgts[0] = -tpwgts[0];
      break;
    default:
      for (idx_t i = 0; i < nparts; ++i) tpwgts[i * ncon + ncon - 1] *= (real_t)0.5;
  }
}

static void break_rows(idx_t* offsets, idx_t rows, idx_t* values, idx_t range) {
  idx_t const used = offsets[rows];
  wrong = "array";
  switch (below(4)) {
    case 0:
      offsets[below(rows) + 1] = -1 - below(5);
      break;
    case 1: /* not the last: nobody can tell how long the array is */
      if (rows > 1)
        offsets[1 + below(rows - 1)] = used + 1 + below(100);
      else
        wrong = "";
      break;
    case 2:
      if (used) values[below(used)] = range + below(1000000);
      break;
    default:
      if (used) values[below(used)] = -1 - below(1000000);
  }
}

static void break_weights(void) {
  use_vwgt = chance(50);
  wrong = xadj[n] > 0 || use_vwgt ? "weight" : "";
  if (use_vwgt) {
    vwgt[below(n * ncon)] = -1 - below(5);
  } else if (xadj[n] > 0) {
    use_adjwgt = 1;
    adjwgt[below(xadj[n])] = -1 - below(5);
  }
}

static void break_structure(void) { /* arcs without their reverse, loops, arcs twice: METIS takes them */
  idx_t const arcs = xadj[n];
  if (arcs == 0) return;
  wrong = "structure";
  switch (below(3)) {
    case 0:
      adjncy[below(arcs)] = below(n);
      break;
    case 1:
      use_adjwgt = 1, adjwgt[below(arcs)] += 1;
      break;
    default: {
      idx_t const v = below(n);
      if (xadj[v + 1] > xadj[v]) adjncy[xadj[v]] = v;
    }
  }
}

/* Shares of every constraint; equal ones of the last, as programs have that say them of one alone. */
static void make_shares(void) {
  for (idx_t c = 0; c < ncon; ++c) {
    idx_t shares[max_parts], sum = 0;
    for (idx_t i = 0; i < nparts; ++i) sum += shares[i] = c > 0 && c == ncon - 1 ? 1 : 1 + below(6);
    for (idx_t i = 0; i < nparts; ++i) tpwgts[i * ncon + c] = (real_t)shares[i] / (real_t)sum;
  }
}

static int is_mesh(int kind) { return kind >= 2 && kind <= 5; }

static void make_case(uint64_t number, int kind) {
  int const mesh = is_mesh(kind), several = kind < 2;
  state = number * 0x2545f4914f6cdd1du + 99;
  next();
  make_graph();
  make_mesh();
  nparts = chance(10) ? 1 : 2 + below(max_parts - 1);
  ncon = !several || chance(65) ? 1 : 2 + below(3);
  for (idx_t v = 0; v < max_ncon * max_vertices; ++v) vwgt[v] = below(8) + (chance(95) ? 1 : 0);
  for (idx_t v = 0; v < max_vertices; ++v) vsize[v] = 1 + below(5);
  make_shares();
  for (idx_t c = 0; c < max_ncon; ++c) ubvec[c] = (real_t)1.01 + (real_t)below(30) / 100;
  use_vwgt = chance(ncon > 1 ? 90 : 40), use_adjwgt = chance(40), use_vsize = chance(20), use_tpwgts = chance(30);
  use_ubvec = chance(25);
  make_options();
  if (chance(55)) return; /* legal */
  switch (below(9)) {
    case 0:
      break_option();
      break;
    case 1:
      break_option(), break_option();
      break;
    case 2:
      break_shares();
      break;
    case 3:
      use_ubvec = 1, ubvec[ncon - 1] = (real_t)(below(3)) / 2, wrong = ubvec[ncon - 1] < 1 ? "ubvec" : "";
      break;
    case 4:
      nparts = -below(3), use_tpwgts = 0, wrong = "nparts";
      break;
    case 5: /* 9 constraints are legal, but too many for procmap */
      if (!several) break;
      ncon = chance(25) ? max_ncon : -below(3);
      use_tpwgts = 0;
      wrong = ncon > 0 ? "ncon9" : "ncon";
      break;
    case 6:
      if (mesh)
        break_rows(eptr, num_elements, eind, num_nodes);
      else
        break_rows(xadj, n, adjncy, n);
      break;
    case 7:
      chance(50) ? break_weights() : break_structure();
      break;
    default:
      missing = (int)below(6), wrong = "NULL";
  }
}

static void count_from(idx_t one) {
  first = one;
  for (idx_t a = 0; a < xadj[n] && a < max_arcs && a >= 0; ++a) adjncy[a] += one;
  for (idx_t a = 0; a < eptr[num_elements] && a < max_arcs; ++a) eind[a] += one;
  for (idx_t v = 0; v <= n; ++v) xadj[v] += one;
  for (idx_t e = 0; e <= num_elements; ++e) eptr[e] += one;
}

#define GIVEN(flag, array) ((flag) ? (array) : NULL)
#define UNLESS(index, pointer) (missing == (index) ? NULL : (pointer))

static void* find(void* library, char const* name) {
  void* const function = dlsym(library, name);
  if (!function) fprintf(stderr, "%s: %s\n", name, dlerror()), exit(3);
  return function;
}

typedef int (*part_graph)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, real_t*, real_t*, idx_t*,
                          idx_t*, idx_t*);
typedef int (*part_dual)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, real_t*, idx_t*, idx_t*,
                         idx_t*, idx_t*);
typedef int (*part_nodal)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, real_t*, idx_t*, idx_t*, idx_t*,
                          idx_t*);
typedef int (*to_dual)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t**, idx_t**);
typedef int (*to_nodal)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t**, idx_t**);
typedef int (*node_nd)(idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*);

/* ---- results, as checked here from the arguments: "" or what is not right ---- */

static char const* check_parts(idx_t const* parts, idx_t size, int negative_is_legal) {
  for (idx_t i = 0; i < size; ++i)
    if (parts[i] - first >= nparts || (parts[i] < first && !negative_is_legal)) return "part-out-of-range";
  return "";
}

/* How much one part weighs above what it may, of the total, in one constraint; at worst. */
static double excess_of(idx_t constraint, int recursive) {
  int64_t total = 0, load[max_parts] = {0};
  for (idx_t v = 0; v < n; ++v) {
    int64_t const weight = use_vwgt ? vwgt[v * ncon + constraint] : 1;
    total += weight, load[part[v] - first] += weight;
  }
  idx_t const ufactor = use_options ? options[METIS_OPTION_UFACTOR] : -1;
  double const thousandths = ufactor != -1 ? (double)ufactor : !recursive ? 30 : ncon == 1 ? 1 : 10;
  double const once = use_ubvec ? (double)ubvec[constraint] : 1 + thousandths / 1000;
  double factor = once, worst = 0;
  /* Then METIS means it at every bisection. */
  for (idx_t parts = 2; recursive && ncon > 1 && parts < nparts; parts *= 2) factor *= once;
  for (idx_t p = 0; p < nparts && total > 0; ++p) {
    double const share = use_tpwgts ? (double)tpwgts[p * ncon + constraint] : 1.0 / (double)nparts;
    double const over = ((double)load[p] - factor * share * (double)total - 1) / (double)total;
    if (over > worst) worst = over;
  }
  return worst;
}

static char const* check_graph_result(int objective, int recursive, double* excess) {
  char const* const bad = check_parts(part, n, 0);
  if (*bad) return bad;
  int64_t twice = 0;
  for (idx_t v = 0; v < n; ++v)
    for (idx_t a = xadj[v] - first; a < xadj[v + 1] - first; ++a)
      if (part[v] != part[adjncy[a] - first]) twice += use_adjwgt ? adjwgt[a] : 1;
  for (idx_t c = 0; c < ncon; ++c) {
    double const over = excess_of(c, recursive);
    if (over > *excess) *excess = over;
  }
  return objective == METIS_OBJTYPE_CUT && twice / 2 != objval ? "objval-is-not-the-cut" : "";
}

/* ---- one case ---- */

static char const* const names[] = {"PartGraphKway", "PartGraphRecursive", "PartMeshDual", "PartMeshNodal",
                                    "MeshToDual",    "MeshToNodal",        "NodeND",       "SetDefaultOptions"};
enum { functions = sizeof names / sizeof *names };

static uint64_t hash_of(idx_t const* values, idx_t size) {
  uint64_t hash = 14695981039346656037u;
  for (idx_t i = 0; i < size; ++i) hash = (hash ^ (uint64_t)values[i]) * 1099511628211u;
  return hash;
}

static void call_graph(void* library, char const* name, char* line, size_t room) {
  int const code = ((part_graph)find(library, name))(
      UNLESS(0, &n), UNLESS(1, &ncon), UNLESS(2, xadj), UNLESS(3, adjncy), GIVEN(use_vwgt, vwgt),
      GIVEN(use_vsize, vsize), GIVEN(use_adjwgt, adjwgt), UNLESS(4, &nparts), GIVEN(use_tpwgts, tpwgts),
      GIVEN(use_ubvec, ubvec), GIVEN(use_options, options), &objval, UNLESS(5, part));
  double excess = 0;
  int const recursive = strcmp(name, "METIS_PartGraphRecursive") == 0;
  int const contiguous = use_options && !recursive && options[METIS_OPTION_CONTIG] == 1;
  int const objective = use_options && options[METIS_OPTION_OBJTYPE] == METIS_OBJTYPE_VOL;
  int const readable = !*wrong || strcmp(wrong, "structure") == 0;
  char const* const problem = code == METIS_OK && readable ? check_graph_result(objective, recursive, &excess) : "";
  /* Contiguous parts may weigh what they must. */
  snprintf(line, room, "code %d objval %lld excess %.6f %s", code, (long long)objval, contiguous ? 0 : excess, problem);
}

/* The graph that the library makes of the mesh was compared by itself. */
static char const* check_mesh_cut(void* library, int dual) {
  if (use_options && options[METIS_OPTION_OBJTYPE] == METIS_OBJTYPE_VOL) return "";
  idx_t *offsets = NULL, *heads = NULL, flag = first, twice = 0;
  idx_t const rows = dual ? num_elements : num_nodes, *const parts = dual ? epart : npart;
  int const code = dual ? ((to_dual)find(library, "METIS_MeshToDual"))(&num_elements, &num_nodes, eptr, eind, &ncommon,
                                                                       &flag, &offsets, &heads)
                        : ((to_nodal)find(library, "METIS_MeshToNodal"))(&num_elements, &num_nodes, eptr, eind, &flag,
                                                                         &offsets, &heads);
  if (code != METIS_OK) return "no-graph-to-recount-the-cut";
  for (idx_t v = 0; v < rows; ++v)
    for (idx_t a = offsets[v] - first; a < offsets[v + 1] - first; ++a) twice += parts[v] != parts[heads[a] - first];
  return twice / 2 == objval ? "" : "objval-is-not-the-cut";
}

static void call_part_mesh(void* library, int dual, char* line, size_t room) {
  idx_t* const v = GIVEN(use_vwgt, vwgt);
  idx_t* const s = GIVEN(use_vsize, vsize);
  real_t* const t = GIVEN(use_tpwgts, tpwgts);
  idx_t* const o = GIVEN(use_options, options);
  int const code = dual ? ((part_dual)find(library, "METIS_PartMeshDual"))(
                              UNLESS(0, &num_elements), UNLESS(1, &num_nodes), UNLESS(2, eptr), UNLESS(3, eind), v, s,
                              &ncommon, UNLESS(4, &nparts), t, o, &objval, UNLESS(5, epart), npart)
                        : ((part_nodal)find(library, "METIS_PartMeshNodal"))(
                              UNLESS(0, &num_elements), UNLESS(1, &num_nodes), UNLESS(2, eptr), UNLESS(3, eind), v, s,
                              UNLESS(4, &nparts), t, o, &objval, UNLESS(5, epart), npart);
  char const* problem = "";
  if (code == METIS_OK && !*wrong) {
    problem = check_parts(epart, num_elements, 0);
    if (!*problem) problem = check_parts(npart, num_nodes, 1); /* METIS: -2 for nodes in no element */
    if (!*problem) problem = check_mesh_cut(library, dual);
  }
  snprintf(line, room, "code %d objval %lld %s", code, (long long)objval, problem);
}

static void call_convert(void* library, int dual, char* line, size_t room) {
  idx_t *offsets = NULL, *heads = NULL;
  idx_t flag = first;
  int const code =
      dual ? ((to_dual)find(library, "METIS_MeshToDual"))(UNLESS(0, &num_elements), UNLESS(1, &num_nodes),
                                                          UNLESS(2, eptr), UNLESS(3, eind), &ncommon, &flag, &offsets,
                                                          &heads)
           : ((to_nodal)find(library, "METIS_MeshToNodal"))(UNLESS(0, &num_elements), UNLESS(1, &num_nodes),
                                                            UNLESS(2, eptr), UNLESS(3, eind), &flag, &offsets, &heads);
  idx_t const rows = dual ? num_elements : num_nodes;
  if (code == METIS_OK && !*wrong) {
    snprintf(line, room, "code %d arrays %016llx %016llx", code, (unsigned long long)hash_of(offsets, rows + 1),
             (unsigned long long)hash_of(heads, offsets[rows] - first));
    int (*const release)(void*) = (int (*)(void*))find(library, "METIS_Free");
    if (release(offsets) != METIS_OK || release(heads) != METIS_OK)
      strncat(line, " free-failed", room - strlen(line) - 1);
  } else {
    snprintf(line, room, "code %d", code);
  }
}

static void call_order(void* library, char* line, size_t room) {
  idx_t perm[max_vertices], iperm[max_vertices];
  int const code = ((node_nd)find(library, "METIS_NodeND"))(&n, xadj, adjncy, GIVEN(use_vwgt, vwgt), NULL, perm, iperm);
  snprintf(line, room, "code %d arrays %016llx", code, code == METIS_OK ? (unsigned long long)hash_of(perm, n) : 0ull);
}

/* The defaults, and METIS_Free of nothing. */
static void call_defaults(void* library, char* line, size_t room) {
  int (*const release)(void*) = (int (*)(void*))find(library, "METIS_Free");
  int const freed = release(NULL);
  int const code = ((int (*)(idx_t*))find(library, "METIS_SetDefaultOptions"))(UNLESS(0, options));
  snprintf(line, room, "code %d arrays %016llx %d", code, (unsigned long long)hash_of(options, METIS_NOPTIONS), freed);
}

static char const* kind_of_arguments(void) { return *wrong ? wrong : ncon > 1 ? "legal,ncon>1" : "legal"; }

static void run_case(void* library, uint64_t number, int result) {
  int const kind = (int)(number % functions);
  char line[256] = "", text[512];
  make_case(number, kind);
  if (kind == 6) wrong = "", missing = -1; /* METIS's own: only that it is reached */
  if (kind == 6) make_graph();
  idx_t const numbering = use_options && kind < 4 ? options[METIS_OPTION_NUMBERING] : 0;
  count_from(kind == 4 || kind == 5 ? (idx_t)(number / functions % 2) : numbering == 1);
  switch (kind) {
    case 0:
      call_graph(library, "METIS_PartGraphKway", line, sizeof line);
      break;
    case 1:
      call_graph(library, "METIS_PartGraphRecursive", line, sizeof line);
      break;
    case 2:
      call_part_mesh(library, 1, line, sizeof line);
      break;
    case 3:
      call_part_mesh(library, 0, line, sizeof line);
      break;
    case 4:
      call_convert(library, 1, line, sizeof line);
      break;
    case 5:
      call_convert(library, 0, line, sizeof line);
      break;
    case 6:
      call_order(library, line, sizeof line);
      break;
    default:
      call_defaults(library, line, sizeof line);
  }
  int const length = snprintf(text, sizeof text, "%s %s", kind_of_arguments(), line);
  if (write(result, text, (size_t)length) != length) _exit(4);
}

/* In a process of its own: METIS may crash, and prints. */
static void report_case(void* library, uint64_t number) {
  int ends[2];
  if (pipe(ends)) exit(3);
  fflush(stdout);
  pid_t const child = fork();
  if (child == 0) {
    int const nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1), dup2(nowhere, 2);
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds_per_case, seconds_per_case});
    alarm(30 * seconds_per_case); /* whoever waits uses none */
    run_case(library, number, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  char text[512];
  ssize_t const size = read(ends[0], text, sizeof text - 1);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  printf("%llu %s ", (unsigned long long)number, names[number % functions]);
  if (size > 0 && WIFEXITED(status)) {
    text[size] = '\0';
    puts(text);
  } else {
    make_case(number, (int)(number % functions));
    printf("%s %s %d\n", kind_of_arguments(), WIFSIGNALED(status) ? "signal" : "exit",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    wrong = "", missing = -1, ncon = 1;
  }
}

int main(int argc, char** argv) {
  if (argc != 4) return fprintf(stderr, "metis_conformance LIBRARY FIRST COUNT\n"), 2;
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 3;
  uint64_t const begin = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
  for (uint64_t i = begin; i < begin + count; ++i) report_case(library, i);
  return 0;
}
