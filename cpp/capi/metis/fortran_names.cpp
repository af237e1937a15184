// SPDX-License-Identifier: MIT
//
// The names by which Fortran compilers call METIS's functions: arguments are addresses there anyway.
#include "metis.h"

#define FORTRAN_NAMES(Name, lower, UPPER, parameters, arguments) \
  extern "C" {                                                   \
  METIS_API(int) lower parameters;                               \
  METIS_API(int) lower##_ parameters;                            \
  METIS_API(int) lower##__ parameters;                           \
  METIS_API(int) UPPER parameters;                               \
  }                                                              \
  int lower parameters { return Name arguments; }                \
  int lower##_ parameters { return Name arguments; }             \
  int lower##__ parameters { return Name arguments; }            \
  int UPPER parameters { return Name arguments; }

FORTRAN_NAMES(METIS_PartGraphRecursive, metis_partgraphrecursive, METIS_PARTGRAPHRECURSIVE,
              (idx_t * nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* vsize, idx_t* adjwgt,
               idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options, idx_t* edgecut, idx_t* part),
              (nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec, options, edgecut, part))
FORTRAN_NAMES(METIS_PartGraphKway, metis_partgraphkway, METIS_PARTGRAPHKWAY,
              (idx_t * nvtxs, idx_t* ncon, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* vsize, idx_t* adjwgt,
               idx_t* nparts, real_t* tpwgts, real_t* ubvec, idx_t* options, idx_t* edgecut, idx_t* part),
              (nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec, options, edgecut, part))
FORTRAN_NAMES(METIS_MeshToDual, metis_meshtodual, METIS_MESHTODUAL,
              (idx_t * ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* ncommon, idx_t* numflag, idx_t** r_xadj,
               idx_t** r_adjncy),
              (ne, nn, eptr, eind, ncommon, numflag, r_xadj, r_adjncy))
FORTRAN_NAMES(METIS_MeshToNodal, metis_meshtonodal, METIS_MESHTONODAL,
              (idx_t * ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* numflag, idx_t** r_xadj, idx_t** r_adjncy),
              (ne, nn, eptr, eind, numflag, r_xadj, r_adjncy))
FORTRAN_NAMES(METIS_PartMeshNodal, metis_partmeshnodal, METIS_PARTMESHNODAL,
              (idx_t * ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* vsize, idx_t* nparts,
               real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart),
              (ne, nn, eptr, eind, vwgt, vsize, nparts, tpwgts, options, objval, epart, npart))
FORTRAN_NAMES(METIS_PartMeshDual, metis_partmeshdual, METIS_PARTMESHDUAL,
              (idx_t * ne, idx_t* nn, idx_t* eptr, idx_t* eind, idx_t* vwgt, idx_t* vsize, idx_t* ncommon,
               idx_t* nparts, real_t* tpwgts, idx_t* options, idx_t* objval, idx_t* epart, idx_t* npart),
              (ne, nn, eptr, eind, vwgt, vsize, ncommon, nparts, tpwgts, options, objval, epart, npart))
FORTRAN_NAMES(METIS_NodeND, metis_nodend, METIS_NODEND,
              (idx_t * nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* options, idx_t* perm, idx_t* iperm),
              (nvtxs, xadj, adjncy, vwgt, options, perm, iperm))
FORTRAN_NAMES(METIS_SetDefaultOptions, metis_setdefaultoptions, METIS_SETDEFAULTOPTIONS, (idx_t * options), (options))
FORTRAN_NAMES(METIS_Free, metis_free, METIS_FREE, (void* ptr), (ptr))
