// SPDX-License-Identifier: MIT
// deal.II splits a refined mesh of a shell by METIS: dealii_partition PARTS
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <cstdlib>

int main(int argc, char** argv) {
  dealii::Triangulation<3> mesh;
  dealii::GridGenerator::hyper_shell(mesh, dealii::Point<3>(), 0.5, 1.0, 12);
  mesh.refine_global(4);
  dealii::GridTools::partition_triangulation(argc > 1 ? std::atoi(argv[1]) : 8, mesh,
                                             dealii::SparsityTools::Partitioner::metis);
}
