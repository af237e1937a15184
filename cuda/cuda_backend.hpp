// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "backends/backend.hpp"

namespace procmap {

// The functions of the CUDA backend (backends/backend.hpp), which says what they do.

inline DeviceId cuda_device(int ordinal) { return {"cuda", ordinal}; }

// devices.cu
void require_gpu(int ordinal);

// resident_graph.cu
AdoptedGraph adopt_on_cuda(DeviceCsrArrays const& arrays, bool copy);
std::shared_ptr<ResidentGraph const> upload_to_cuda(Graph const& graph, int ordinal);

// device_array.cpp
DeviceArray copy_to_cuda(void const* data, std::int64_t size, ElementType type, int ordinal);
void copy_from_cuda(DeviceArray const& array, std::vector<std::uintptr_t> const& streams, void* data);

}  // namespace procmap
