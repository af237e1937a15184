// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/passes.cuh"
#include "exec/lanes.hpp"

namespace procmap {

// The teams of for_each_team. Their passes have hundreds of short steps with a barrier after each and a chain of
// dependent loads in it: what they touch most lies in shared memory. Clusters of blocks were no faster.

inline constexpr int row_lanes = 8;
inline constexpr Edge long_row = 256;  // arcs; longer ones get a whole warp

/// One block of threads.
template <int Threads>
class BlockTeam : public ThreadBlock<Threads> {
 public:
  static constexpr int threads = Threads;

  __device__ explicit BlockTeam(unsigned fast_bytes) : fast_bytes_(fast_bytes) {}

  template <class Count, class Size, class F>
  __device__ void for_rows(Count count, Size size, F f) const {
    serve_with_warps<row_lanes>(static_cast<Count>(this->rank() / warp_lanes), static_cast<Count>(Threads / warp_lanes),
                                count, size, f, long_row, std::numeric_limits<Edge>::max(), [](Count) {});
  }
  template <class T>
  __device__ T* counters(T*) const {
    __shared__ T values[num_team_counters];
    return values;
  }
  __device__ FastMemory fast_memory() const {
    extern __shared__ __align__(16) std::byte team_memory[];
    return {team_memory, fast_bytes_};
  }

 private:
  unsigned fast_bytes_;
};

using SmallTeam = BlockTeam<128>;
using LargeTeam = BlockTeam<512>;
static_assert(LaneTeam<SmallTeam> && LaneTeam<LargeTeam>);

template <class Team, class F>
__global__ void __launch_bounds__(Team::threads, 1)
    team_kernel(Edge n, unsigned fast_bytes, __grid_constant__ F const f) {
  Team const team(fast_bytes);
  for (Edge i = blockIdx.x; i < n; i += gridDim.x) {
    f(i, team);
    team.sync();  // no lane goes on to the next item before all are done with this one
  }
}

template <class Team, class F>
void launch_teams(Edge n, std::size_t fast_bytes, F const& f, cudaStream_t stream) {
  constexpr Edge most = 1 << 20;
  auto* const kernel = &team_kernel<Team, F>;
  cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(fast_bytes)));
  kernel<<<static_cast<unsigned>(std::min(n, most)), Team::threads, fast_bytes, stream>>>(
      n, static_cast<unsigned>(fast_bytes), f);
  check_launch();
}

}  // namespace procmap
