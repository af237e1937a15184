/* SPDX-License-Identifier: MIT */
/*
 * METIS's interface (version 5) to procmap: the names, numbers and types that programs written for METIS use, for
 * libprocmap_metis. What each function does here is in docs/site/library.md.
 *
 * Like METIS's own header it is for one width of idx_t and real_t, here chosen by the program:
 *   IDXTYPEWIDTH 32, REALTYPEWIDTH 32   libprocmap_metis (the default)
 *   IDXTYPEWIDTH 32, REALTYPEWIDTH 64   libprocmap_metis_i32r64, and so on
 * CMake's targets procmap::metis, ... and pkg-config set both.
 */
#ifndef PROCMAP_METIS_METIS_H
#define PROCMAP_METIS_METIS_H

#include <float.h>
#include <inttypes.h>
#include <stdint.h>

#ifndef IDXTYPEWIDTH
#define IDXTYPEWIDTH 32
#endif
#ifndef REALTYPEWIDTH
#define REALTYPEWIDTH 32
#endif

#if IDXTYPEWIDTH == 32
typedef int32_t idx_t;
#define IDX_MAX INT32_MAX
#define IDX_MIN INT32_MIN
#define SCIDX SCNd32
#define PRIDX PRId32
#elif IDXTYPEWIDTH == 64
typedef int64_t idx_t;
#define IDX_MAX INT64_MAX
#define IDX_MIN INT64_MIN
#define SCIDX SCNd64
#define PRIDX PRId64
#else
#error "IDXTYPEWIDTH must be 32 or 64"
#endif

#if REALTYPEWIDTH == 32
typedef float real_t;
#define SCREAL "f"
#define PRREAL "f"
#define REAL_MAX FLT_MAX
#define REAL_MIN FLT_MIN
#define REAL_EPSILON FLT_EPSILON
#elif REALTYPEWIDTH == 64
typedef double real_t;
#define SCREAL "lf"
#define PRREAL "lf"
#define REAL_MAX DBL_MAX
#define REAL_MIN DBL_MIN
#define REAL_EPSILON DBL_EPSILON
#else
#error "REALTYPEWIDTH must be 32 or 64"
#endif

/* The version of METIS whose interface this is. */
#define METIS_VER_MAJOR 5
#define METIS_VER_MINOR 1
#define METIS_VER_SUBMINOR 0

/* Length of options[]. */
#define METIS_NOPTIONS 40

#if defined(__GNUC__) || defined(__clang__)
#define METIS_API(type) __attribute__((visibility("default"))) type
#else
#define METIS_API(type) type
#endif

#ifdef __cplusplus
extern "C" {
#endif

METIS_API(int)
METIS_PartGraphRecursive(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* vsize,
                         idx_t* adjwgt, idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options, idx_t* edgecut,
                         idx_t* part);
METIS_API(int)
METIS_PartGraphKway(idx_t* nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* vsize, idx_t* adjwgt,
                    idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options, idx_t* edgecut, idx_t* part);
METIS_API(int)
METIS_MeshToDual(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* ncommon, idx_t* numflag, idx_t** r_xadj,
                 idx_t** r_adjncy);
METIS_API(int)
METIS_MeshToNodal(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* numflag, idx_t** r_xadj, idx_t** r_adjncy);
METIS_API(int)
METIS_PartMeshNodal(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* vsize, idx_t* nparts,
                    real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart);
METIS_API(int)
METIS_PartMeshDual(idx_t* ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* vsize, idx_t* ncommon,
                   idx_t* nparts, real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart);
METIS_API(int) METIS_SetDefaultOptions(idx_t* options);
METIS_API(int) METIS_Free(void* ptr);

/* Forwarded to METIS itself where it is installed. */
METIS_API(int)
METIS_NodeND(idx_t* nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* options, idx_t* perm, idx_t* iperm);
METIS_API(int)
METIS_NodeNDP(idx_t nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t npes, idx_t* options, idx_t* perm,
              idx_t* iperm, idx_t* sizes);
METIS_API(int)
METIS_ComputeVertexSeparator(idx_t* nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* options, idx_t* sepsize,
                             idx_t* part);

/* Not of METIS: what the last call of this thread complained of; "" if there was nothing. */
METIS_API(char const*) procmap_metis_message(void);

#ifdef __cplusplus
}
#endif

typedef enum { METIS_OK = 1, METIS_ERROR_INPUT = -2, METIS_ERROR_MEMORY = -3, METIS_ERROR = -4 } rstatus_et;

typedef enum { METIS_OP_PMETIS, METIS_OP_KMETIS, METIS_OP_OMETIS } moptype_et;

/* Places in options[]. */
typedef enum {
  METIS_OPTION_PTYPE,
  METIS_OPTION_OBJTYPE,
  METIS_OPTION_CTYPE,
  METIS_OPTION_IPTYPE,
  METIS_OPTION_RTYPE,
  METIS_OPTION_DBGLVL,
  METIS_OPTION_NITER,
  METIS_OPTION_NCUTS,
  METIS_OPTION_SEED,
  METIS_OPTION_NO2HOP,
  METIS_OPTION_MINCONN,
  METIS_OPTION_CONTIG,
  METIS_OPTION_COMPRESS,
  METIS_OPTION_CCORDER,
  METIS_OPTION_PFACTOR,
  METIS_OPTION_NSEPS,
  METIS_OPTION_UFACTOR,
  METIS_OPTION_NUMBERING,
  METIS_OPTION_HELP,
  METIS_OPTION_TPWGTS,
  METIS_OPTION_NCOMMON,
  METIS_OPTION_NOOUTPUT,
  METIS_OPTION_BALANCE,
  METIS_OPTION_GTYPE,
  METIS_OPTION_UBVEC
} moptions_et;

typedef enum { METIS_PTYPE_RB, METIS_PTYPE_KWAY } mptype_et;
typedef enum { METIS_GTYPE_DUAL, METIS_GTYPE_NODAL } mgtype_et;
typedef enum { METIS_CTYPE_RM, METIS_CTYPE_SHEM } mctype_et;
typedef enum {
  METIS_IPTYPE_GROW,
  METIS_IPTYPE_RANDOM,
  METIS_IPTYPE_EDGE,
  METIS_IPTYPE_NODE,
  METIS_IPTYPE_METISRB
} miptype_et;
typedef enum { METIS_RTYPE_FM, METIS_RTYPE_GREEDY, METIS_RTYPE_SEP2SIDED, METIS_RTYPE_SEP1SIDED } mrtype_et;
typedef enum {
  METIS_DBG_INFO = 1,
  METIS_DBG_TIME = 2,
  METIS_DBG_COARSEN = 4,
  METIS_DBG_REFINE = 8,
  METIS_DBG_IPART = 16,
  METIS_DBG_MOVEINFO = 32,
  METIS_DBG_SEPINFO = 64,
  METIS_DBG_CONNINFO = 128,
  METIS_DBG_CONTIGINFO = 256,
  METIS_DBG_MEMORY = 2048
} mdbglvl_et;
typedef enum { METIS_OBJTYPE_CUT, METIS_OBJTYPE_VOL, METIS_OBJTYPE_NODE } mobjtype_et;

#endif
