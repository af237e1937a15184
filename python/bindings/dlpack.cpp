// SPDX-License-Identifier: MIT
#include "dlpack.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace procmap::python {

namespace py = pybind11;

namespace {

constexpr char const* fresh = "dltensor";
constexpr char const* used = "used_dltensor";

std::optional<ElementType> element_type_of(DLDataType type) {
  if (type.lanes != 1) return {};
  switch (type.code << 8 | type.bits) {
    case dl_int << 8 | 8:
      return ElementType::int8;
    case dl_int << 8 | 16:
      return ElementType::int16;
    case dl_int << 8 | 32:
      return ElementType::int32;
    case dl_int << 8 | 64:
      return ElementType::int64;
    case dl_uint << 8 | 8:
      return ElementType::uint8;
    case dl_uint << 8 | 16:
      return ElementType::uint16;
    case dl_uint << 8 | 32:
      return ElementType::uint32;
    case dl_uint << 8 | 64:
      return ElementType::uint64;
    case dl_float << 8 | 32:
      return ElementType::float32;
    case dl_float << 8 | 64:
      return ElementType::float64;
    default:
      return {};
  }
}

// Types of devices and our names of them; the first of each name is for what comes out.
struct NamedDevices {
  std::int32_t type;
  char const* backend;
};

constexpr NamedDevices named_devices[] = {{2, "cuda"}, {13, "cuda"}};  // 13: memory that CUDA moves about

DeviceId device_of(DLDevice device, char const* name) {
  for (auto const& [type, backend] : named_devices)
    if (type == device.type) return {backend, device.id};
  throw py::type_error(std::string(name) + " lies on a device of DLPack's type " + std::to_string(device.type) +
                       ", which is none for us");
}

// The one type of arrays that come out.
constexpr DLDataType int32_type{dl_int, 32, 1};

struct Exported {
  DLManagedTensor managed;
  DeviceArray array;
};

}  // namespace

DLDevice dlpack_device(DeviceId const& device) {
  for (auto const& [type, backend] : named_devices)
    if (backend == device.backend) return {type, device.ordinal};
  throw py::type_error("DLPack has no type for " + device.name());
}

bool is_dlpack_gpu(std::int32_t type) {
  return std::ranges::any_of(named_devices, [=](NamedDevices const& known) { return known.type == type; });
}

DeviceArray from_dlpack(py::capsule const& capsule, char const* name) {
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), fresh));
  if (!managed) throw py::error_already_set();
  auto const& tensor = managed->tensor;
  auto const type = element_type_of(tensor.type);
  if (!type) throw py::type_error(std::string(name) + " must hold integers or floats of at most 64 bits");
  if (tensor.num_dimensions != 1)
    throw py::value_error(std::string(name) + " must be one-dimensional, got " + std::to_string(tensor.num_dimensions) +
                          " dimensions");
  if (tensor.strides && tensor.shape[0] > 1 && tensor.strides[0] != 1)
    throw py::value_error(std::string(name) + " must be contiguous");
  auto device = device_of(tensor.device, name);
  PyCapsule_SetName(capsule.ptr(), used);  // from here on it is ours
  std::shared_ptr<void const> owner(managed, [](DLManagedTensor* tensor_of_others) {
    if (Py_IsInitialized() == 0) return;  // the interpreter is gone, and its objects with it
    py::gil_scoped_acquire const gil;
    if (tensor_of_others->release) tensor_of_others->release(tensor_of_others);
  });
  auto const* const data = static_cast<char const*>(tensor.data) + tensor.byte_offset;
  return {data, tensor.shape[0], *type, std::move(device), std::move(owner)};
}

py::capsule to_dlpack(DeviceArray array) {
  auto exported = std::make_unique<Exported>();
  exported->array = std::move(array);
  auto& held = exported->array;
  if (held.type != ElementType::int32) throw py::type_error("only int32 is exported");
  exported->managed = {
      {const_cast<void*>(held.data), dlpack_device(held.device), 1, int32_type, &held.size, nullptr, 0},
      exported.get(),
      [](DLManagedTensor* managed) { delete static_cast<Exported*>(managed->context); }};
  auto* const capsule = PyCapsule_New(&exported->managed, fresh, [](PyObject* unused) {
    if (!PyCapsule_IsValid(unused, fresh)) return;  // somebody took it
    auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(unused, fresh));
    managed->release(managed);
  });
  if (!capsule) throw py::error_already_set();
  exported.release();  // the capsule's now
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace procmap::python
