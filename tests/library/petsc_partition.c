/* SPDX-License-Identifier: MIT */
/* PETSc splits the matrix of a cube by the MatPartitioning that the options name: petsc_partition PARTS [OPTIONS] */
#include <petscmat.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  PetscInt const side = 32, n = side * side * side;
  PetscInt *offsets, *heads, used = 0;
  Mat graph;
  MatPartitioning partitioning;
  IS parts;
  PetscInitialize(&argc, &argv, NULL, NULL);
  PetscCall(PetscMalloc1(n + 1, &offsets));
  PetscCall(PetscMalloc1(6 * n, &heads));
  offsets[0] = 0;
  for (PetscInt v = 0; v < n; ++v) {
    PetscInt const place[3] = {v % side, v / side % side, v / side / side}, step[3] = {1, side, side * side};
    for (int d = 2; d >= 0; --d)
      if (place[d] > 0) heads[used++] = v - step[d];
    for (int d = 0; d < 3; ++d)
      if (place[d] + 1 < side) heads[used++] = v + step[d];
    offsets[v + 1] = used;
  }
  PetscCall(MatCreateMPIAdj(PETSC_COMM_WORLD, n, n, offsets, heads, NULL, &graph));
  PetscCall(MatPartitioningCreate(PETSC_COMM_WORLD, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, graph));
  PetscCall(MatPartitioningSetNParts(partitioning, atoi(argv[1])));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &parts));
  PetscCall(ISDestroy(&parts));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscCall(MatDestroy(&graph));
  return PetscFinalize();
}
