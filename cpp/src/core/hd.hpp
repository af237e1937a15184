// SPDX-License-Identifier: MIT
#pragma once
// Marks for code that runs on both machines. nvcc compiles the CUDA backend, the host compiler
// the CPU backend; no file is compiled for both, so a lambda is device-only or host-only.
//
// PROCMAP_RESIDENT marks a phase that runs inside a kernel on the GPU (Executor::resident). Such phases stay
// functions of their own: inlined into one kernel they would need all their registers at once.
// PROCMAP_HD_CALL is PROCMAP_HD for a function that is not to be inlined on a GPU: a resident kernel has a pass in
// four versions, by how much work an item is, and would hold it in all of them.
//
// PROCMAP_GPU_CODE is defined while code for a GPU is compiled. PROCMAP_UNROLL asks it to unroll a loop, PROCMAP_LOOP
// not to: a loop whose turns wait for each other gains nothing by being four times as long.
#if defined(__CUDACC__)
#define PROCMAP_HD __host__ __device__
#define PROCMAP_LAMBDA __device__
#define PROCMAP_RESIDENT __device__ __noinline__
#define PROCMAP_HD_CALL __host__ __device__ __noinline__
#else
#define PROCMAP_HD
#define PROCMAP_HD_CALL
#define PROCMAP_LAMBDA
#define PROCMAP_RESIDENT
#endif

#if defined(__CUDA_ARCH__)
#define PROCMAP_GPU_CODE
#define PROCMAP_UNROLL _Pragma("unroll")
#define PROCMAP_LOOP _Pragma("unroll 1")
#else
#define PROCMAP_UNROLL
#define PROCMAP_LOOP
#endif
