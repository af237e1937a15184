/* SPDX-License-Identifier: MIT */
/*
 * METIS as a MatPartitioning of PETSc for one process: -dll_append libpetscmetis.so -mat_partitioning_type metis. PETSc's
 * own calls ParMETIS, which Debian does not package.
 */
#include <metis.h>
#include <petsc/private/matimpl.h>

static PetscErrorCode apply(MatPartitioning partitioning, IS* parts) {
  idx_t n, constraints = 1, wanted = partitioning->n, cut = 0;
  PetscInt const *offsets, *heads;
  PetscBool done;
  PetscInt* part;
  PetscFunctionBegin;
  PetscCall(MatGetRowIJ(partitioning->adj, 0, PETSC_FALSE, PETSC_FALSE, &n, &offsets, &heads, &done));
  PetscCall(PetscMalloc1(n, &part));
  int const code = METIS_PartGraphKway(&n, &constraints, (idx_t*)offsets, (idx_t*)heads, partitioning->vertex_weights,
                                       NULL, NULL, &wanted, NULL, NULL, NULL, &cut, part);
  PetscCheck(code == METIS_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "METIS_PartGraphKway returned %d", code);
  PetscCall(MatRestoreRowIJ(partitioning->adj, 0, PETSC_FALSE, PETSC_FALSE, NULL, &offsets, &heads, &done));
  PetscCall(ISCreateGeneral(PETSC_COMM_SELF, n, part, PETSC_OWN_POINTER, parts));
  PetscFunctionReturn(0);
}

static PetscErrorCode create(MatPartitioning partitioning) {
  PetscFunctionBegin;
  partitioning->ops->apply = apply;
  PetscFunctionReturn(0);
}

/* PETSc calls it when it opens the library. */
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_petscmetis(void) {
  PetscFunctionBegin;
  PetscCall(MatPartitioningRegister("metis", create));
  PetscFunctionReturn(0);
}
