// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "procmap/device.hpp"
#include "procmap/export.h"

namespace procmap PROCMAP_API {

enum class ElementType { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

/// A read-only array in the memory of a GPU; contiguous.
struct DeviceArray {
  void const* data = nullptr;
  std::int64_t size = 0;  ///< in elements
  ElementType type = ElementType::int32;
  DeviceId device;
  std::shared_ptr<void const> owner;  ///< released with the last copy
};

/// The arrays of a graph as in CsrArrays, all on one GPU.
struct DeviceCsrArrays {
  DeviceArray offsets;
  DeviceArray heads;
  DeviceArray arc_weights;     ///< empty: all 1
  DeviceArray vertex_weights;  ///< empty: all 1
  /// Streams of the device (for CUDA cudaStream_t; 1 is the legacy default stream) that may still write the arrays.
  std::vector<std::uintptr_t> streams;
};

/// Copies an array of the host to a GPU. Throws ConfigError if `device` is none, DeviceError if it cannot be used, and
/// std::bad_alloc if there is no room.
DeviceArray copy_to_device(void const* data, std::int64_t size, ElementType type, DeviceId const& device);
/// Copies `array` to the host, after the work so far in `streams`; `data` has room for it.
void copy_to_host(DeviceArray const& array, std::vector<std::uintptr_t> const& streams, void* data);

std::size_t element_size(ElementType type);

}  // namespace procmap PROCMAP_API
