// SPDX-License-Identifier: MIT
#pragma once
// Marks for code that runs on both machines. nvcc compiles the CUDA backend, the host compiler
// the CPU backend; no file is compiled for both, so a lambda is device-only or host-only.
//
// PROCMAP_RESIDENT marks a phase that runs inside a kernel on the GPU (Executor::resident). Such phases stay
// functions of their own: inlined into one kernel they would need all their registers at once.
#if defined(__CUDACC__)
#define PROCMAP_HD __host__ __device__
#define PROCMAP_LAMBDA __device__
#define PROCMAP_RESIDENT __device__ __noinline__
#else
#define PROCMAP_HD
#define PROCMAP_LAMBDA
#define PROCMAP_RESIDENT
#endif
