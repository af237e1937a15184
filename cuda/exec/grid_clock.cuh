// SPDX-License-Identifier: MIT
#pragma once

#include "exec/scratch.hpp"

namespace procmap {

/// Time per phase inside resident kernels; read by the host at the end of a call. Zeros at first. Kernels of
/// different types have entries of their own for the same name.
struct GridClock {
  static constexpr int max_phases = 192;

  struct Entry {
    unsigned long long key;  // address of the name on the device, 0: not in use
    unsigned long long nanoseconds;
    unsigned long long calls;
    char name[max_phase_name];
  };
  Entry entry[max_phases];
  unsigned lost;  // phases that found no entry, here or in the clock of their kernel
};

/// The clock of one kernel. One thread of the grid keeps it, in shared memory.
class KernelClock {
 public:
  struct Entry {
    char const* name;
    unsigned long long nanoseconds;
    unsigned long long calls;
  };

  __device__ static bool on_duty() { return blockIdx.x == 0 && threadIdx.x == 0; }
  __device__ static unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
  }

  __device__ void start() {
    for (auto& entry : entry_) entry = {nullptr, 0, 0};
    lost_ = 0;
  }
  /// `name` is a literal: one place in memory, one phase. Not inlined: the kernels have dozens of phases.
  __device__ __noinline__ void add(char const* name, unsigned long long nanoseconds) {
    for (auto& entry : entry_) {
      if (entry.name == nullptr) entry.name = name;
      if (entry.name != name) continue;
      entry.nanoseconds += nanoseconds;
      ++entry.calls;
      return;
    }
    ++lost_;
  }
  /// Adds to the clock of the call. Called by a whole block, of which a thread takes care of each phase: a search in
  /// device memory takes long.
  __device__ void report(GridClock& clock) const {
    __syncthreads();
    if (threadIdx.x < max_resident_phases && entry_[threadIdx.x].name != nullptr) report(entry_[threadIdx.x], clock);
    if (threadIdx.x == 0 && lost_ > 0) atomicAdd(&clock.lost, lost_);
  }

 private:
  __device__ static void report(Entry const& mine, GridClock& clock) {
    auto const key = reinterpret_cast<unsigned long long>(mine.name);
    for (auto& entry : clock.entry) {
      auto found = entry.key;
      if (found == 0) found = atomicCAS(&entry.key, 0ull, key);
      if (found != 0 && found != key) continue;
      if (found == 0)
        for (int i = 0; mine.name[i] != 0; ++i) entry.name[i] = mine.name[i];  // GridExecutor::phase knows that it fits
      entry.nanoseconds += mine.nanoseconds;
      entry.calls += mine.calls;
      return;
    }
    atomicAdd(&clock.lost, 1u);
  }

  Entry entry_[max_resident_phases];
  unsigned lost_;
};

/// Times one phase from here to the end of the block. None begins inside another: its time would count twice.
class GridPhase {
 public:
  __device__ GridPhase(KernelClock& clock, char const* name) : clock_(clock), name_(name) {
    if (KernelClock::on_duty()) start_ = KernelClock::now();
  }
  GridPhase(GridPhase const&) = delete;
  GridPhase& operator=(GridPhase const&) = delete;
  __device__ ~GridPhase() {
    if (KernelClock::on_duty()) clock_.add(name_, KernelClock::now() - start_);
  }

 private:
  KernelClock& clock_;
  char const* name_;
  unsigned long long start_ = 0;
};

}  // namespace procmap
