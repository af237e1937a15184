// SPDX-License-Identifier: MIT
// deal.II splits the cells of a cube by METIS: dealii_partition PARTS
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/lac/sparsity_tools.h>

#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  unsigned const side = 30, cells = side * side * side;
  dealii::DynamicSparsityPattern neighbours(cells, cells);
  for (unsigned cell = 0; cell < cells; ++cell) {
    neighbours.add(cell, cell);
    unsigned step = 1;
    for (int dimension = 0; dimension < 3; ++dimension, step *= side)
      if (cell / step % side + 1 < side) neighbours.add(cell, cell + step), neighbours.add(cell + step, cell);
  }
  dealii::SparsityPattern pattern;
  pattern.copy_from(neighbours);
  std::vector<unsigned> parts(cells);
  dealii::SparsityTools::partition(pattern, argc > 1 ? std::atoi(argv[1]) : 8, parts,
                                   dealii::SparsityTools::Partitioner::metis);
}
