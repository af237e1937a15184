// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

#include "procmap/device_array.hpp"

namespace procmap::python {

// DLPack, https://dmlc.github.io/dlpack/latest, as far as one-dimensional arrays on a GPU need it. The structs are its
// binary interface (version 0.8, which capsules named "dltensor" hold).

struct DLDevice {
  std::int32_t type;
  std::int32_t id;
};

struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
inline constexpr std::uint8_t dl_int = 0, dl_uint = 1, dl_float = 2;

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t num_dimensions;
  DLDataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // null: contiguous
  std::uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor tensor;
  void* context;
  void (*release)(DLManagedTensor*);
};

/// DLPack's name of a device. Throws TypeError if there is none.
DLDevice dlpack_device(DeviceId const& device);
bool is_dlpack_gpu(std::int32_t type);

/// Takes the array out of a capsule. Throws TypeError or ValueError if it is none for us; `name` is for the message.
DeviceArray from_dlpack(pybind11::capsule const& capsule, char const* name);

/// A capsule with the array, which it keeps alive.
pybind11::capsule to_dlpack(DeviceArray array);

}  // namespace procmap::python
