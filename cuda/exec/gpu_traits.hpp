// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

namespace procmap {

// What decides how kernels are launched on a GPU.

/// For which architecture the code was compiled that runs on the current device: 90 on an H100 or H200, 80 where the
/// driver translated the PTX of an A100. Throws DeviceError if there is none for it.
int compiled_for();

/// Rule: blocks of the largest cluster. Code of before 9.0 knows of none, wherever it runs. The H100 has clusters of
/// 16; of others no more is known than what all of them must run.
constexpr unsigned most_cluster_blocks(int compiled, int generation) {
  if (compiled < 90 || generation < 9) return 1;
  return generation == 9 ? 16 : 8;
}

/// Rule: bytes of the shared memory of a block, of which `wanted` would be best: GPUs for desks have 99 KiB.
/// Functions of a kernel have some of their own.
constexpr std::size_t fitting_shared_memory(std::size_t wanted, std::size_t most) {
  constexpr std::size_t of_functions = std::size_t{8} << 10;
  return std::min(wanted, most - std::min(most, of_functions));
}

}  // namespace procmap
