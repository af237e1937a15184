// SPDX-License-Identifier: MIT
#pragma once
// Marks for code that runs on both machines. nvcc compiles the CUDA backend, the host compiler
// the CPU backend; no file is compiled for both, so a lambda is device-only or host-only.
#if defined(__CUDACC__)
#define PROCMAP_HD __host__ __device__
#define PROCMAP_LAMBDA __device__
#else
#define PROCMAP_HD
#define PROCMAP_LAMBDA
#endif
