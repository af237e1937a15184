// SPDX-License-Identifier: MIT
#include "initial/initial_population.hpp"

namespace procmap {

std::vector<Block> fixed_blocks(std::vector<Block> const& fixed, std::vector<Vertex> const& vertices,
                                SplitTask const& task, Block first_block) {
  std::vector<Block> block;
  if (fixed.empty()) return block;
  block.reserve(vertices.size());
  for (Vertex const v : vertices) {
    Block const pe = fixed[static_cast<std::size_t>(v)];
    block.push_back(pe == no_block ? no_block : pe / task.pes_per_block - first_block);
  }
  return block;
}

}  // namespace procmap
