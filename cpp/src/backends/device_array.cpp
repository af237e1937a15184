// SPDX-License-Identifier: MIT
#include "procmap/device_array.hpp"

#include <stdexcept>

#include "backends/registry.hpp"

namespace procmap {

std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::int8:
    case ElementType::uint8:
      return 1;
    case ElementType::int16:
    case ElementType::uint16:
      return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64:
      return 8;
  }
  throw std::logic_error("unknown type of an element");
}

DeviceArray copy_to_device(void const* data, std::int64_t size, ElementType type, DeviceId const& device) {
  return memory_of(device).copy_in(data, size, type, device.ordinal);
}

void copy_to_host(DeviceArray const& array, std::vector<std::uintptr_t> const& streams, void* data) {
  if (array.size > 0) memory_of(array.device).copy_out(array, streams, data);
}

}  // namespace procmap
