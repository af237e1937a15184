// SPDX-License-Identifier: MIT
#include "backends.hpp"

// What stands in for the CUDA backend in a build without it.

#if !defined(PROCMAP_HAS_CUDA)
namespace procmap {
namespace {

[[noreturn]] void throw_no_backend() { throw DeviceError("this build of procmap has no CUDA backend"); }

}  // namespace

void require_gpu(int) { throw_no_backend(); }

std::int64_t available_memory(int) { throw_no_backend(); }

std::int64_t memory_peak(int) { throw_no_backend(); }

void restart_memory_peak(int) { throw_no_backend(); }

std::shared_ptr<ResidentGraph const> adopt_on_cuda(DeviceCsrArrays const&, bool, GraphFacts&) { throw_no_backend(); }

std::shared_ptr<ResidentGraph const> upload_to_cuda(Graph const&, int) { throw_no_backend(); }

DeviceArray copy_to_device(void const*, std::int64_t, ElementType, int) { throw_no_backend(); }

void copy_to_host(DeviceArray const&, std::vector<std::uintptr_t> const&, void*) { throw_no_backend(); }

}  // namespace procmap
#endif
